import Foundation
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of the equality of tracks, and of comparing requests without a turntable.
@Suite(.limited) struct TrackTests {
    private let url = URL.of("http://api.test.com/1")

    @Test func `tracks are equal if their requests, responses and errors are equal`() {
        func tracks() -> [Track] {
            [
                TrackFactory.createValidTrack(url: url), TrackFactory.createValidTrack(url: url, body: Data()),
                TrackFactory.createValidTrack(url: url, utf8Body: "a"),
                TrackFactory.createValidTrack(url: url, utf8Body: "a", headers: ["A": "b", "C": "d"]),
                TrackFactory.createValidTrack(url: .of("http://api.test.com/2"), utf8Body: "a"),
                TrackFactory.createBadTrack(url: url, statusCode: 404),
                TrackFactory.createBadTrack(url: url, statusCode: 404, error: URLError(.timedOut)),
                TrackFactory.createErrorTrack(url: url, error: URLError(.timedOut)),
                TrackFactory.createErrorTrack(url: url, error: URLError(.badURL)),
            ]
        }
        #expect(tracks() == tracks())
        #expect(Set(tracks() + tracks()).count == tracks().count)
        #expect(tracks().firstIndex(of: tracks()[3]) == 3)
    }

    @Test func `a registry compares requests`() {
        let registry = RequestMatcherRegistry(types: [.method, .path])
        #expect(registry.matchableRequests(request: .to("http://a/x/"), with: .to("http://b/x?y")))
        #expect(!registry.matchableRequests(request: .to("http://a/x", method: "PUT"), with: .to("http://a/x")))
        #expect(!registry.matchableRequests(request: .to("http://a/x"), with: .to("http://a/y")))
        #expect(RequestMatcherRegistry(types: []).matchableRequests(request: .to("http://a/"), with: .to("http://b/")))
    }
}
