import Foundation
import Innernet

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func request(_ url: String, method: String = "GET", body: String? = nil) -> URLRequest {
    var request = URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: url))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    return request
}

extension URLSession {
    /// A session configured with the library's protocol class, as in its README.
    static var intercepted: URLSession {
        let config = URLSessionConfiguration.default
        config.protocolClasses = [Innernet.InterceptProtocol.self]
        return URLSession(configuration: config)
    }

    /// Returns the response to a request: its body as text, and its head.
    func answer(_ request: URLRequest) async throws -> (text: String, head: HTTPURLResponse) {
        let (data, response) = try await data(for: request)
        guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (String(decoding: data, as: UTF8.self), head)
    }

    /// Returns the response body for a URL as text.
    func text(_ url: String, method: String = "GET") async throws -> String {
        try await answer(InnernetTests.request(url, method: method)).text
    }

    /// Returns the error of a request, or `nil` if it succeeds.
    func error(_ url: String) async -> (any Error)? {
        do {
            _ = try await text(url)
            return nil
        } catch {
            return error
        }
    }
}

/// Yields until a condition is true, or throws an error if the task is canceled.
func wait(until isReached: () async throws -> Bool) async throws {
    while try await !isReached() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
