import Foundation
import HTTPArchive
import Logging
import Synchronization

/// What became of one request: what was asked, where the answer came from, and how long it took.
///
/// A request that was redirected is an exchange, and each request that follows is another one.
public struct ObservedExchange: Sendable {
    /// Where the answer to a request came from.
    public enum Source: Hashable, Sendable {
        /// An archive, with the place of the entry in it, counted from 0.
        case archive(name: String, entry: Int)

        /// Code, of the rule with that pattern.
        case stub(String)

        /// The network.
        case network

        /// Nowhere: no rule and no entry is for the request.
        case nothing
    }

    /// The request as it was made.
    public let request: InterceptedRequest

    /// Where the answer came from.
    public let source: Source

    /// The status of the response, or the error in its place.
    public let result: Result<Int, any Error>

    /// The number of bytes of the body that were delivered.
    public let bodySize: Int

    /// The time from when the request was seen to the end of its answer.
    public let duration: Duration

    /// The URL of the request without secrets, for messages.
    package var maskedURL: String { SecretNames.masked(url: request.url) }

    /// Creates a description of an exchange that has ended.
    package init(
        request: InterceptedRequest, source: Source, result: Result<Int, any Error>, bodySize: Int, duration: Duration
    ) {
        self.request = request
        self.source = source
        self.result = result
        self.bodySize = bodySize
        self.duration = duration
    }

    /// The exchange with its request as messages show it.
    func shown(by messages: MessageRedaction) -> ObservedExchange {
        ObservedExchange(
            request: messages.shown(request), source: source, result: result, bodySize: bodySize, duration: duration)
    }
}

extension ObservedExchange.Source: CustomStringConvertible {
    /// Such as `shop.har, entry 4`.
    public var description: String {
        switch self {
        case .archive(let name, let entry): "\(name), entry \(entry)"
        case .stub(let pattern): "a stub for \(pattern)"
        case .network: "the network"
        case .nothing: "nothing"
        }
    }
}

extension ObservedExchange: CustomStringConvertible {
    /// A line without secrets, such as `GET http://a/ → 200, 12 bytes from shop.har, entry 4, in 0.003 s`.
    public var description: String {
        let outcome =
            switch result {
            case .success(let status): "\(status), \(bodySize) bytes"
            case .failure(let error): "\(type(of: error)) \((error as NSError).code)"
            }
        let time = duration.formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow))
        return "\(request.method) \(maskedURL) → \(outcome) from \(source), in \(time)"
    }
}

/// Who is told what becomes of requests.
final class Observers: Sendable {
    private struct State {
        var last = 0
        var continuations: [Int: AsyncStream<ObservedExchange>.Continuation] = [:]
    }

    private let state = Mutex(State())
    private let count = Atomic(0)

    /// Whether there is anybody; takes no lock.
    var areActive: Bool { count.load(ordering: .relaxed) > 0 }

    /// Makes a stream of all exchanges that end from now on.
    func makeStream(bufferSize: Int) -> AsyncStream<ObservedExchange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ObservedExchange.self, bufferingPolicy: .bufferingNewest(bufferSize))
        let number = state.withLock { state in
            state.last += 1
            state.continuations[state.last] = continuation
            count.store(state.continuations.count, ordering: .relaxed)
            return state.last
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) {
        state.withLock { state in
            state.continuations[number] = nil
            count.store(state.continuations.count, ordering: .relaxed)
        }
    }

    /// Tells everybody.
    func tell(_ exchange: ObservedExchange) {
        let continuations = state.withLock { $0.continuations.values.map { $0 } }
        for continuation in continuations { continuation.yield(exchange) }
    }

    /// Ends all streams.
    func finish() {
        let continuations = state.withLock { $0.continuations.values.map { $0 } }
        for continuation in continuations { continuation.finish() }
    }
}

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
    package var isObserved: Bool { observers.areActive || configuration.logger != nil }

    /// Says what became of a request.
    package func observe(_ exchange: ObservedExchange) {
        observers.tell(exchange)
        let level: Logger.Level = exchange.source == .nothing ? .warning : .debug
        guard let logger = configuration.logger, logger.logLevel <= level else { return }
        let shown = exchange.shown(by: archives.messages)
        logger.log(level: level, "\(shown)", metadata: ["interceptor": .string(name)])
        logger.trace("\(shown.request.curlCommand())", metadata: ["interceptor": .string(name)])
    }
}
