/// The byte ranges of the components of a URL (RFC 3986, appendix B,
/// https://www.rfc-editor.org/rfc/rfc3986#appendix-B).
///
/// Any text can be split. The components and the delimiters between them cover the whole text. Text without a scheme
/// begins with the host, as users often type it, or with two slashes.
package struct URLRanges: Sendable, Hashable {
    /// The scheme, or `nil` if no `://` follows it.
    ///
    /// The range is empty if the text begins with `://`.
    package let scheme: Range<Int>?

    /// Whether two slashes precede the host, with or without a scheme.
    package let hasAuthority: Bool

    /// The user information, including the `@`, or an empty range if the URL has none.
    package let user: Range<Int>

    /// The host and the port.
    package let authority: Range<Int>

    /// The path, which is empty or begins with a slash or backslash.
    package let path: Range<Int>

    /// The query, including its question mark, or an empty range if the URL has none.
    package let query: Range<Int>

    /// The fragment, including its `#`, or an empty range if the URL has none.
    package let fragment: Range<Int>

    /// Finds the components of a URL.
    ///
    /// - Parameter text: Any bytes.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package init(_ text: UnsafeRawBufferPointer) {
        let schemeEnd = Self.schemeEnd(in: text)
        let hasScheme = text[from: schemeEnd].starts(with: Self.schemeMark)
        scheme = hasScheme ? 0..<schemeEnd : nil
        var start = hasScheme ? schemeEnd + 1 : 0
        hasAuthority = text[from: start].starts(with: "//".utf8)
        if hasAuthority { start += 2 }
        let endsAuthority = Self.endsAuthority
        let authorityEnd = Self.end(in: text, from: start) { endsAuthority.contains($0) }
        let at = text[start..<authorityEnd].lastIndex(of: UInt8(ascii: "@"))
        user = start..<(at.map { $0 + 1 } ?? start)
        authority = user.upperBound..<authorityEnd
        let pathEnd = Self.end(in: text, from: authorityEnd) { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        path = authorityEnd..<pathEnd
        let fragmentStart = text[from: pathEnd].firstOffset(of: UInt8(ascii: "#")).map { pathEnd + $0 } ?? text.count
        query = pathEnd..<fragmentStart
        fragment = fragmentStart..<text.count
    }

    /// The characters between a scheme and the authority.
    static let schemeMark = Array("://".utf8)

    /// Returns the offset of the first character that a scheme cannot contain.
    static func schemeEnd(in text: UnsafeRawBufferPointer) -> Int {
        end(in: text, from: 0) { !$0.isPartOfScheme }
    }

    /// Returns the end offset of a host: the last colon outside brackets, or the end of the authority.
    ///
    /// - Parameters:
    ///   - text: The bytes of the URL.
    ///   - range: The host and the port.
    /// - Returns: The offset.
    static func hostEnd(in text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
        let bracket = text[range].lastIndex(of: UInt8(ascii: "]")) ?? range.lowerBound
        return text[bracket..<range.upperBound].lastIndex(of: UInt8(ascii: ":")) ?? range.upperBound
    }

    /// The characters that end an authority.
    ///
    /// Browsers treat a backslash as a slash.
    private static let endsAuthority = ByteSet("/?#\\")

    @inline(__always)
    private static func end(in text: UnsafeRawBufferPointer, from start: Int, where isEnd: (UInt8) -> Bool) -> Int {
        var offset = start
        while offset < text.count, !isEnd(text[offset]) { offset += 1 }
        return offset
    }
}
