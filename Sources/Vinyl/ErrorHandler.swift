import HTTPArchive
import Relay
import RelayTesting
import Synchronization

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

/// A reporter that passes errors to a turntable's error handler, or fails the test without a handler.
final class ErrorReports: @unchecked Sendable {
    private let isUnique: Bool
    private let lock = Mutex(())

    /// The current error handler, guarded by `lock`, which is not held while the handler is called.
    private var current: (any ErrorHandler)?

    init(playingUniquely isUnique: Bool) { self.isUnique = isUnique }

    var handler: (any ErrorHandler)? {
        get { lock.withLock { _ in current } }
        set { lock.withLock { _ in current = newValue } }
    }

    /// The error handler, or nil if errors fail the test.
    var customHandler: (any ErrorHandler)? { handler is DefaultErrorHandler ? nil : handler }

    /// The settings of an interceptor that reports requests without a matching track.
    var configuration: Interceptor.Configuration {
        var configuration = Interceptor.Configuration()
        configuration.missHandler = { [self] request, error in
            guard let handler = customHandler else { return TestFailure.record(error) }
            if let request = Request(request) { handler.handleTrackNotFound(request, playTracksUniquely: isUnique) }
        }
        return configuration
    }

    /// Reports any other error.
    func failure(_ error: any Error) {
        if let handler = customHandler { handler.handleUnknownError() } else { TestFailure.record(error) }
    }
}
