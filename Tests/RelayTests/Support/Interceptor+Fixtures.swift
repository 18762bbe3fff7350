import Foundation
import Relay
import Synchronization

@testable import RelayCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Interceptor {
    /// Creates an interceptor that answers every request by calling a closure.
    static func responding(_ respond: @escaping @Sendable (InterceptedRequest) -> InterceptedResponse) -> Interceptor {
        with(.stub(.any) { .response(respond($0)) })
    }

    /// Creates an interceptor that has rules but no archives.
    static func with(_ rules: Rule...) -> Interceptor {
        let interceptor = Interceptor(name: "test", configuration: .patient)
        interceptor.add(rules)
        return interceptor
    }

    /// Creates an interceptor that answers every request with the same text.
    static func saying(_ text: String) -> Interceptor { responding { $0.reply(text) } }
}

extension Interceptor.Configuration {
    /// A configuration with a time limit that is long enough for a busy machine.
    static var patient: Self {
        var configuration = Self()
        configuration.timeLimit = .seconds(3600)
        return configuration
    }
}

extension URLSessionConfiguration {
    /// A configuration whose requests do not time out while a test withholds their responses on a busy machine.
    static var patient: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 3600
        return configuration
    }
}

extension InterceptedRequest {
    /// Returns a response to this request.
    func reply(_ text: String = "", status: Int = 200, headers: KeyValuePairs<String, String> = [:])
        -> InterceptedResponse
    {
        InterceptedResponse(
            url: url, status: status, headers: headers.map { HeaderField(name: $0, value: $1) }, body: Data(text.utf8))
    }
}

extension URLSession {
    /// Returns the body of a URL as text.
    func text(_ url: String) async throws -> String { try await text(URLRequest(url)) }

    /// Returns the response body of a request as text.
    func text(_ request: URLRequest) async throws -> String {
        String(decoding: try await data(for: request).0, as: UTF8.self)
    }

    /// Returns the response to a request, without its body.
    func head(_ request: URLRequest) async throws -> HTTPURLResponse {
        guard let response = try await data(for: request).1 as? HTTPURLResponse else { throw URLError(.unknown) }
        return response
    }
}

extension URLRequest {
    /// Creates a request for a URL that is known to be valid.
    init(_ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil) {
        self.init(url: URL(url))
        httpMethod = method
        allHTTPHeaderFields = headers
        httpBody = body.map { Data($0.utf8) }
    }
}

extension URL {
    /// Creates a URL from text that is known to be valid.
    init(_ text: String) {
        guard let url = URL(string: text) else { preconditionFailure("\(text) is not a valid URL") }
        self = url
    }
}

extension Interceptor {
    /// Whether any request is waiting for the network, a closure, or a delay.
    var isAnythingRunning: Bool { running.withLock { !$0.isEmpty } }
}
