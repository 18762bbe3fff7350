extension LiteralURL {
    /// The lowercase ASCII form of the host, including the brackets of an IPv6 address.
    package var normalizedHost: String { Self.normalized(host: host) }

    /// Returns the lowercase ASCII form of a host, which may include a port.
    package static func normalized(host: Substring) -> String {
        let isPlain = host.utf8.count > 255 || host.utf8.allSatisfy { $0 < 0x80 }
        return isPlain ? host.lowercased() : String(LiteralURL(NormalizedURL("ws://\(host)").origin).authority)
    }
}
