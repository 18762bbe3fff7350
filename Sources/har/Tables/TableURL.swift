import HTTPArchive

/// The components of a URL in a table.
struct TableURL {
    /// The scheme in lowercase, or nil if the text has no scheme.
    let scheme: String?

    /// The host in lowercase, without the port; nil for a URL without a host, such as `data:,`.
    let host: String?

    /// The port, or the default port of the scheme; nil if neither is known.
    let port: Int?

    /// The path as written, or nil for a URL without a host.
    let path: String?

    /// The query without its question mark, or nil if the URL has no question mark or no host.
    let query: String?

    /// Splits a URL into its components.
    ///
    /// - Parameter text: Any text.
    init(_ text: String) {
        let url = LiteralURL(text)
        guard let written = url.scheme, url.hasHost else {
            scheme = LiteralURL.scheme(of: text)?.lowercased()
            host = nil
            port = nil
            path = nil
            query = nil
            return
        }
        let scheme = written.lowercased()
        self.scheme = scheme
        host = url.normalizedHost
        // WebSockets use the ports of HTTP (RFC 6455, section 3).
        let isDefault = url.port?.isEmpty ?? true
        let known = isDefault ? LiteralURL.defaultPort(of: ["ws": "http", "wss": "https"][scheme] ?? scheme) : nil
        port = known ?? url.effectivePort.flatMap { 0...65535 ~= $0 ? $0 : nil }
        path = url.pathOfHost.map { String($0) }
        query = url.queryOfHost.map { String($0) }
    }
}
