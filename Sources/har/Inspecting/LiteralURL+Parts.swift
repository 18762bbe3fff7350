import HTTPArchive

/// The only definition of the parts of a URL in lists, groups and tables.
extension LiteralURL {
    /// Whether the URL has a scheme and a host, unlike `data:,` and `blob:` URLs.
    var hasHost: Bool { scheme != nil && !host.isEmpty }

    /// The path as written, or nil for a URL without a host.
    var pathOfHost: Substring? { hasHost ? path : nil }

    /// The query without its question mark, or nil if the URL has no question mark or no host.
    var queryOfHost: Substring? { hasHost && !query.isEmpty ? query.dropFirst() : nil }
}
