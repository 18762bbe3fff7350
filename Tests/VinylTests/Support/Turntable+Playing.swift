import Foundation
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Turntable {
    /// The arguments passed to a completion handler.
    struct Played: Sendable {
        let body: Data?
        let response: HTTPURLResponse?
        let error: (any Error)?

        var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Plays the track for a request, using a completion handler.
    func play(_ request: URLRequest) async -> Played {
        await withCheckedContinuation { continuation in
            dataTask(with: request) { body, response, error in
                continuation.resume(
                    returning: Played(body: body, response: response as? HTTPURLResponse, error: error))
            }.resume()
        }
    }

    /// Plays the track for a URL.
    func play(_ url: String) async -> Played { await play(.to(url)) }
}

extension URLRequest {
    static func to(
        _ url: String, method: String = "GET", headers: [String: String] = [:], body: String? = nil
    ) -> URLRequest {
        var request = URLRequest(url: .of(url))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }
}

extension URL {
    /// Creates a URL from a string that is known to be valid.
    static func of(_ text: String) -> URL {
        guard let url = URL(string: text) else { preconditionFailure("\(text) is not a valid URL") }
        return url
    }
}
