package import Foundation
package import HTTPArchive
import Synchronization

/// A request that was sent to the network, and its response, as passed to the recorder.
///
/// A redirect and the request after it are separate exchanges.
package struct CapturedExchange: Sendable {
    /// The status line and header section of a response.
    package struct Head: Sendable {
        /// The status code.
        package var status: Int

        /// The reason phrase; empty in HTTP/2 and later.
        package var statusText: String

        /// The header fields as received, including repeated fields.
        package var headers: [HeaderField]

        /// Creates a head.
        package init(status: Int, statusText: String = "", headers: [HeaderField]) {
            self.status = status
            self.statusText = statusText
            self.headers = headers
        }
    }

    /// The protocol version, addresses, and sizes in bytes of an exchange on the wire; nil if unknown.
    package struct Wire: Sendable {
        /// The version of the protocol, such as `HTTP/1.1` or `HTTP/2`.
        package var httpVersion: String?

        /// The size of the request's header section.
        package var requestHeadersSize: Int?

        /// The size of the request's body.
        package var requestBodySize: Int?

        /// The size of the response's header section.
        package var responseHeadersSize: Int?

        /// The size of the response's body before content codings were decoded.
        package var responseBodySize: Int?

        /// The address of the server, such as `127.0.0.1`.
        package var serverIPAddress: String?

        /// The local port, which identifies the connection within the process.
        package var connection: String?

        /// Creates a value in which all properties except the protocol version are unknown.
        package init(httpVersion: String? = nil) { self.httpVersion = httpVersion }
    }

    /// The durations of the phases in milliseconds, as defined by HAR 1.2
    /// (http://www.softwareishard.com/blog/har-12-spec/#timings); nil if unknown or skipped.
    package struct Timings: Sendable {
        package var blocked: Double?
        package var dns: Double?
        package var connect: Double?
        package var send: Double?
        package var wait: Double?
        package var receive: Double?

        /// The duration of the TLS handshake, which is part of ``connect``.
        package var ssl: Double?

        /// Creates timings.
        package init(
            blocked: Double? = nil, dns: Double? = nil, connect: Double? = nil, send: Double? = nil,
            wait: Double? = nil, receive: Double? = nil, ssl: Double? = nil
        ) {
            self.blocked = blocked
            self.dns = dns
            self.connect = connect
            self.send = send
            self.wait = wait
            self.receive = receive
            self.ssl = ssl
        }
    }

    /// The request as sent, including the header fields added by the HTTP client and the URL after routing.
    package var request: InterceptedRequest

    /// The time at which the request started.
    package var start: Date

    /// The head of the response, or nil if no response was received.
    package var head: Head?

    /// The URL of the response if a session followed redirects, or nil if it is the URL of the request.
    package var clientURL: String?

    /// The part of the body received so far, after content and transfer codings were decoded.
    package var body: SpooledBody

    /// The error that ended the exchange, or nil if the exchange is complete.
    package var error: (any Error)?

    /// The durations of the phases.
    package var timings = Timings()

    /// The sizes and addresses on the wire.
    package var wire = Wire()

    /// A note for readers of the archive about missing information; nil by default.
    package var comment: String?

    /// The values of custom fields of the entry, by name; empty by default.
    package var customFields: [String: JSONValue] = [:]
}

extension CapturedExchange {
    /// Creates an exchange without a response.
    package init(request: InterceptedRequest, start: Date, body: SpooledBody) {
        self.init(request: request, start: start, head: nil, body: body)
    }

    /// The approximate number of bytes to redact and write, without custom fields.
    package var byteCount: Int {
        request.byteCount + body.count + (head?.headers.byteCount ?? 0)
    }
}

extension [HeaderField] {
    /// The number of bytes of the names and values.
    package var byteCount: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }
}

