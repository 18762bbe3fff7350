#if Server
    public import RelayCore

    extension Interceptor {
        /// Runs an operation with a server that responds from this interceptor.
        ///
        /// ```swift
        /// try await interceptor.serve { server in
        ///     let client = ShopClient(baseURL: server.url)
        ///     try await #expect(client.items().count == 3)
        /// }
        /// ```
        ///
        /// Any number of servers can run at the same time, each on a separate port.
        ///
        /// - Parameters:
        ///   - configuration: The settings of the server; defaults if omitted.
        ///   - isolation: The actor that calls this method.
        ///   - operation: The operation.
        /// - Returns: The result of the operation.
        /// - Throws: `invalidSetting` if the server cannot start, or the error of the operation.
        public func serve<Result>(
            configuration: RelayServer.Configuration = .init(),
            isolation: isolated (any Actor)? = #isolation,
            _ operation: (RelayServer) async throws -> Result
        ) async throws -> Result {
            let server = try await RelayServer.start(self, configuration: configuration)
            do {
                let result = try await operation(server)
                await server.stop(within: .zero)
                return result
            } catch {
                await server.stop(within: .zero)
                throw error
            }
        }
    }
#endif
