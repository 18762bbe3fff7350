/// Where the pieces of a URL stand as it is written (RFC 3986, appendix B,
/// https://www.rfc-editor.org/rfc/rfc3986#appendix-B).
///
/// Every text has them. One without a scheme begins with its host.
struct URLRanges {
    /// The user and what follows, with the `@`; empty when the text names none.
    let user: Range<Int>

    /// The path, which is empty or begins with a slash.
    let path: Range<Int>

    /// The query with its question mark; empty when there is none.
    let query: Range<Int>

    /// The fragment with its number sign; empty when there is none.
    let fragment: Range<Int>

    /// Finds the pieces of a URL.
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

extension UInt8 {
    /// Whether it may be part of the scheme of a URL (RFC 3986, section 3.1).
    var isPartOfScheme: Bool {
        self != UInt8(ascii: "_") && isPartOfWord || self == UInt8(ascii: "+") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: ".")
    }
}
