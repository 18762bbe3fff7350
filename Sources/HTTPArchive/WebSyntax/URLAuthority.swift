/// The host of a URL and its port, as far as any text has them: archives hold URLs that no parser accepts.
struct URLAuthority {
    /// The host in lower case, and the port as the URL writes it.
    let hostAndPort: String

    /// The host in lower case.
    let host: String

    /// Finds the authority of a URL; `nil` when it has none.
    init?(of url: String) {
        guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = url.utf8[colon...]
        guard rest.starts(with: "://".utf8) else { return nil }
        var authority = rest.dropFirst(3).prefix { !"/?#\\".utf8.contains($0) }
        // A user's name, or a password, may hold the sign as well.
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[at...].dropFirst() }
        guard !authority.isEmpty else { return nil }
        let text = Substring(authority).lowercased()
        let name = text.utf8.lastIndex { !(0x30...0x39).contains($0) }
        let colonOfPort = name.flatMap { text.utf8[$0] == UInt8(ascii: ":") ? $0 : nil }
        hostAndPort = text
        host = String(text[..<(colonOfPort ?? text.endIndex)])
    }
}
