#if Server
    import HTTPArchive
    import RelayCore

    /// The origins of the recorded requests, and the origin that the server's own address stands for.
    struct Origins: Sendable {
        /// The origin that requests to the server's address are mapped to, such as `https://api.example.com`, or nil.
        let mapped: String?

        /// The server's own hosts, besides loopback addresses.
        ///
        /// Other names are not mapped. Otherwise, a web page could direct its own name to the address of the server,
        /// and read the archive.
        private let hosts: Set<RequestHost>

        private let recorded: Set<String>

        /// The hosts in ``recorded``, in ``mapped`` and in ``hosts``.
        private let known: Set<RequestHost>

        /// The maximum number of recorded origins to distinguish.
        private static let limit = 10_000

        /// Reads the origins of an interceptor's archives.
        ///
        /// - Parameters:
        ///   - interceptor: The interceptor.
        ///   - mapped: The host or origin for requests to the server's address, or nil for the origin of the first
        ///     entry.
        ///   - hosts: The names and addresses of the server, besides loopback addresses.
        /// - Throws: `invalidSetting` if `mapped` is not a host or an origin.
        init(of interceptor: Interceptor, mapping mapped: String?, hosts: [String]) throws(RelayError) {
            let origins = interceptor.recordedOrigins(limit: Self.limit)
            recorded = Set(origins)
            self.hosts = Set(hosts.compactMap { RequestHost(of: "http://\($0)") })
            let mapped =
                try mapped.map { text throws(RelayError) in try Self.origin(text, in: origins) } ?? origins.first
            self.mapped = mapped
            known = self.hosts.union((origins + [mapped].compactMap { $0 }).compactMap { RequestHost(of: $0) })
        }

        /// Returns whether a host without a port is recorded, or is the server's.
        func knows(_ host: String) -> Bool {
            guard let host = RequestHost(of: "https://\(host)") else { return false }
            return host.isLoopback || known.contains(host)
        }

        /// Returns the origin that a user names: with a scheme, or a host for which a recorded scheme is preferred.
        private static func origin(_ text: String, in origins: [String]) throws(RelayError) -> String {
            if LiteralURL(text).scheme != nil {
                let url = NormalizedURL(text)
                guard url.isHTTP, !LiteralURL(url.origin).host.isEmpty, url.path == "/", url.query == nil else {
                    throw invalid(text)
                }
                return url.origin
            }
            guard isHost(text) else { throw invalid(text) }
            let candidates = ["https", "http"].map { NormalizedURL("\($0)://\(text)").origin }
            if let recorded = candidates.first(where: origins.contains) { return recorded }
            // A host without a port has its recorded port.
            let host = LiteralURL(candidates[0]).host
            let isAnyPort = LiteralURL("http://\(text)").port == nil
            return origins.first { isAnyPort && LiteralURL($0).host == host } ?? candidates[0]
        }

        private static func invalid(_ text: String) -> RelayError {
            RelayError(
                .invalidSetting,
                """
                Expected a host such as api.example.com or an origin such as https://api.example.com:8443, found \
                '\(MessageText.url(text))'.
                """)
        }

        /// Returns whether text is a host with an optional port, as in the field `Host`.
        static func isHost(_ text: String) -> Bool {
            let url = LiteralURL("http://\(text)")
            guard !text.isEmpty, url.authority == text, !url.host.isEmpty else { return false }
            let isPrintable = text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }
            let port = url.port ?? ""
            return isPrintable && port.utf8.allSatisfy { 0x30...0x39 ~= $0 } && port.utf8.count <= 5
        }

        /// Returns the origin of a request by the host that the client names.
        ///
        /// - Parameters:
        ///   - host: The value of the field `Host`, or an empty string if the field is missing.
        ///   - scheme: The scheme of the connection.
        /// - Returns: The origin, whether it differs from the address that the client knows, and whether the host is
        ///   recorded or the server's.
        func origin(ofHost host: String, scheme: String) -> (origin: String, isMapped: Bool, isOwn: Bool) {
            guard !host.isEmpty else { return (mapped ?? "\(scheme)://localhost", mapped != nil, true) }
            let own = NormalizedURL("\(scheme)://\(host)").origin
            if recorded.contains(own) { return (own, false, true) }
            let other = NormalizedURL("\(scheme == "http" ? "https" : "http")://\(host)").origin
            if recorded.contains(other) { return (other, true, true) }
            guard let name = RequestHost(of: own), name.isLoopback || hosts.contains(name) else {
                return (own, false, false)
            }
            return (mapped ?? own, mapped != nil, true)
        }
    }
#endif
