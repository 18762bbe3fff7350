/// A URL string and its components, without any decoding or normalization.
///
/// Any string is accepted, because archives contain URLs that `URL` rejects. The components and the delimiters between
/// them cover the whole string. A string without a scheme begins with the host.
package struct LiteralURL: Sendable, Hashable {
    /// The whole URL.
    package let text: String

    private let ranges: URLRanges
    private let hostEnd: Int

    /// Splits a URL into its components.
    ///
    /// - Parameter text: Any string.
    /// - Complexity: O(*n*), where *n* is the length of the string.
    package init(_ text: String) {
        (ranges, hostEnd) = text.withUTF8Bytes { bytes in
            let ranges = URLRanges(bytes)
            return (ranges, URLRanges.hostEnd(in: bytes, ranges.authority))
        }
        self.text = text
    }

    /// Splits a URL into its components.
    ///
    /// - Parameter text: Any string.
    package init(_ text: Substring) {
        self.init(String(text))
    }

    /// The scheme as written, or `nil` if the string does not begin with a scheme and `://`.
    package var scheme: Substring? { ranges.scheme.map { self[$0] } }

    /// Whether two slashes precede the host, with or without a scheme.
    package var hasAuthority: Bool { ranges.hasAuthority }

    /// The user information, including the `@`, or an empty string if the URL has none.
    package var user: Substring { self[ranges.user] }

    /// The host and port.
    package var authority: Substring { self[ranges.authority] }

    /// The host, including the brackets of an IPv6 address.
    package var host: Substring { self[ranges.authority.lowerBound..<hostEnd] }

    /// The port, or `nil` if no colon follows the host.
    package var port: Substring? {
        hostEnd < ranges.authority.upperBound ? self[hostEnd + 1..<ranges.authority.upperBound] : nil
    }

    /// The path, which is empty or begins with a slash or backslash.
    package var path: Substring { self[ranges.path] }

    /// The query, including its question mark, or an empty string if the URL has none.
    package var query: Substring { self[ranges.query] }

    /// The fragment, including its `#`, or an empty string if the URL has none.
    package var fragment: Substring { self[ranges.fragment] }

    /// The part before the user information and the host: the scheme and the slashes, if present.
    package var beforeUser: Substring { self[0..<ranges.user.lowerBound] }

    /// The part before the path: the scheme and the slashes, the user information, the host and the port.
    package var beforePath: Substring { self[0..<ranges.authority.upperBound] }

    /// The part before the query.
    package var beforeQuery: Substring { self[0..<ranges.query.lowerBound] }

    /// The URL without the fragment.
    package var withoutFragment: Substring { self[0..<ranges.query.upperBound] }

    /// The part from the host through the query.
    package var resource: Substring { self[ranges.authority.lowerBound..<ranges.query.upperBound] }

    /// Returns the URL with a different host and port.
    package func replacing(authority: String) -> String {
        "\(beforeUser)\(user)\(authority)\(path)\(query)\(fragment)"
    }

    /// The explicit port, or the default port of the scheme, or `nil` if neither exists.
    package var effectivePort: Int? {
        if let port, !port.isEmpty { return Int(port) }
        return defaultPort
    }

    /// The default port of the scheme, or `nil` for schemes other than `http` and `https`.
    package var defaultPort: Int? { scheme.flatMap { Self.defaultPort(of: $0.lowercased()) } }

    /// Returns the default port of a scheme.
    ///
    /// - Parameter scheme: The scheme in lowercase.
    /// - Returns: The port, or `nil` for schemes other than `http`, `https`, `ws` and `wss`.
    package static func defaultPort(of scheme: String) -> Int? {
        switch scheme {
        case "http", "ws": 80
        case "https", "wss": 443
        default: nil
        }
    }

    /// Returns the scheme of an absolute URL, even if the URL has no authority, as in `data:,`.
    ///
    /// - Parameter text: Any string.
    /// - Returns: The part before the first colon, as written, or `nil` if it is not a scheme.
    package static func scheme(of text: String) -> Substring? {
        let end = text.withUTF8Bytes { bytes -> Int? in
            let end = URLRanges.schemeEnd(in: bytes)
            return end > 0 && end < bytes.count && bytes[end] == UInt8(ascii: ":") ? end : nil
        }
        return end.map { text[..<text.utf8.index(text.startIndex, offsetBy: $0)] }
    }

    private subscript(range: Range<Int>) -> Substring {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return text[start..<text.utf8.index(start, offsetBy: range.count)]
    }
}

extension LiteralURL {
    /// The lowercase ASCII form of the host, including the brackets of an IPv6 address.
    package var normalizedHost: String { Self.normalized(host: host) }

    /// Returns the lowercase ASCII form of a host, which may include a port.
    package static func normalized(host: Substring) -> String {
        let isPlain = host.utf8.count > 255 || host.utf8.allSatisfy { $0 < 0x80 }
        return isPlain ? host.lowercased() : String(LiteralURL(NormalizedURL("ws://\(host)").origin).authority)
    }
}

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
