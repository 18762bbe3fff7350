#if Server
    public import Foundation
    import HTTPArchive
    import NIOCore
    import NIOPosix
    public import RelayCore

    extension Interceptor {
        /// Shows each exchange in the page of `har view --live`.
        ///
        /// ```swift
        /// let report = interceptor.report(to: page)
        /// defer { report.cancel() }
        /// ```
        ///
        /// The page shows the request, the status, the size and the duration of each exchange that ends after the call.
        /// If it cannot be reached, exchanges are not shown, and requests are not affected.
        ///
        /// - Parameter page: The address that `har view --live` printed, with its token.
        /// - Returns: The task that sends the exchanges. It ends when it is canceled, or when the interceptor is stopped.
        public func report(to page: URL) -> Task<Void, Never> {
            let exchanges = exchanges
            return Task {
                for await exchange in exchanges {
                    let entry = JSONValue.object(HAR.Entry(exchange).fields)
                    // The page is a convenience.
                    try? await Self.post(entry.data(layout: .compact), to: page.appending(path: "api/1/exchanges"))
                }
            }
        }

        /// Sends JSON to the server of a page on this machine, and waits until it closes the connection.
        private static func post(_ body: Data, to url: URL) async throws {
            guard let host = url.host(), let port = url.port, RequestHost(of: url.absoluteString)?.isLoopback == true
            else { return }
            let head = """
                POST \(url.path()) HTTP/1.1\r
                Host: \(host):\(port)\r
                Content-Type: application/json\r
                Content-Length: \(body.count)\r
                Connection: close\r
                \r

                """
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.seconds(2)).connect(host: host, port: port).get()
            try await channel.writeAndFlush(ByteBuffer(bytes: Data(head.utf8) + body)).get()
            let limit = channel.eventLoop.scheduleTask(in: .seconds(5)) { channel.close(promise: nil) }
            try await channel.closeFuture.get()
            limit.cancel()
        }
    }
#endif
