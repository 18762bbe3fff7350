#if Server
    import HTTPArchive
    import NIOCore
    import NIOHTTP1

    /// The steps of a CONNECT request (https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6).
    extension HTTP1Connection {
        /// Returns the authority that a request wants a tunnel to.
        func tunnelAuthority(of head: HTTPRequestHead) throws(Rejection) -> String {
            guard case .server = destination else { throw Rejection(501, "a tunnel within a tunnel") }
            var head = head
            try server.authorize(&head)
            _ = try ServedRequest.host(of: head)
            let url = LiteralURL("http://\(head.uri)")
            let isAddress = url.host.hasPrefix("[") && url.host.hasSuffix("]")
            let port = url.port.flatMap { Int($0) } ?? 0
            guard Origins.isHost(head.uri), isAddress || !url.host.contains(":"), 1...65535 ~= port else {
                throw Rejection(400, "a CONNECT target other than a host and a port")
            }
            return head.uri
        }

        /// Replaces the handlers of this connection with a tunnel that ends at the server.
        func openTunnel(to authority: String) {
            replaceHandlers(
                with: ConnectionSetup(to: server, tunnel: authority),
                after: ByteBuffer(string: "HTTP/1.1 200 Connection Established\r\n\r\n"))
        }

        /// Sends the last bytes of HTTP/1, and replaces the handlers of this connection.
        ///
        /// - Returns: Whether the handler was added, which it is not if the client has left.
        @discardableResult
        func replaceHandlers(with handler: any ChannelInboundHandler, after bytes: ByteBuffer) -> Bool {
            guard let context else { return false }
            let pipeline = context.pipeline.syncOperations
            phase = .closing(since: .now())
            prepare(bytes)
            flushNow()
            do {
                try pipeline.addHandler(handler)
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                context.read()
                pipeline.removeHandler(context: context, promise: nil)
                // Bytes that the client has sent after the request go to the handler, and then the end of its data.
                received.isHoldingEnd = true
                pipeline.removeHandler(decoder).assumeIsolated().whenComplete { [received] _ in
                    pipeline.removeHandler(received, promise: nil)
                }
                return true
            } catch {
                context.close(promise: nil)
                return false
            }
        }
    }
#endif
