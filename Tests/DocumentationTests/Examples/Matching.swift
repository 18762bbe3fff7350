import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples for matching and observing, run unchanged.
@Suite struct MatchingExamples {
    private let archive = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../HARSamples/chromium-embed.har").standardizedFileURL
    private let items = "http://127.0.0.1:8765/items"

    @Test func `matchers can be combined`() async throws {
        var matching = RequestMatching.standard
        matching.required = [.method, .url(ignoringQueryItems: ["timestamp", "nonce"]), .header("Accept-Language")]
        matching.preferred = [.jsonBody(ignoring: [JSONPointer(["sentAt"])])]
        matching.required.append(
            .custom("tenant") { requested, recorded in
                requested.url.contains("/tenants/") == recorded.url.contains("/tenants/")
                    ? .match : .mismatch("only one of the two URLs contains a tenant")
            })
        matching.repetition = .cycle
        var configuration = Interceptor.Configuration()
        configuration.matching = matching
        configuration.matching = .standard.ignoring(queryItems: ["timestamp"], json: ["/requestID"])
        #expect(try Interceptor(archive: archive, configuration: configuration).report.archives.count == 1)
    }

    @Test func `entries are replayed in recorded order`() async throws {
        var configuration = Interceptor.Configuration()
        configuration.matching = .recordedOrder
        let interceptor = try Interceptor(archive: archive, configuration: configuration)
        let url = try #require(URL(string: "https://example.com/whatever"))
        _ = try await interceptor.session().data(from: url)
        #expect(interceptor.report.archives.first?.usedCount == 1)
    }

    @Test func `a report contains misses`() async throws {
        let interceptor = try Interceptor(archive: archive)
        let session = interceptor.session()
        _ = try await session.data(from: try #require(URL(string: items)))
        _ = try? await session.data(from: try #require(URL(string: "https://example.com/")))
        let report = interceptor.report
        print(report)  // how many entries were used, which were not, and which requests were missed
        #expect(report.misses.map(\.url) == ["https://example.com/"])
    }

    @Test func `exchanges can be observed`() async throws {
        let interceptor = try Interceptor(archive: archive)
        let exchanges = interceptor.exchanges
        _ = try await interceptor.session().data(from: try #require(URL(string: items)))
        interceptor.stop()
        for await exchange in exchanges {
            print(exchange)  // GET http://127.0.0.1:8765/items → 200, 127 bytes from …
            print(exchange.request.curlCommand())  // curl -H 'Accept: …' …, secrets masked
        }
    }
}
