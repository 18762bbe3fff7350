import HTTPArchive

/// The normalized host and port of a URL, used to recognize the hosts of an interceptor.
///
/// The port is significant only for this machine, because each local port can belong to a different program. For all
/// other hosts, ports are ignored. The addresses `127.0.0.1` and `[::1]` are equivalent to the name `localhost`.
package struct RequestHost: Hashable, Sendable {
    /// The lowercase name without a trailing dot; `localhost` for the addresses `127.0.0.1` and `[::1]`.
    let name: String

    /// The port on this machine; nil for ports 80 and 443, and for all other hosts.
    let port: Int?

    /// Creates the host of a URL, or returns nil if the URL has no host.
    ///
    /// - Parameter url: The URL as text. A URL without a scheme must start with the host.
    package init?(of url: String) {
        let url = LiteralURL(url)
        self.init(url.normalizedHost, port: url.port.flatMap { Int($0) })
    }

    /// Creates a host from a name and a port, or returns nil if the name is empty.
    ///
    /// - Parameters:
    ///   - host: The name, as written in a URL.
    ///   - port: The port, or nil for the default port.
    init?(_ host: String, port: Int?) {
        let name = Self.normalizedName(host)
        guard !name.isEmpty else { return nil }
        self.name = name
        self.port = Self.isLoopback(name) && port != 80 && port != 443 ? port : nil
    }

    /// Whether the host is this machine (RFC 6761, section 6.3, https://www.rfc-editor.org/rfc/rfc6761#section-6.3;
    /// RFC 1122, section 3.2.1.3, https://www.rfc-editor.org/rfc/rfc1122#page-30).
    package var isLoopback: Bool { Self.isLoopback(name) }

    /// Returns the normalized name of a host.
    static func normalizedName(_ host: String) -> String {
        var name = host
        if !host.utf8.allSatisfy(ByteSet.normalHost.contains) {
            name = LiteralURL.normalized(host: PercentEncoding.decoded(host[...].utf8)[...])
        }
        if name.hasSuffix(".") { name.removeLast() }
        return ["127.0.0.1", "[::1]"].contains(name) ? "localhost" : name
    }

    private static func isLoopback(_ name: String) -> Bool {
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        let numbers = name.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.first == "127"
            && numbers.allSatisfy { number in
                number.utf8.allSatisfy { 0x30...0x39 ~= $0 } && UInt8(number) != nil
            }
    }
}

extension RequestHost: CustomStringConvertible {
    /// The name with the port, such as `api.example.com` or `localhost:8080`.
    package var description: String { name + (port.map { ":\($0)" } ?? "") }
}
