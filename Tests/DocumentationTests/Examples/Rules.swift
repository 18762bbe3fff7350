import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Item: Codable, Equatable {
    var id: Int
    var name: String
}

struct User: Codable {
    var name: String
}

/// The examples for rules, run unchanged.
@Suite struct RuleExamples {
    private let interceptor = Interceptor()
    private let items = [Item(id: 1, name: "Lamp")]

    private func text(_ url: String, method: String = "GET", body: String? = nil) async throws -> String {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        return String(decoding: try await interceptor.session().data(for: request).0, as: UTF8.self)
    }

    @Test func `stubs can be added`() async throws {
        interceptor.add(
            .stub("api.example.com/items", try .json(items)),
            .stub("api.example.com/items/*", .status(404)),
            .stub(.post("api.example.com/items")) { request in
                guard let body = request.body else { return .status(400) }
                return .data(body, type: "application/json", status: 201)
            },
            .stub("api.example.com/job", inOrder: .text("running"), .text("running"), .text("done")),
            .stub(.host("*.tracker.example"), .failure(.notConnectedToInternet)))
        #expect(try await text("https://api.example.com/items").contains("Lamp"))
        #expect(try await text("https://api.example.com/items", method: "POST", body: "{}") == "{}")
        #expect(try await text("https://api.example.com/job") == "running")
        await #expect(throws: URLError.self) { try await text("https://a.tracker.example/") }
    }

    @Test func `a stub can be limited to a number of requests`() async throws {
        let interceptor = Interceptor()
        interceptor.add(.stub("api.example.com/items", .status(503)).times(1))
        let session = interceptor.session()
        _ = try await session.data(from: #require(URL(string: "https://api.example.com/items")))
        await #expect(throws: RelayError.self) {
            try await session.data(from: #require(URL(string: "https://api.example.com/items")))
        }
    }

    @Test func `patterns can be combined`() throws {
        let patterns: [RequestPattern] = [
            "api.example.com/items",  // one URL, with any scheme and port
            "api.example.com/items/*/info",  // any text between two slashes
            "api.example.com/**",  // every URL of a host
            .get("api.example.com/items?page=*"),  // a method, and a value of the query
            .keywords("login", "token"),  // URLs that contain one of these words
            .host("*.example.com").and(.not(.path(prefix: "/health"))),
            try .matching(regularExpression: "/v[0-9]+/users"),
            .where { request in request.body?.count ?? 0 > 1_000 },
        ]
        let request = InterceptedRequest(url: "https://api.example.com/v1/users?token=1")
        #expect(patterns.map { $0.matches(request) } == [false, false, true, false, true, true, true, false])
    }

    @Test func `requests can be passed through, rerouted or blocked`() async throws {
        let route = try Rule.reroute("yourserver.com/foo", to: "http://127.0.0.1:8000/foo")
        interceptor.add(.passThrough(.host("localhost")), route)
        interceptor.add(.fail("yourserver.com/foo/secret/**"))
        await #expect(throws: RelayError.self) { try await text("https://yourserver.com/foo/secret/1") }
        interceptor.remove(route)
    }

    @Test func `overrides change responses`() async throws {
        interceptor.add(.stub("api.example.com/**", try .json(["name": "Ada", "token": "abc"])))
        interceptor.add(
            .override("api.example.com/user", .jsonMembers(["token": "expired"]), .status(401)),
            .override("api.example.com/user", try .json(at: "/name", "Grace")),
            .override("api.example.com/me", .model(User.self) { $0.name += " Lovelace" }),
            .override("api.example.com/page", .replacing("Ada", with: "Eva"), .header("Cache-Control", "no-store")))
        #expect(try await text("https://api.example.com/user").contains("expired"))
        #expect(try await text("https://api.example.com/user").contains("Grace"))
        #expect(try await text("https://api.example.com/me").contains("Ada Lovelace"))
        #expect(try await text("https://api.example.com/page").contains("Eva"))
    }

    @Test func `a recorded response can be changed`() async throws {
        interceptor.add(.stub(.any, .text("recorded")))
        interceptor.add(
            .override(
                "api.example.com/**",
                .changing { request, response in
                    var response = response
                    response.body += Data(" for \(request.method)".utf8)
                    return response
                }))
        #expect(try await text("https://api.example.com/user") == "recorded for GET")
    }

    @Test func `a slow and unreliable network can be simulated`() async throws {
        interceptor.add(.stub(.any, .text("x")))
        let slow = Rule.override(
            .any, .delay(.milliseconds(5)), .recordedTimings(scaledBy: 0.5), .bandwidth(bytesPerSecond: 50_000))
        interceptor.add(slow)
        #expect(try await text("https://api.example.com/") == "x")
        interceptor.remove(slow)
        interceptor.add(.override(.any, .sometimes(0.1, seed: 1, .failure(.timedOut))))
        interceptor.add(.override("api.example.com/video", .cutOff(afterBytes: 0)))
        await #expect(throws: URLError.self) { try await text("https://api.example.com/video") }
    }
}
