#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Is told of what a turntable cannot play; without one the test fails, and requests get an error.
public protocol ErrorHandler {
    /// No track answers a request.
    func handleTrackNotFound(_ request: Request, playTracksUniquely: Bool)

    /// A vinyl is missing, cannot be read, or cannot be recorded.
    func handleUnknownError()
}
