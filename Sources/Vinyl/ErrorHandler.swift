import HTTPArchive
import Relay
import RelayTesting

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A type that handles requests and vinyls that a turntable cannot play.
///
/// If a turntable has no error handler, the test and the request fail.
public protocol ErrorHandler {
    /// Handles a request that matches no track.
    func handleTrackNotFound(_ request: Request, playTracksUniquely: Bool)

    /// Handles a vinyl that is missing, cannot be read, or cannot be recorded.
    func handleUnknownError()
}

/// The default error handler, which fails the test and the request.
///
/// In the original Vinyl library, the handler with this name ends the process.
public struct DefaultErrorHandler: ErrorHandler {
    /// Creates the error handler.
    public init() {}

    /// Fails the test.
    public func handleTrackNotFound(_ request: Request, playTracksUniquely: Bool) {
        let url = request.url.map { MessageText.url($0.absoluteString) } ?? "a request without a URL"
        let reason = playTracksUniquely ? "No unused track" : "No track"
        TestFailure.record(
            RelayError(
                .noMatchingEntry,
                "\(reason) matches \(request.httpMethod ?? "GET") \(url). Record the track, or correct the request."))
    }

    /// Fails the test.
    public func handleUnknownError() {
        TestFailure.record(
            HARError(
                .unreadableFile,
                "The vinyl is missing, cannot be read, or cannot be recorded. Check its name, bundle and folder."))
    }
}
