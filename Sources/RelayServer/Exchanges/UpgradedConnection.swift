#if Server
    import NIOCore

    /// A connection to a client that carries another protocol.
    final class UpgradedConnection: ServedConnection {
        var handler: (any UpgradedHandler)?

        /// Prepares a connection.
        init(_ handler: (any UpgradedHandler)? = nil) { self.handler = handler }

        // The oldest one is replaced if there are too many connections.
        var isReplaceable: Bool { true }

        var lastProgress: NIODeadline { handler?.lastProgress ?? .now() }

        func close(because _: String?) { handler?.close() }

        func drain() { handler?.close() }

        func checkTime(_ now: NIODeadline) { handler?.checkTime(now) }
    }
#endif
