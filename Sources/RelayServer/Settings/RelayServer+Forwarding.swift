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

            /// The time in which a connection must be established; 30 seconds by default.
            public var connectTime = Duration.seconds(30)

            /// Creates the default settings.
            public init() {}
        }
    }
#endif
