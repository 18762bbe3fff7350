/// The host of a URL and its port, as far as any text has them: archives hold URLs that no parser accepts.
struct URLAuthority {
    /// The host in lower case, and the port as the URL writes it.
    let hostAndPort: String

    /// The host in lower case.
    let host: String

    /// Finds the authority of a URL; `nil` when it has none.
    init?(of url: String) {
        guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
        let authority = url[start...].prefix { !"/?#\\".contains($0) }
        // A user's name, or a password, may hold the sign as well.
        hostAndPort = authority.suffix(while: { $0 != "@" }).lowercased()
        guard !hostAndPort.isEmpty else { return nil }
        let port = hostAndPort.suffix(while: { $0.isASCII && $0.isNumber })
        let rest = hostAndPort[..<port.startIndex]
        host = String(rest.hasSuffix(":") ? rest.dropLast() : hostAndPort[...])
    }
}

extension StringProtocol {
    /// The longest end of the text whose characters all fulfil a condition.
    fileprivate func suffix(while condition: (Character) -> Bool) -> SubSequence {
        self[(lastIndex { !condition($0) }.map(index(after:)) ?? startIndex)...]
    }
}
