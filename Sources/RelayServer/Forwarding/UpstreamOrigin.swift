#if Server
    import HTTPArchive
    import RelayCore

    /// The server that a request is sent to.
    struct UpstreamOrigin: Hashable {
        let isEncrypted: Bool

        /// The host in lowercase, without brackets.
        let host: String
        let port: Int

        /// Creates the origin of a URL, or returns nil if the URL has no valid origin.
        init?(_ url: String) {
            let literal = LiteralURL(NormalizedURL(url).origin)
            guard let scheme = literal.scheme, ["http", "https"].contains(scheme) else { return nil }
            isEncrypted = scheme == "https"
            let name = literal.host.hasPrefix("[") ? literal.host.dropFirst().dropLast() : literal.host[...]
            host = String(name)
            guard !host.isEmpty, let port = literal.port.map({ Int($0) }) ?? (isEncrypted ? 443 : 80),
                1...65535 ~= port
            else { return nil }
            self.port = port
        }
    }
#endif
