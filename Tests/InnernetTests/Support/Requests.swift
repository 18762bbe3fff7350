import Foundation

import Innernet

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request for a URL.
func request(_ url: String, method: String = "GET", body: String? = nil) -> URLRequest {
    var request = URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: url))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    return request
}

extension URLSession {
    /// A session that asks the class of the library, as its README makes one.
    static var intercepted: URLSession {
        let config = URLSessionConfiguration.default
        config.protocolClasses = [Innernet.InterceptProtocol.self]
        return URLSession(configuration: config)
    }

    /// The body as text of what a request gives, and its head.
    func answer(_ request: URLRequest) async throws -> (text: String, head: HTTPURLResponse) {
        let (data, response) = try await data(for: request)
        guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (String(decoding: data, as: UTF8.self), head)
    }

    /// The body as text of what a URL gives.
    func text(_ url: String, method: String = "GET") async throws -> String {
        try await answer(InnernetTests.request(url, method: method)).text
    }

    /// The error that a request ends with; `nil` where it is answered.
    func error(_ url: String) async -> (any Error)? {
        do {
            _ = try await text(url)
            return nil
        } catch {
            return error
        }
    }
}

/// Lets others go on until something holds, or the test has taken too long.
func wait(until isReached: () async throws -> Bool) async throws {
    while try await !isReached() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
