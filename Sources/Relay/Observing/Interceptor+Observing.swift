import Foundation
import Logging

extension Interceptor {
    /// The exchanges that end from now on.
    ///
    /// Each call gives a stream of its own. It ends with ``stop()`` and with the interceptor. A stream that nobody reads
    /// keeps the last 10,000 exchanges.
    ///
    /// ```swift
    /// for await exchange in interceptor.exchanges { print(exchange) }
    /// ```
    public var exchanges: AsyncStream<ObservedExchange> {
        let exchanges = observers.makeStream(bufferSize: 10_000)
        if isStopped { observers.finish() }
        return exchanges
    }

    /// Whether anybody wants to know what becomes of requests.
    var isObserved: Bool { observers.areActive || configuration.logger != nil }

    /// Says what became of a request.
    func observe(_ exchange: ObservedExchange) {
        observers.tell(exchange)
        let level: Logger.Level = exchange.source == .nothing ? .warning : .debug
        guard let logger = configuration.logger, logger.logLevel <= level else { return }
        let shown = exchange.shown(by: archives.messages)
        logger.log(level: level, "\(shown)", metadata: ["interceptor": .string(name)])
        logger.trace("\(shown.request.curlCommand())", metadata: ["interceptor": .string(name)])
    }
}
