extension LiteralURL {
    /// The host in lowercase and in its ASCII form, including the brackets of an IPv6 address.
    package var normalizedHost: String { Self.normalized(host: host) }

    /// Returns a host, with or without a port, in lowercase and in its ASCII form.
    package static func normalized(host: Substring) -> String {
        let isPlain = host.utf8.count > 255 || host.utf8.allSatisfy { $0 < 0x80 }
        return isPlain ? host.lowercased() : String(LiteralURL(NormalizedURL("ws://\(host)").origin).authority)
    }
}
