#if Server
    import NIOCore

    /// A connection to a client that carries another protocol than HTTP.
    protocol UpgradedHandler: ChannelInboundHandler {
        /// The time at which data was last received or sent.
        var lastProgress: NIODeadline { get }

        /// Closes the connection.
        func close()

        /// Closes the connection if its client is gone.
        func checkTime(_ now: NIODeadline)
    }
#endif
