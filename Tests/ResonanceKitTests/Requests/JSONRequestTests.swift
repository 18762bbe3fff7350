import Foundation
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct JSONRequestTests {
    private let carrier = NotingSession()

    /// Returns the request that is sent for a path.
    private func sent(
        _ path: String = "api/people", base: String = "https://mocktest.com",
        _ perform: (JSONRequest<Nothing, Failure>) async throws -> Void
    ) async throws -> URLRequest {
        let request = JSONRequest<Nothing, Failure>(
            method: .get, path: path, session: JSONSession(carrier, baseURL: base))
        try await perform(request)
        return try #require(carrier.requests.last)
    }

    @Test(arguments: [
        ("https://mocktest.com", "api/people", "https://mocktest.com/api/people"),
        ("https://mocktest.com", "/api/people/", "https://mocktest.com/api/people/"),
        ("https://mocktest.com/v1/", "people", "https://mocktest.com/v1/people"),
        ("https://mocktest.com/v1/", "/people", "https://mocktest.com/people"),
        ("https://mocktest.com", "https://other.test/x?y=z", "https://other.test/x?y=z"),
        ("https://mocktest.com", "people?page=2", "https://mocktest.com/people?page=2"),
    ])
    func `the path is relative to the base URL`(base: String, path: String, url: String) async throws {
        let request = try await sent(path, base: base) { try await $0.perform() }
        #expect(request.url?.absoluteString == url)
        #expect(request.httpMethod == "GET")
        #expect(request.httpBody == nil)
    }

    @Test func `a command is appended to the path`() async throws {
        let request = try await sent("people/") { try await $0.perform(command: "1/films") }
        #expect(request.url?.absoluteString == "https://mocktest.com/people/1/films")
    }

    @Test func `the parameters of a GET request are appended to its query`() async throws {
        let parameters = ["search": "a b&c=d+é;?", "page": "2"]
        let request = try await sent("people?x=a+b%2B") { try await $0.perform(parameters: parameters) }
        let query = "x=a+b%2B&page=2&search=a%20b%26c%3Dd%2B%C3%A9;?"
        #expect(request.url?.absoluteString == "https://mocktest.com/people?\(query)")
        #expect(request.httpBody == nil)
    }

    @Test(arguments: [HTTPMethod.post, .put, .delete, .patch, .head])
    func `the parameters of all other requests are sent as a JSON object in the body`(method: HTTPMethod) async throws {
        let request = try await sent { try await $0.perform(method: method, parameters: ["b": "\"2\"", "a": "1"]) }
        #expect(request.url?.absoluteString == "https://mocktest.com/api/people")
        #expect(request.httpMethod == method.rawValue)
        #expect(request.httpBody == Data(#"{"a":"1","b":"\"2\""}"#.utf8))
        let empty = try await sent { try await $0.perform(method: method) }
        #expect(empty.httpBody == Data("{}".utf8))
    }

    @Test func `a body replaces the parameters`() async throws {
        let body = Data([0, 0xFF])
        let request = try await sent { try await $0.perform(method: .post, parameters: ["a": "1"], body: body) }
        #expect(request.httpBody == body)
        let get = try await sent { try await $0.perform(parameters: ["a": "1"], body: body) }
        #expect(get.httpBody == body)
        #expect(get.url?.query == "a=1")
    }

    @Test func `a URL passed to perform replaces the URL of the request`() async throws {
        let next = try #require(URL(string: "http://swapi.dev/api/people/?page=2"))
        let request = try await sent { try await $0.perform(url: next, parameters: ["a": "1"]) }
        #expect(request.url?.absoluteString == "http://swapi.dev/api/people/?page=2&a=1")
        #expect(request.value(forHTTPHeaderField: "Accept") == "*/*")
    }

    @Test func `methods have their HTTP names`() {
        let methods: [HTTPMethod] = [.get, .post, .put, .delete, .patch, .head]
        #expect(methods.map(\.rawValue) == ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"])
    }

    @Test func `a request without a session has only its own settings`() async throws {
        let url = try #require(URL(string: "https://a.test/x"))
        let request = JSONRequest<Nothing, Failure>(
            method: .put, url: url, urlSession: carrier, headers: ["X-Own": "1", "accept": "a/b"])
        try await request.perform()
        let sent = try #require(carrier.requests.last)
        #expect(sent.url == url)
        #expect(sent.httpMethod == "PUT")
        #expect(sent.allHTTPHeaderFields == ["Content-Type": "application/json", "Accept": "a/b", "X-Own": "1"])
    }

    @Test func `a URLRequest passed to perform is sent unchanged`() async throws {
        var own = URLRequest(url: try #require(URL(string: "https://a.test/x")))
        own.httpMethod = "OPTIONS"
        own.setValue("1", forHTTPHeaderField: "X")
        let made = own
        let request = try await sent { try await $0.perform(request: made) }
        #expect(request == made)
    }

    @Test func `a request's own network session takes precedence`() async throws {
        let other = NotingSession()
        let session = JSONSession(carrier)
        let url = try #require(URL(string: "https://a.test/x"))
        try await JSONRequest<Nothing, Failure>(method: .get, path: "x", session: session, urlSession: other).perform()
        try await JSONRequest<Nothing, Failure>(method: .get, url: url, session: session, urlSession: other).perform()
        #expect(other.requests.count == 2)
        try await JSONRequest<Nothing, Failure>(method: .get, url: url, session: session).perform()
        #expect(other.requests.count == 2)
        #expect(carrier.requests.map(\.url) == [url])
    }

    @Test(arguments: ["", "http://[", "a b"])
    func `a request with an invalid URL fails without crashing`(base: String) async throws {
        let request = JSONRequest<Nothing, Failure>(
            method: .get, path: "http://[::", session: JSONSession(carrier, baseURL: base))
        await #expect {
            try await request.perform()
        } throws: { error in
            if case RESTRequestError.invalidURL = error { true } else { false }
        }
        #expect(throws: RESTRequestError.self) { try request.perform() as CoFuture<Nothing> }
        #expect(carrier.requests.isEmpty)
    }
}
