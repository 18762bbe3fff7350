import HTTPArchive
import Relay
import RelayTesting
import Synchronization

/// A reporter that passes errors to a turntable's error handler, or fails the test if there is no handler.
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
