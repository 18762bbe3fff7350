public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
