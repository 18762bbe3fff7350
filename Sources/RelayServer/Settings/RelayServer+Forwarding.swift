#if Server
    public import Foundation

    extension RelayServer {
        /// The settings of a server that sends requests to the network.
        public struct Forwarding: Sendable {
            /// The hosts whose certificates are not verified, such as `localhost`; none by default.
            public var insecureHosts: Set<String> = []

            /// Files with the certificates of authorities in PEM format, which are trusted in addition to the system's
            /// authorities; none by default.
            public var authorities: [URL] = []

            /// The hosts whose connections are passed on unchanged and not recorded, including their subdomains, such as
            /// `bank.example`; none by default.
            ///
            /// The server makes no certificate for them, and applies no rules.
            public var passThroughHosts: Set<String> = []

            /// The secret that clients must send to a server on other addresses than loopback addresses, or nil (the
            /// default) for such addresses only.
            ///
            /// Clients send it as the password of the proxy, with any name.
            public var token: String?

            /// The time in which a connection must be established; 30 seconds by default.
            public var connectTime = Duration.seconds(30)

            /// Creates the default settings.
            public init() {}
        }
    }
#endif
