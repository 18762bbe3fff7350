public import Foundation
import RelayCore

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An error from recording or replaying a request.
public enum RecordingAndReplayingRequestProcessorError: Error {
    /// There is no request processor.
    case missingStrategy

    /// The request has no URL.
    case invalidUrlInRequest(URLRequest)

    /// There is no session to replay.
    case sessionReplayNotConfigured(URLRequest)

    /// No recording matches the request. The URL refers to the file in which the request would be recorded.
    case noRecordFoundForRequest(URLRequest, URL)

    /// The recording cannot be read.
    case failedToReplay(URL, any Error)

    /// The request to the network failed.
    ///
    /// The library does not throw this error: a failed request throws the network error itself.
    case failedToPerformLiveRequest(URL, any Error)
}

extension RecordingAndReplayingRequestProcessorError: LocalizedError {
    /// A description without secrets, which lists the nearest recordings if none matches the request.
    public var errorDescription: String? {
        switch self {
        case .missingStrategy:
            "The request cannot be handled, because no request processor was passed. Pass at least one."
        case .invalidUrlInRequest: "The request has no URL. Set its URL before it is processed."
        case .sessionReplayNotConfigured(let request):
            "No session is configured to replay the request. Record the request first.\nRequest: \(request.messageText)"
        case .noRecordFoundForRequest(let request, let file):
            """
            No recording was found for the request. Record it with isRecordingEnabled: true.
            Request: \(request.messageText)
            Recording File URL: \(file.path)
            \(RecordingFolder(url: file.deletingLastPathComponent()).nearest(to: request))
            """
        case .failedToReplay(let url, let error):
            "The request cannot be replayed.\nURL: \(url.messageText)\nError: \(error.localizedDescription)"
        case .failedToPerformLiveRequest(let url, let error):
            "The live request failed.\nURL: \(url.messageText)\nError: \(error.localizedDescription)"
        }
    }
}

extension URLRequest {
    /// The method and the URL without secrets.
    var messageText: String { "\(httpMethod ?? "GET") \(url?.messageText ?? "without URL")" }
}

extension URL {
    fileprivate var messageText: String { MessageText.url(absoluteString) }
}

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
