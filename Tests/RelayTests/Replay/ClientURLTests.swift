import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responses recorded at the client.
@Suite(.limited) struct ClientURLTests {
    private func seen(_ entry: HAR.Entry, at url: String) -> HAR.Entry {
        var entry = entry
        entry.response["_url"] = .string(JSONString(url))
        return entry
    }

    @Test func `the response has the URL and the header fields that the client received`() throws {
        let headers = [("Content-Encoding", "gzip"), ("Content-Length", "3"), (":status", "200")]
        let entry = seen(.entry("GET", "http://a/1", headers: headers, text: "decoded"), at: "http://b/2#end")
        let interceptor = Interceptor([entry], matching: .loose)
        for _ in 1...2 {
            let response = try interceptor.response("GET", "http://c/1?x=1")
            #expect(response.url == "http://b/2#end")
            #expect(response.headers == headers.map { HeaderField(name: $0, value: $1) })
            #expect(response.body == Data("decoded".utf8))
        }
    }

    @Test func `a redirect that the client received as its response is not followed`() async throws {
        let redirect = HAR.Entry.entry("GET", "http://a/", status: 302, headers: [("Location", "/b")], text: "moved")
        let session = Interceptor(entries: [seen(redirect, at: "http://a/")]).session()
        let (body, response) = try await session.data(from: URL("http://a/"))
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(response.url == URL("http://a/"))
        #expect(body == Data("moved".utf8))
        await #expect(throws: RelayError.self) {
            try await Interceptor(entries: [redirect]).session().data(from: URL("http://a/"))
        }
    }

    @Test func `an entry without a response URL uses the URL of its request`() {
        #expect(HAR.Entry.entry("GET", "http://a/1").asSeenByClient.response["_url"] == "http://a/1")
        #expect(seen(.entry("GET", "http://a/1"), at: "http://b/").asSeenByClient.response["_url"] == "http://b/")
        var entry = HAR.Entry.entry("GET", "http://a/1")
        entry.request["_url"] = "http://a/1#part"
        #expect(entry.asSeenByClient.response["_url"] == "http://a/1#part")
    }

    @Test func `conditional header fields are ignored`() throws {
        let full = seen(.entry(headers: [("ETag", "\"1\"")], text: "full"), at: "http://a/")
        let short = seen(.entry(request: [("If-None-Match", "\"1\"")], status: 304, text: ""), at: "http://a/")
        let interceptor = Interceptor([short, full], matching: RequestMatching(required: [.url], repetition: .once))
        #expect(try interceptor.response().status == 304)
        #expect(try interceptor.response(headers: [("If-None-Match", "\"1\"")]).status == 200)
    }
}
