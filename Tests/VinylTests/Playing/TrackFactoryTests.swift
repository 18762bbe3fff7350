import Foundation
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct TrackFactoryTests {
    private struct OwnError: Error, Equatable {}

    private let url = URL.of("http://feelGoodINC.com/album?x=1")

    private func play(_ track: Track) async -> Turntable.Played {
        await Turntable(vinyl: Vinyl(tracks: [track])).play(.to(url.absoluteString))
    }

    @Test func `a track has the specified status, body and header fields`() async {
        let headers = ["X-A": "b", "Content-Length": "999", "Content-Encoding": "gzip"]
        let played = await play(
            TrackFactory.createTrack(url: url, statusCode: 203, body: Data([0, 255, 1]), headers: headers))
        #expect(played.body == Data([0, 255, 1]) && played.error == nil)
        #expect(played.response?.statusCode == 203 && played.response?.url == url)
        #expect(played.response?.allHeaderFields as? [String: String] == headers)
    }

    @Test func `a bad track has no body`() async {
        let played = await play(TrackFactory.createBadTrack(url: url, statusCode: 404, headers: ["X-A": "b"]))
        #expect(played.response?.statusCode == 404 && played.body?.isEmpty != false && played.error == nil)
    }

    @Test func `an error track returns its error unchanged`() async {
        let played = await play(TrackFactory.createErrorTrack(url: url, error: OwnError()))
        #expect(played.error is OwnError && played.response == nil && played.body == nil)
        let turntable = Turntable(vinyl: Vinyl(tracks: [TrackFactory.createErrorTrack(url: url, error: OwnError())]))
        await #expect(throws: OwnError()) { try await turntable.data(from: url) }
    }

    @Test func `a track with a response and an error returns both`() async {
        let body = Data("sorry".utf8)
        let tracks = [
            TrackFactory.createTrack(url: url, statusCode: 503, body: body, error: OwnError(), headers: ["A": "b"]),
            TrackFactory.createBadTrack(url: url, statusCode: 500, error: OwnError()),
        ]
        for (track, status) in zip(tracks, [503, 500]) {
            let played = await play(track)
            #expect(played.error is OwnError && played.response?.statusCode == status)
        }
        #expect(await play(tracks[0]).body == body)
        let error = await #expect(throws: TrackFailure.self) {
            try await Turntable(vinyl: Vinyl(tracks: tracks)).data(from: url)
        }
        #expect(error?.underlying is OwnError && error?.body == body && error?.response?.statusCode == 503)
    }

    @Test func `valid tracks can have bodies of every kind`() async throws {
        #expect(await play(TrackFactory.createValidTrack(url: url)).response?.statusCode == 200)
        #expect(await play(TrackFactory.createValidTrack(url: url, utf8Body: "gränsle")).text == "gränsle")
        #expect(await play(TrackFactory.createValidTrack(url: url, base64Body: "AP8=")).body == Data([0, 255]))
        let json = ["a": [1, 2]]
        let body = try #require(await play(TrackFactory.createValidTrack(url: url, jsonBody: json)).body)
        #expect(try JSONDecoder().decode([String: [Int]].self, from: body) == json)
    }
}
