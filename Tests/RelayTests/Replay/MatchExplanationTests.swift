import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct MatchExplanationTests {
    private let entries: [HAR.Entry] = [
        .entry("GET", "http://a/items"), .entry("GET", "http://a/users"), .entry("GET", "http://a/users"),
        .entry("GET", "http://a/users"),
    ]

    @Test func `the explanation lists why each entry does or does not match, and which one is used`() throws {
        let interceptor = Interceptor(
            entries, matching: RequestMatching(required: [.method, .url], repetition: .once), name: "shop.har")
        _ = try interceptor.response("GET", "http://a/users")
        let explanation = interceptor.explanation(of: .request("GET", "http://a/users"))
        #expect(explanation.entries.map(\.verdict?.isMatch) == [false, true, true, true])
        #expect(explanation.entries.map(\.wasUsed) == [false, true, false, false])
        #expect(explanation.entries.map(\.answers) == [false, false, true, false])
        #expect(
            explanation.description == """
                GET http://a/users compared with all entries (- recorded, + requested, ~ differs):
                shop.har
                  entry 0  GET http://a/items
                    path     - /items
                             + /users
                  entry 1  GET http://a/users
                    matches, but was already replayed
                  entry 2  GET http://a/users
                    matches, and answers the request
                  entry 3  GET http://a/users
                    matches, but another entry has precedence
                """)
    }

    @Test func `explaining a request does not mark an entry as used`() throws {
        let interceptor = Interceptor(entries, matching: .recordedOrder)
        for _ in 1...3 {
            let explanation = interceptor.explanation(of: .request("POST", "http://b/"))
            #expect(explanation.entries.map(\.answers) == [true, false, false, false])
        }
        _ = try interceptor.response()
        #expect(interceptor.explanation(of: .request()).entries.map(\.answers) == [false, true, false, false])
    }

    @Test func `explanations do not reveal secrets in requests and entries`() {
        let interceptor = Interceptor(
            [.entry("GET", "http://a/?token=secret1")], matching: RequestMatching(required: [.headers(), .query]))
        let request = InterceptedRequest.request("GET", "http://a/?token=secret2", headers: ["X-Api-Key": "secret3"])
        #expect(!interceptor.explanation(of: request).description.contains("secret"))
    }

    @Test func `a match handler receives an explanation of each request`() async throws {
        let log = Log<[Bool]>()
        var configuration = Interceptor.Configuration()
        configuration.matchHandler = { log.append($0.entries.map(\.answers)) }
        let session = Interceptor(entries: entries, configuration: configuration).session()
        _ = try await session.text("http://a/items")
        _ = try await session.text("http://a/items")
        _ = try? await session.text("http://a/missing")
        #expect(
            log.events == [
                [true, false, false, false], [true, false, false, false], Array(repeating: false, count: 4),
            ])
    }
}
