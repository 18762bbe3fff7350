#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Handles requests and vinyls that a turntable cannot play.
///
/// Without an error handler, the test fails and the request gets an error.
public protocol ErrorHandler {
    /// Handles a request that matches no track.
    func handleTrackNotFound(_ request: Request, playTracksUniquely: Bool)

    /// Handles a vinyl that is missing, cannot be read, or cannot be recorded.
    func handleUnknownError()
}
