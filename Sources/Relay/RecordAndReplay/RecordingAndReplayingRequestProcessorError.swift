import RelayCore
import RelayURLSession
public import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Why a request was neither recorded nor replayed.
public enum RecordingAndReplayingRequestProcessorError: Error {
    /// There is nothing that answers.
    case missingStrategy

    /// The request has no URL.
    case invalidUrlInRequest(URLRequest)

    /// There is no session to replay.
    case sessionReplayNotConfigured(URLRequest)

    /// Nothing that was recorded answers the request; the URL is that of the file which would.
    case noRecordFoundForRequest(URLRequest, URL)

    /// What was recorded cannot be read.
    case failedToReplay(URL, any Error)

    /// The network gave no answer.
    case failedToPerformLiveRequest(URL, any Error)
}

extension RecordingAndReplayingRequestProcessorError: LocalizedError {
    /// What went wrong, without secrets; of a request that nothing answers also what was recorded that is near to it.
    public var errorDescription: String? {
        switch self {
        case .missingStrategy: "There is no processor for the request; pass one."
        case .invalidUrlInRequest: "The request has no URL."
        case .sessionReplayNotConfigured(let request):
            "There is no session to replay for the request.\nRequest: \(request.messageText)"
        case .noRecordFoundForRequest(let request, let file):
            """
            No record was found for the request; record it with isRecordingEnabled: true.
            Request: \(request.messageText)
            Recording File URL: \(file.path)
            \(RecordingFolder(url: file.deletingLastPathComponent()).nearest(to: request))
            """
        case .failedToReplay(let url, let error):
            "The request cannot be replayed.\nURL: \(url.messageText)\nError: \(error.localizedDescription)"
        case .failedToPerformLiveRequest(let url, let error):
            "The live request has failed.\nURL: \(url.messageText)\nError: \(error.localizedDescription)"
        }
    }
}

extension URLRequest {
    fileprivate var messageText: String { "\(httpMethod ?? "GET") \(url?.messageText ?? "without URL")" }
}

extension URL {
    fileprivate var messageText: String { SecretNames.masked(url: absoluteString) }
}
