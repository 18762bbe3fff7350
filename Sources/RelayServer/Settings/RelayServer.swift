#if Server
    public import Foundation
    import NIOCore
    public import RelayCore

    /// An HTTP server that responds from an interceptor's archives and rules.
    ///
    /// Any HTTP client can use it: by its address, which stands for a recorded origin (``mappedOrigin``), by a `Host`
    /// field that names a recorded host, or as an HTTP proxy. It sends a request to the network only if the interceptor
    /// records, or with ``Configuration/forwarding``.
    ///
    /// The server runs on one event loop, on which it also calls the engine.
    public final class RelayServer: Sendable {
        /// The URL of the server, such as `http://127.0.0.1:8080`, which is also the URL of the proxy.
        ///
        /// The same port accepts HTTPS, and HTTP/2 with and without TLS.
        public let url: URL

        /// The recorded origin that ``url`` stands for, or nil if the interceptor has no entries.
        public let mappedOrigin: String?

        /// The authority that clients must trust for HTTPS, or nil if the platform cannot make certificates.
        public let authority: CertificateAuthority?

        private let end: @Sendable (TimeAmount) async -> Void

        /// Creates a running server.
        ///
        /// - Parameters:
        ///   - url: The URL of the server.
        ///   - mappedOrigin: The recorded origin that the URL stands for.
        ///   - authority: The authority for HTTPS.
        ///   - end: A closure that stops the server within a time limit.
        init(
            url: URL, mappedOrigin: String?, authority: CertificateAuthority?,
            end: @escaping @Sendable (TimeAmount) async -> Void
        ) {
            self.url = url
            self.mappedOrigin = mappedOrigin
            self.authority = authority
            self.end = end
        }

        /// Stops listening, and closes all connections.
        ///
        /// Responses that are being sent continue until the time limit.
        ///
        /// - Parameter limit: The time limit; 5 seconds by default.
        public func stop(within limit: Duration = .seconds(5)) async { await end(TimeAmount(limit)) }
    }

    extension TimeAmount {
        /// Creates an amount of time, rounded to nanoseconds; at most a year.
        init(_ duration: Duration) {
            let limited = min(max(duration, .zero), .seconds(31_536_000))
            let (seconds, attoseconds) = limited.components
            self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
        }
    }

    extension RelayServer {
        /// The settings of a server.
        public struct Configuration: Sendable {
            /// The address to listen on; `127.0.0.1` by default, which only programs on this machine can reach.
            public var host = "127.0.0.1"

            /// The port, or 0 (the default) for a port chosen by the system.
            public var port = 0

            /// The recorded host or origin that the server's own address stands for, such as `api.example.com` or
            /// `https://api.example.com:8443`; the origin of the first entry by default.
            public var mappedOrigin: String?

            /// The settings for requests to the network, or nil (the default) for none.
            ///
            /// The server of an interceptor that records uses the default settings. Otherwise, it sends nothing.
            public var forwarding: Forwarding?

            /// The status of responses to requests that match no entry; 404 by default.
            public var missStatus = 404

            /// The authority for HTTPS; an authority that exists only in memory by default.
            public var authority: CertificateAuthority?

            /// The limits for clients.
            public var limits = Limits()

            /// The settings for WebSocket connections.
            public var webSockets = WebSockets()

            /// A closure that receives events on the server's event loop, which it must not block; nil by default.
            public var log: (@Sendable (Event) -> Void)?

            /// Whether ``log`` receives an event for each request; `true` by default.
            public var logsExchanges = true

            /// The gate at which requests wait for a user, or nil (the default) for none.
            package var gate: Gate?

            /// Creates the default settings.
            public init() {}
        }

        /// Returns a closure that waits until a user has decided about a request, or nil for a request that does not wait.
        ///
        /// The decision is the request, possibly edited, and its response, or nil if rules and archives determine it.
        package typealias Gate =
            @Sendable (InterceptedRequest) -> (@Sendable () async -> (request: InterceptedRequest, reply: Reply?))?

        /// The limits for clients of a server.
        ///
        /// A client that exceeds a limit receives an error response or loses its connection.
        public struct Limits: Sendable {
            /// The maximum number of connections; 1000 by default.
            ///
            /// Another connection replaces the one with the longest time since its last progress, unless that one waits
            /// for the decision about a response.
            public var connections = 1000

            /// The maximum number of requests that wait for or receive a response; 1000 by default.
            ///
            /// Another request replaces the one whose client has not read for the longest time, or else the oldest one
            /// of the HTTP/2 connection that has the most, or else the oldest one that waits for a delay. If there is
            /// none, it gets the status 503.
            public var requestsInFlight = 1000

            /// The maximum number of requests of one HTTP/2 connection that wait for or receive a response; 100 by
            /// default.
            ///
            /// It is at most half of ``requestsInFlight``, so that one client does not lock out others.
            public var requestsPerConnection = 100

            /// The number of requests that the client of an HTTP/2 connection can reset within 20 seconds before their
            /// responses are complete; 200 by default.
            ///
            /// Then the connection is closed with the error `ENHANCE_YOUR_CALM`.
            public var resets = 200

            /// The maximum size of the head of a request, in bytes; 64 KB by default.
            public var headerSize = 1 << 16

            /// The maximum size of the body of a request, in bytes; 32 MB by default.
            ///
            /// The body is kept in memory, because it is compared with the bodies in the archive. The limit also applies to
            /// responses from the network that overrides change.
            public var bodySize = 32 << 20

            /// The maximum size of the bodies of all requests, in bytes; 512 MB by default.
            ///
            /// The size includes the bodies of responses that are not read from their files. Then the largest body that is
            /// being received gets the status 503. Bodies above 64 KB leave an eighth to smaller ones, and a single body
            /// is always allowed.
            public var totalBodySize = 512 << 20

            /// The minimum rate of the body of a request, in bytes per second; 500 by default, as in Apache.
            ///
            /// It is an average over ``requestTime``: a client can pause for that time if it sends faster before. A
            /// slower body gets the status 408.
            public var bodyRate = 500

            /// The time without a request, or without progress of a response, after which a connection is closed; 60
            /// seconds by default.
            public var idleTime = Duration.seconds(60)

            /// The time in which the head of a request, and the next part of its body, must arrive; 20 seconds by default.
            public var requestTime = Duration.seconds(20)

            /// Creates the default limits.
            public init() {}

            /// The number of streams that all HTTP/2 connections can have together, also with requests that are being
            /// received.
            var streams: Int { 5 * requestsInFlight }

            /// The number of streams that an HTTP/2 connection can have at the same time.
            var concurrentStreams: Int { max(1, min(requestsPerConnection, requestsInFlight / 2)) }
        }

        /// An event at a server.
        public enum Event: Sendable {
            /// A request was handled.
            case exchange(ObservedExchange)

            /// A client violated HTTP or a limit.
            case clientError(ClientError)
        }

        /// A violation of HTTP or a limit by a client.
        public struct ClientError: Sendable, CustomStringConvertible {
            /// The address and port of the client, or nil if unknown.
            public let address: String?

            /// The violation, without any text from the request except the printable characters of a host name.
            public let reason: String

            /// The address and the violation.
            public var description: String { "\(address ?? "unknown client"): \(reason)" }
        }
    }
#endif
