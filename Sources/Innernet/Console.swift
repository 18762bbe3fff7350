import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A program on the same machine that says what is intercepted, and shows what goes to the network.
struct Console: Sendable {
    /// A request that it answers; the delay is the console's own affair.
    struct Intercept: Decodable, Sendable {
        let id: String
        let method: String
        let matchURL: String
    }

    /// A request that went to the network, and what came back.
    struct Report: Encodable, Sendable {
        var statusCode: Int
        var method: String
        var url: String
        var reqHeaders: [String: String]
        var reqBody: Data?
        var resBody: Data?
        var resHeaders: [String: String]?
        var wasIntercepted = false
    }

    private let base: String
    private let session: URLSession

    init(port: Int) {
        base = "http://localhost:\(port)"
        var configuration = Interceptor.Configuration()
        configuration.unmatchedRequests = .passThrough
        session = Interceptor(name: "the console", configuration: configuration).session()
    }

    /// What it intercepts.
    func intercepts() async throws -> [Intercept] {
        let (data, response) = try await session.data(for: request("/intercept"))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode([Intercept].self, from: data)
    }

    /// Its answer for a request that it intercepts.
    func response(of intercept: Intercept) async throws -> ResponseStrategy {
        let id = intercept.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? intercept.id
        let (data, response) = try await session.data(for: request("/intercept/\(id)/response"))
        return .redirected(data: data, response: response, error: nil)
    }

    /// Tells it of a request.
    func send(_ report: Report) async throws {
        var request = try request("/request")
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(report)
        _ = try await session.data(for: request)
    }

    private func request(_ path: String) throws -> URLRequest {
        guard let url = URL(string: base + path) else { throw URLError(.badURL) }
        return URLRequest(url: url)
    }
}
