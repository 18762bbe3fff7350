public import Foundation
import Relay

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The result of an intercepted request.
public enum ResponseStrategy: Sendable {
    /// A response with any status.
    case mock(status: Int, data: Data?, headers: [String: String]?, httpVersion: String? = nil)

    /// An error.
    case networkError(NetworkError)

    /// The result of another request: the error if there is no data, otherwise the response.
    case redirected(data: Data?, response: URLResponse?, error: (any Error)?)
}

extension ResponseStrategy {
    /// The equivalent response for an interceptor.
    var reply: Reply {
        var reply = checkedReply
        reply.isVerbatim = true
        return reply
    }

    private var checkedReply: Reply {
        switch self {
        case .mock(let status, let data, let headers, let version):
            let fields = (headers ?? [:]).sorted { $0.key < $1.key }.map { HeaderField(name: $0, value: $1) }
            return .response(
                InterceptedResponse(
                    url: "", status: status, httpVersion: version ?? "HTTP/1.1", headers: fields, body: data ?? Data()))
        case .networkError(let error): return .error(error.cause)
        case .redirected(let data, let response, let error):
            guard let data else { return .error(error ?? URLError(.badServerResponse)) }
            guard let head = response as? HTTPURLResponse else {
                return .response(InterceptedResponse(url: response?.url?.absoluteString ?? "", body: data))
            }
            return .response(InterceptedResponse(head, url: "", body: data))
        }
    }
}
