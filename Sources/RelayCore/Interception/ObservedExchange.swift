import Foundation
package import HTTPArchive

/// A finished request: its result, its duration, and the source of its response.
///
/// In a chain of redirects, each request is a separate exchange.
public struct ObservedExchange: Sendable {
    /// The source of a response.
    public enum Source: Hashable, Sendable {
        /// An archive entry: the name of the archive and the entry index.
        case archive(name: String, entry: Int)

        /// A stub, with the pattern of its rule.
        case stub(String)

        /// The network.
        case network

        /// The request has no source, for example because no rule or entry matches it.
        case nothing
    }

    /// The original request.
    public let request: InterceptedRequest

    /// The source of the response.
    public let source: Source

    /// The status of the response, or the error.
    public let result: Result<Int, any Error>

    /// The number of body bytes delivered.
    public let bodySize: Int

    /// The time from the interception of the request to the end of the response.
    public let duration: Duration

    /// The custom fields of an entry with the exchange, such as the messages of a WebSocket connection.
    package var customFields: [String: JSONValue] = [:]

    /// The URL of the request without secrets, for messages.
    package var maskedURL: String { MessageText.url(request.url) }

    /// Creates a value that describes a finished exchange.
    package init(
        request: InterceptedRequest, source: Source, result: Result<Int, any Error>, bodySize: Int, duration: Duration
    ) {
        self.request = request
        self.source = source
        self.result = result
        self.bodySize = bodySize
        self.duration = duration
    }

    /// The exchange with only the method and the URL of the request, which take little memory.
    package var withoutContent: ObservedExchange {
        ObservedExchange(
            request: InterceptedRequest(method: request.method, url: request.url), source: source, result: result,
            bodySize: bodySize, duration: duration)
    }

    /// Returns the exchange with the request redacted for messages.
    func shown(by messages: MessageRedaction) -> ObservedExchange {
        ObservedExchange(
            request: messages.request(request), source: source, result: result, bodySize: bodySize, duration: duration)
    }
}

extension ObservedExchange.Source: CustomStringConvertible {
    /// A description such as `shop.har, entry 4`.
    public var description: String {
        switch self {
        case .archive(let name, let entry): "\(name), entry \(entry)"
        case .stub(let pattern): "a stub for \(pattern)"
        case .network: "the network"
        case .nothing: "no source"
        }
    }
}

extension ObservedExchange: CustomStringConvertible {
    /// A one-line description without secrets, such as
    /// `GET http://a/ → 200, 12 bytes from shop.har, entry 4, in 0.003 s`.
    public var description: String {
        let outcome =
            switch result {
            case .success(let status): "\(status), \(MessageText.bytes(bodySize))"
            case .failure(let error): "\(type(of: error)) \((error as NSError).code)"
            }
        let time = duration.formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow))
        return "\(request.method) \(MessageText.line(maskedURL, width: 500)) → \(outcome) from \(source), in \(time)"
    }
}

extension Interceptor {
    /// A stream of all exchanges that end after the stream is created.
    ///
    /// Each access creates a separate stream. The stream ends when the interceptor is stopped or deallocated. It
    /// buffers at most 10,000 exchanges. If it is read too slowly, the oldest exchanges are discarded.
    ///
    /// ```swift
    /// for await exchange in interceptor.exchanges { print(exchange) }
    /// ```
    public var exchanges: AsyncStream<ObservedExchange> {
        let exchanges = observers.makeStream(bufferSize: 10_000)
        if isStopped { observers.finish() }
        return exchanges
    }

    /// Logs a warning that does not concern a particular exchange.
    package func warn(_ message: String) {
        configuration.log?.log(message, at: .warning, of: name)
    }

    /// Reports a finished exchange to streams and the log.
    package func observe(_ exchange: ObservedExchange) {
        observers.tell(exchange)
        let level: InterceptorLogLevel = exchange.source == .nothing ? .warning : .debug
        guard let log = configuration.log, log.includes(level) else { return }
        let messages = archives.messages
        log.log("\(exchange.withoutContent.shown(by: messages))", at: level, of: name)
        // Redacting a large body takes long.
        guard log.includes(.trace) else { return }
        log.log(exchange.shown(by: messages).request.curlCommand(), at: .trace, of: name)
    }
}
