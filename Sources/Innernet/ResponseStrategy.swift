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

/// The parts of a response, which can be passed to ``ResponseStrategy``.
public struct MockResponse: Hashable, Sendable {
    /// The status code.
    public let status: Int

    /// The body, or `nil` for none.
    public let data: Data?

    /// The header fields, or `nil` for none.
    public let headers: [String: String]?

    /// Creates a response.
    public init(status: Int, data: Data?, headers: [String: String]?) {
        self.status = status
        self.data = data
        self.headers = headers
    }
}

/// A wildcard in a URL pattern of ``Innernet``.
public enum WildcardKey: String, Sendable {
    /// Matches all remaining parts of a URL.
    case allPathMatch = "**"

    /// Matches one part of a URL.
    case singlePathMatch = "*"
}

/// An error that a request fails with.
public enum NetworkError: Error {
    /// The error `URLError.timedOut`.
    case timeout

    /// The error `URLError.notConnectedToInternet`.
    case unreachable

    /// An error of this library.
    case framework(InnernetsError)

    /// Any other error.
    case custom(any Error)

    /// The error that the request fails with.
    var cause: any Error {
        switch self {
        case .timeout: URLError(.timedOut)
        case .unreachable: URLError(.notConnectedToInternet)
        case .framework(let error): error
        case .custom(let error): error
        }
    }
}

/// An error of this library.
public enum InnernetsError: Error {
    /// No intercept matches the request, and passing requests through is not allowed.
    case blockedPassthrough

    /// The intercept did not respond in time.
    case interceptTimeout
}

extension InnernetsError: LocalizedError {
    /// A description of the error.
    public var errorDescription: String? {
        switch self {
        case .blockedPassthrough: "Request was blocked. No intercept was found and passthroughs are disabled"
        case .interceptTimeout: "Request forced to timeout. Intercept took too long to complete."
        }
    }

    /// Equal to ``errorDescription``.
    public var failureReason: String? { errorDescription }
}

extension InnernetsError: CustomNSError, CustomDebugStringConvertible {
    /// The domain `InnernetsError`.
    public static var errorDomain: String { "InnernetsError" }

    /// The error code: 1337 for a blocked request, 1338 for an intercept that took too long.
    public var errorCode: Int {
        switch self {
        case .blockedPassthrough: 1337
        case .interceptTimeout: 1338
        }
    }

    /// A dictionary with the description as the value of `reason`.
    public var errorUserInfo: [String: Any] {
        ["reason": debugDescription, NSLocalizedDescriptionKey: debugDescription]
    }

    /// Equal to ``errorDescription``.
    public var debugDescription: String { errorDescription ?? "" }
}
