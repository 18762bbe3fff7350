extension NormalizedURL {
    /// Takes a URL that is in its normal form already, as most are; one look at each byte tells.
    ///
    /// - Parameter text: A URL of HTTP with a host of lower-case letters, digits, dots and hyphens, no port, a path
    ///   without dots after a slash, nothing that is or must be percent-encoded, and no fragment; `nil` for all others.
    init?(normal text: String) {
        let bytes = text.utf8
        let prefixes = ["https://", "http://"]
        guard let prefix = prefixes.first(where: { bytes.starts(with: $0.utf8) }) else { return nil }
        let host = bytes.dropFirst(prefix.utf8.count).prefix { Self.isPlainInHost($0) }
        let pathStart = host.endIndex
        guard !host.isEmpty, bytes[pathStart...].first == UInt8(ascii: "/") else { return nil }
        var queryStart: String.Index?
        var previous: UInt8 = 0
        var index = pathStart
        while index != bytes.endIndex {
            let byte = bytes[index]
            guard 0x21...0x7E ~= byte, byte != UInt8(ascii: "%"), byte != UInt8(ascii: "#") else { return nil }
            if queryStart == nil {
                if byte == UInt8(ascii: "?") { queryStart = index }
                if byte == UInt8(ascii: "."), previous == UInt8(ascii: "/") { return nil }
            }
            previous = byte
            index = bytes.index(after: index)
        }
        self.init(
            origin: String(text[..<pathStart]), path: String(text[pathStart..<(queryStart ?? text.endIndex)]),
            query: queryStart.map { String(text[text.index(after: $0)...]) })
    }

    private static func isPlainInHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
    }
}