/// A receiver of finished network exchanges, independent of the delivery of responses to clients.
package struct ExchangeReceiver: Sendable {
    /// The queue on which `receive` is called.
    let queue: BackgroundQueue

    /// A closure to call when the exchange has ended and its remaining work is done or queued for the last time; empty by
    /// default.
    var end: @Sendable () -> Void = {}

    /// A closure to call on the queue with the exchange, the size of the work, and the maximum number of bytes to
    /// decompress.
    ///
    /// It returns false if that is not enough, and is then called again with a larger number.
    let receive: @Sendable (CapturedExchange, WorkSize, _ limit: Int) -> Bool

    /// A closure that writes the exchanges of a size that ``receive`` was called with, or nil (the default) if it has
    /// done so.
    var commit: (@Sendable (WorkSize) -> Void)?

    /// Queues a finished exchange.
    ///
    /// Call this method once per exchange. It does not block the calling thread. If too many exchanges are waiting,
    /// later requests are delayed and bodies are moved to a file.
    ///
    /// - Parameters:
    ///   - body: The body of the response; empty by default.
    ///   - requestSize: The size of the request's body, in bytes; 0 by default.
    ///   - group: The group of the exchange if it is from a client of a server, such as its destination; 0 by default.
    ///   - weight: The number of bytes to redact and write, if the request is from a client of a server, which waits only
    ///     for exchanges of about the same size; nil by default.
    ///   - fields: The header fields with the content codings of the body, which is then decoded; none by default.
    ///   - isRecorded: A closure that is called on the queue after the exchange was recorded; empty by default.
    ///   - exchange: A closure that creates the exchange from the body. It is called on the queue.
    package func take(
        _ body: SpooledBody = SpooledBody(), requestSize: Int = 0, group: Int = 0, weight: Int? = nil,
        codedBy fields: [HeaderField] = [], then isRecorded: @escaping @Sendable () -> Void = {},
        _ exchange: @escaping @Sendable (SpooledBody) -> CapturedExchange
    ) {
        var body = body
        if !queue.hasRoom(for: body.memorySize + requestSize) { body.moveToFile() }
        let size = body.memorySize + requestSize
        if let weight, !fields.isEmpty {
            // Most bodies are smaller than this after decoding.
            let limit = Self.usualRatio * weight
            return decode(body, size, codedBy: fields, in: group, upTo: limit) { [self, body] decoded in
                take(
                    decoded, requestSize: requestSize, group: group, weight: weight - body.count + decoded.count,
                    then: isRecorded, exchange)
            }
        }
        // Small text can be compressed text that is many times larger. Then, the exchange is received again.
        let limit = weight.map { WorkSize($0) == .unlimited ? .max : $0 } ?? .max
        let isReceived = Atomic(false)
        let lane = WorkSize(weight ?? 0)
        queue.append(
            size: size, group: group, weight: weight,
            { [receive, body] in isReceived.store(receive(exchange(body), lane, limit), ordering: .relaxed) },
            committingBy: commit.map { commit in { @Sendable in commit(lane) } }
        ) { [self, body] in
            guard isReceived.load(ordering: .relaxed) || limit == .max else {
                let weight = Self.usualRatio * limit
                return take(
                    body, requestSize: requestSize, group: group, weight: weight, then: isRecorded, exchange)
            }
            isRecorded()
            if limit < .max { end() }
        }
        if limit == .max { end() }
    }

    /// Decodes a body on the queue, and then calls a closure.
    ///
    /// A body that is larger than the limit is decoded among the largest exchanges, so that it does not delay others.
    private func decode(
        _ body: SpooledBody, _ size: Int, codedBy fields: [HeaderField], in group: Int, upTo limit: Int,
        then next: @escaping @Sendable (SpooledBody) -> Void
    ) {
        queue.append(size: size, group: group, weight: limit) { [self] in
            if let decoded = body.decoded(by: fields, upTo: limit) { return next(decoded) }
            decode(body, size, codedBy: fields, in: group, upTo: ContentCoding.greatestSize, then: next)
        }
    }

    /// The least weight of an exchange whose client has left, so that others do not wait for it, in bytes.
    package static let unawaitedWeight = WorkSize.medium.limit + 1

    /// The usual ratio between the sizes of a body after and before decoding.
    private static let usualRatio = 16
}
