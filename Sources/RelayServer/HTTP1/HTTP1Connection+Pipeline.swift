#if Server
    import NIOCore
    import NIOHTTP1

    extension ChannelPipeline.SynchronousOperations {
        /// Adds the handlers of an HTTP/1 connection.
        func addHTTP1(to state: ServerState, for destination: ServedRequest.Destination) throws {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = state.limits.headerSize
            limits.maxHeaderListSize = state.limits.headerSize
            let received = ReceivedBytes()
            let decoder = HTTPRequestDecoder(
                leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
            try addHandlers([
                received, ByteToMessageHandler(decoder),
                HTTP1Connection(to: state, for: destination, received: received),
            ])
        }
    }
#endif
