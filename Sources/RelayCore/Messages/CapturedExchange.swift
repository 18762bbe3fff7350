package import Foundation
import HTTPArchive

/// A request that went to the network and its response, as the recorder receives it.
///
/// A redirect is one exchange, and the request that follows it is another one.
package struct CapturedExchange: Sendable {
    /// The part of a response before its body.
    package struct Head: Sendable {
        /// The status code.
        package var status: Int

        /// The reason phrase; empty with HTTP/2 and later.
        package var statusText: String

        /// The header fields as received, repeated ones included.
        package var headers: [HeaderField]

        /// Creates a head.
        package init(status: Int, statusText: String = "", headers: [HeaderField]) {
            self.status = status
            self.statusText = statusText
            self.headers = headers
        }
    }

    /// The sizes in bytes and the addresses of an exchange on the wire; nil if unknown.
    package struct Wire: Sendable {
        /// The version of the protocol, such as `HTTP/1.1` or `HTTP/2`.
        package var httpVersion: String?

        /// The size of the request's header section.
        package var requestHeadersSize: Int?

        /// The size of the request's body.
        package var requestBodySize: Int?

        /// The size of the response's header section.
        package var responseHeadersSize: Int?

        /// The size of the response's body before its content codings were decoded.
        package var responseBodySize: Int?

        /// The address of the server, such as `127.0.0.1`.
        package var serverIPAddress: String?

        /// The local port, which identifies the connection among those of the process.
        package var connection: String?

        /// Creates facts that are unknown but for the version of the protocol.
        package init(httpVersion: String? = nil) { self.httpVersion = httpVersion }
    }

    /// The times of the phases in milliseconds, as HAR 1.2 defines them
    /// (http://www.softwareishard.com/blog/har-12-spec/#timings); nil if unknown or skipped.
    package struct Timings: Sendable {
        package var blocked: Double?
        package var dns: Double?
        package var connect: Double?
        package var send: Double?
        package var wait: Double?
        package var receive: Double?

        /// A part of ``connect``.
        package var ssl: Double?

        /// Creates times.
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

    /// The request as sent, with the fields that the network added and the URL that it was routed to.
    package var request: InterceptedRequest

    /// The start of the request.
    package var start: Date

    /// The head of the response, or nil if none was received.
    package var head: Head?

    /// The URL of the response if a session followed redirects, or nil for the URL of the request.
    package var clientURL: String?

    /// The body as far as it was received, without content and transfer codings.
    package var body: SpooledBody

    /// The error that ended the exchange, or nil if it is complete.
    package var error: (any Error)?

    /// The times of the phases.
    package var timings = Timings()

    /// The sizes and addresses on the wire.
    package var wire = Wire()

    /// Creates an exchange.
    package init(
        request: InterceptedRequest, start: Date, head: Head? = nil, clientURL: String? = nil, body: SpooledBody,
        error: (any Error)? = nil, timings: Timings = Timings(), wire: Wire = Wire()
    ) {
        self.request = request
        self.start = start
        self.head = head
        self.clientURL = clientURL
        self.body = body
        self.error = error
        self.timings = timings
        self.wire = wire
    }
}

/// Who is given an exchange with the network once it is over, beside the way of its answer to the caller.
package struct ExchangeReceiver: Sendable {
    /// Where all is done with the exchange that its caller does not wait for.
    package let queue: BackgroundQueue

    private let end: @Sendable () -> Void
    private let receive: @Sendable (CapturedExchange) -> Void

    /// Makes a receiver.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - end: Is called where the exchange ends, when what is left to be done is in the queue; does nothing by default.
    ///   - receive: Is given the exchange, in the queue.
    init(
        in queue: BackgroundQueue, end: @escaping @Sendable () -> Void = {},
        receive: @escaping @Sendable (CapturedExchange) -> Void
    ) {
        self.queue = queue
        self.end = end
        self.receive = receive
    }

    /// Gives it an exchange that has ended; to be called once.
    ///
    /// - Parameter exchange: Makes the exchange, in the queue.
    package func take(_ exchange: @escaping @Sendable () -> CapturedExchange) {
        queue.append { [receive] in receive(exchange()) }
        end()
    }
}
