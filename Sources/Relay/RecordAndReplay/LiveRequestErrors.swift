#if canImport(FoundationNetworking)
    public import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// An error thrown by ``LiveRequestAndReplayRequestProcessor``.
public enum LiveRequestAndReplayRequestProcessorError: Error {
    /// The request has no URL.
    case invalidUrlInRequest(URLRequest)
}

extension LiveRequestAndReplayRequestProcessorError: LocalizedError {
    /// A description of the error.
    public var errorDescription: String? { "The request has no URL. Set its URL before it is processed." }
}

/// An error from a request to the network that `URLSession` does not report.
public enum LiveRequestPerformerError: Error {
    /// The response is not an HTTP response.
    case invalidResponse(URLRequest)

    /// The request ended without a response or an error.
    ///
    /// The library does not throw this error.
    case unknownError
}

extension LiveRequestPerformerError: LocalizedError {
    /// A description of the error without secrets.
    public var errorDescription: String? {
        switch self {
        case .invalidResponse(let request): "The response is not an HTTP response.\nRequest: \(request.messageText)"
        case .unknownError: "The request ended without a response and without an error."
        }
    }
}

/// An error from `RelayURLProtocol`.
public enum RelayURLProtocolError: Error {
    /// `start(filter:request:modify:)` was called without a request processor.
    case noRequestsToExecute
}

extension RelayURLProtocolError: LocalizedError {
    /// A description of the error.
    public var errorDescription: String? {
        "Interception cannot start, because no request processor was passed. Pass at least one."
    }
}
