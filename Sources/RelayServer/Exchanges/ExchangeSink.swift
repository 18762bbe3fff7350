#if Server
    import NIOCore

    /// The connection or stream that an exchange sends its response to.
    ///
    /// All members are used on the server's event loop. Each exchange ends with one call of ``send(_:)``,
    /// ``sendEnd()`` or ``fail(_:)``.
    protocol ExchangeSink: AnyObject {
        /// Whether the client reads fast enough for more data.
        var isWritable: Bool { get }

        /// Sends a complete response.
        func send(_ response: ServedResponse)

        /// Sends a head, and then the body with the other functions.
        func sendHead(_ response: ServedResponse)

        /// Sends the next chunk of the body.
        func sendBody(_ bytes: ByteBuffer)

        /// Ends the body.
        func sendEnd()

        /// Ends the exchange without the rest of the response.
        func fail(_ failure: ConnectionFailure)
    }
#endif
