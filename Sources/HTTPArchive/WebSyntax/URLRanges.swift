/// The byte ranges of the components of a URL (RFC 3986, appendix B,
/// https://www.rfc-editor.org/rfc/rfc3986#appendix-B).
///
/// Every text can be split. A text without a scheme begins with its host.
struct URLRanges {
    /// The user information with the `@`; empty if the URL has none.
    let user: Range<Int>

    /// The path: empty, or beginning with a slash.
    let path: Range<Int>

    /// The query with its question mark; empty if the URL has none.
    let query: Range<Int>

    /// The fragment with its number sign; empty if the URL has none.
    let fragment: Range<Int>

    /// Finds the components of a URL.
    init(_ text: UnsafeRawBufferPointer) {
        var start = 0
        while start < text.count, text[start].isPartOfScheme { start += 1 }
        let hasScheme = text[from: start].starts(with: "://".utf8)
        start = hasScheme ? start + 1 : 0
        if text[from: start].starts(with: "//".utf8) { start += 2 }
        let authorityEnd = Self.end(in: text, from: start) { "/?#\\".utf8.contains($0) }
        let at = text[start..<authorityEnd].lastIndex(of: UInt8(ascii: "@"))
        user = start..<(at.map { $0 + 1 } ?? start)
        let pathEnd = Self.end(in: text, from: authorityEnd) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        path = authorityEnd..<pathEnd
        let queryEnd = Self.end(in: text, from: pathEnd) { $0 == UInt8(ascii: "#") }
        query = pathEnd..<queryEnd
        fragment = queryEnd..<text.count
    }

    private static func end(
        in text: UnsafeRawBufferPointer, from start: Int, where isEnd: (UInt8) -> Bool
    ) -> Int {
        text[start...].firstIndex(where: isEnd) ?? text.count
    }
}

/// The host and port of a URL, parsed leniently: archives contain URLs that URL parsers reject.
struct URLAuthority {
    /// The host in lower case, followed by the port if the URL has one.
    let hostAndPort: String

    /// The host in lower case.
    let host: String

    /// Finds the authority of a URL; returns `nil` if it has none.
    init?(of url: String) {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = url.utf8[colon...]
        guard rest.starts(with: "://".utf8) else { return nil }
        var authority = rest.dropFirst(3).prefix { !"/?#\\".utf8.contains($0) }
        // User names and passwords may contain `@` as well.
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[at...].dropFirst() }
        guard !authority.isEmpty else { return nil }
        let text = Substring(authority).lowercased()
        let name = text.utf8.lastIndex { !(0x30...0x39).contains($0) }
        let colonOfPort = name.flatMap { text.utf8[$0] == UInt8(ascii: ":") ? $0 : nil }
        hostAndPort = text
        host = String(text[..<(colonOfPort ?? text.endIndex)])
    }
}
