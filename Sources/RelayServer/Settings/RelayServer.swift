#if Server
    public import Foundation
    import NIOCore
    import RelayCore

    /// An HTTP server that responds from an interceptor's archives and rules.
    ///
    /// Any HTTP client can use it: by its address, which stands for a recorded origin (``mappedOrigin``), by a `Host`
    /// field that names a recorded host, or as an HTTP proxy. It never sends a request to the network.
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
#endif
