#if AsyncHTTPClient
    public import AsyncHTTPClient
    import Foundation
    import NIOSSL
    public import RelayCore
    public import RelayServer

    extension HTTPClient.Configuration {
        /// Returns a copy with which a client sends all requests to a server.
        ///
        /// The server is the proxy of the client, so the code under test uses the URLs of the real services. For HTTPS,
        /// the client trusts only the server's authority.
        ///
        /// ```swift
        /// try await interceptor.serve { server in
        ///     let configuration = try HTTPClient.Configuration().served(by: server)
        ///     …
        /// }
        /// ```
        ///
        /// `HTTPClient.shared` has a fixed configuration, so requests of that client cannot be intercepted.
        ///
        /// - Parameter server: The running server.
        /// - Returns: The copy.
        /// - Throws: `invalidSetting` if the certificate of the server's authority is not valid.
        public func served(by server: RelayServer) throws(RelayError) -> HTTPClient.Configuration {
            var configuration = self
            configuration.proxy = .server(host: server.url.host() ?? "127.0.0.1", port: server.url.port ?? 80)
            guard let authority = server.authority else { return configuration }
            var tls = tlsConfiguration ?? .makeClientConfiguration()
            do {
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.certificate.utf8)))
            } catch {
                throw RelayError(
                    .invalidSetting,
                    "The certificate of the server's authority is not valid. Create another authority.",
                    underlying: error)
            }
            configuration.tlsConfiguration = tls
            return configuration
        }
    }

    extension Interceptor {
        /// Runs an operation with an HTTP client whose requests this interceptor answers.
        ///
        /// ```swift
        /// try await interceptor.withHTTPClient { client in
        ///     let request = HTTPClientRequest(url: "https://api.example.com/")
        ///     let response = try await client.execute(request, timeout: .seconds(5))
        ///     #expect(response.status == .ok)
        /// }
        /// ```
        ///
        /// A request without a matching rule or entry gets the response of a miss. If the interceptor records, the request
        /// is sent to the network and recorded. The client and its server end with
        /// the operation.
        ///
        /// - Parameters:
        ///   - configuration: The settings of the client, whose proxy and trust roots are replaced; defaults if omitted.
        ///   - server: The settings of the server; defaults if omitted.
        ///   - isolation: The actor that calls this method.
        ///   - operation: The operation.
        /// - Returns: The result of the operation.
        /// - Throws: `invalidSetting` if the server cannot start, or the error of the operation.
        public func withHTTPClient<Result>(
            configuration: HTTPClient.Configuration = .init(), server: RelayServer.Configuration = .init(),
            isolation: isolated (any Actor)? = #isolation, _ operation: (HTTPClient) async throws -> Result
        ) async throws -> Result {
            try await serve(configuration: server) { server in
                let client = HTTPClient(configuration: try configuration.served(by: server))
                do {
                    let result = try await operation(client)
                    try await client.shutdown()
                    return result
                } catch {
                    try? await client.shutdown()
                    throw error
                }
            }
        }
    }
#endif
