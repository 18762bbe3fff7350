/// A log of exchanges and warnings.
///
/// The module RelayLogging makes one of each logger of swift-log.
public protocol InterceptorLog: Sendable {
    /// Returns whether messages of a level are logged.
    func includes(_ level: InterceptorLogLevel) -> Bool

    /// Logs a message.
    ///
    /// It can be called on any thread, also by several at the same time.
    ///
    /// - Parameters:
    ///   - message: The message, without secrets.
    ///   - level: The level.
    ///   - interceptor: The name of the interceptor.
    func log(_ message: String, at level: InterceptorLogLevel, of interceptor: String)
}

/// The importance of a message in a log.
public enum InterceptorLogLevel: Sendable {
    /// A request as a `curl` command.
    case trace

    /// An exchange.
    case debug

    /// A request without a response, or a problem that does not concern a particular exchange.
    case warning
}
