import Foundation

import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Interceptor {
    /// An interceptor that answers every request with a response.
    static func responding(_ respond: @escaping @Sendable (InterceptedRequest) -> InterceptedResponse) -> Interceptor {
        with(.stub(.any) { .response(respond($0)) })
    }

    /// An interceptor that has rules alone.
    static func with(_ rules: Rule...) -> Interceptor {
        let interceptor = Interceptor(name: "test", configuration: .patient)
        interceptor.add(rules)
        return interceptor
    }

    /// An interceptor whose bodies are a text.
    static func saying(_ text: String) -> Interceptor { responding { $0.reply(text) } }
}

extension Interceptor.Configuration {
    /// Closures have all the time that a busy machine may need.
    static var patient: Self {
        var configuration = Self()
        configuration.timeLimit = .seconds(600)
        return configuration
    }
}

extension InterceptedRequest {
    /// A response to this request.
    func reply(_ text: String = "", status: Int = 200, headers: KeyValuePairs<String, String> = [:])
        -> InterceptedResponse
    {
        InterceptedResponse(
            url: url, status: status, headers: headers.map { HeaderField(name: $0, value: $1) }, body: Data(text.utf8))
    }
}

extension URLSession {
    /// The body as text of what a URL gives.
    func text(_ url: String) async throws -> String { try await text(URLRequest(url)) }

    /// The body as text of what a request gives.
    func text(_ request: URLRequest) async throws -> String {
        String(decoding: try await data(for: request).0, as: UTF8.self)
    }

    /// The response to a request, without its body.
    func head(_ request: URLRequest) async throws -> HTTPURLResponse {
        guard let response = try await data(for: request).1 as? HTTPURLResponse else { throw URLError(.unknown) }
        return response
    }
}

extension URLRequest {
    /// A request of a URL that the test knows to be one.
    init(_ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil) {
        self.init(url: URL(url))
        httpMethod = method
        allHTTPHeaderFields = headers
        httpBody = body.map { Data($0.utf8) }
    }
}

extension URL {
    /// A URL that the test knows to be one.
    init(_ text: String) {
        guard let url = URL(string: text) else { preconditionFailure("\(text) is no URL") }
        self = url
    }
}
