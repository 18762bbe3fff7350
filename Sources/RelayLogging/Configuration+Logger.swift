public import Logging
public import RelayCore

extension Interceptor.Configuration {
    /// The logger for exchanges, or nil (the default) for no logging.
    ///
    /// Secrets are not logged.
    ///
    /// Exchanges are logged at level `debug`, misses at `warning`, and `curl` commands at `trace`. The metadata
    /// `interceptor` is the name of the interceptor.
    public var logger: Logger? {
        get { (log as? LoggerLog)?.logger }
        set { log = newValue.map(LoggerLog.init) }
    }
}

private struct LoggerLog: InterceptorLog {
    let logger: Logger

    func includes(_ level: InterceptorLogLevel) -> Bool { logger.logLevel <= Logger.Level(level) }

    func log(_ message: String, at level: InterceptorLogLevel, of interceptor: String) {
        logger.log(level: Logger.Level(level), "\(message)", metadata: ["interceptor": .string(interceptor)])
    }
}

extension Logger.Level {
    fileprivate init(_ level: InterceptorLogLevel) {
        self =
            switch level {
            case .trace: .trace
            case .debug: .debug
            case .warning: .warning
            }
    }
}
