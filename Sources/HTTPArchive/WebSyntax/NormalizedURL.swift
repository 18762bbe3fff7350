import Foundation

/// The normal form of a URL.
///
/// Equivalent URLs have the same normal form (RFC 3986, section 6.2,
/// https://www.rfc-editor.org/rfc/rfc3986#section-6.2).
///
/// The normal form has a lowercase scheme and host, no default port, fragment or user information, `/` for an empty
/// path, no dot segments, and uniform percent-encoding. Every string has a normal form, because archives can contain
/// URLs that parsers reject.
package struct NormalizedURL: Hashable, Sendable {
    /// The scheme and authority, such as `https://example.com:8443`, or an empty string if the URL has no scheme.
    package let origin: String

    /// The path, which is not empty if the URL has an origin.
    package let path: String

    /// The query without its question mark, or `nil` if the URL has no query.
    package let query: String?

}

extension NormalizedURL {
    /// Normalizes a URL.
    package init(_ text: String) {
        if let normal = Self(normal: text) { self = normal } else { self.init(rewriting: text) }
    }

    /// Normalizes a URL, one component at a time.
    ///
    /// Components are split between Unicode scalars, not characters, so that a delimiter can precede a combining mark.
    init(rewriting text: String) {
        let start = Substring(text.unicodeScalars.drop(while: \.properties.isWhitespace))
        var rest = LiteralURL(start).withoutFragment.unicodeScalars
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        let url = LiteralURL(Substring(rest))
        query =
            url.query.isEmpty
            ? nil : PercentEncoding.normalized(url.query.utf8.dropFirst(), delimiters: Self.queryDelimiters)
        guard let scheme = url.scheme, !scheme.isEmpty else {
            origin = ""
            path = String(url.beforeQuery)
            return
        }
        origin = Self.origin(scheme: scheme.lowercased(), authority: url.authority)
        path = Self.withoutDotSegments(PercentEncoding.normalized(url.path.utf8, delimiters: Self.pathDelimiters))
    }

    /// Whether the scheme is `http` or `https`.
    package var isHTTP: Bool { origin.hasPrefix("http://") || origin.hasPrefix("https://") }

    /// Whether the scheme is `ws` or `wss`.
    package var isWebSocket: Bool { origin.hasPrefix("ws://") || origin.hasPrefix("wss://") }

    /// The origin, with the scheme `http` or `https` in place of `ws` or `wss`, because a request opens each WebSocket
    /// connection (RFC 6455, section 1.3, https://www.rfc-editor.org/rfc/rfc6455#section-1.3).
    package var requestOrigin: String { isWebSocket ? "http" + origin.dropFirst(2) : origin }

    /// The items of the query, in order.
    package var queryItems: [Substring] { query.map { FormEncoding.literalItems(of: $0[...]) } ?? [] }

    private static func origin(scheme: String, authority: Substring) -> String {
        var name = withoutDefaultPort(authority.lowercased(), scheme: scheme)
        if !name.utf8.allSatisfy({ $0 < 0x80 }) { name = withoutDefaultPort(ascii(name), scheme: scheme) }
        return "\(scheme)://\(name)"
    }

    private static func withoutDefaultPort(_ host: String, scheme: String) -> String {
        var host = host
        let defaults = [":"] + (LiteralURL.defaultPort(of: scheme).map { [":\($0)"] } ?? [])
        while let suffix = defaults.first(where: host.hasSuffix) { host.removeLast(suffix.count) }
        return host
    }

    /// Returns a host and port with an internationalized host name converted to ASCII
    /// (https://url.spec.whatwg.org/#idna).
    private static func ascii(_ host: String) -> String {
        guard let url = URL(string: "http://\(host)/"), let name = url.host(percentEncoded: false),
            name.utf8.allSatisfy({ ByteSet.unreserved.contains($0) && $0 != UInt8(ascii: "~") })
        else { return host }
        return name.lowercased() + (url.port.map { ":\($0)" } ?? "")
    }

    /// The characters that change the meaning of a path when they are decoded.
    private static let pathDelimiters = ByteSet("/;?#%")

    /// The characters that change the meaning of a query when they are decoded.
    private static let queryDelimiters = ByteSet("&=+;#%")

    /// Removes dot segments from a path (RFC 3986, section 5.2.4).
    ///
    /// An empty path becomes `/`.
    private static func withoutDotSegments(_ path: String) -> String {
        guard path.contains("/.") else { return path.isEmpty ? "/" : path }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for segment in segments where segment != "." {
            if segment == ".." { _ = kept.popLast() } else { kept.append(segment) }
        }
        let endsInFolder = segments.last == "." || segments.last == ".."
        return "/" + kept.joined(separator: "/") + (endsInFolder && !kept.isEmpty ? "/" : "")
    }
}

extension NormalizedURL: CustomStringConvertible {
    /// The URL in its normal form.
    package var description: String { origin + path + (query.map { "?" + $0 } ?? "") }
}

extension NormalizedURL {
    /// Creates a value from a URL that is already in normal form, as most URLs are, without rewriting it.
    ///
    /// - Parameter text: An HTTP URL with a path and a host name of lowercase letters, digits, dots and hyphens. The
    ///   URL must not contain user information, the default port, a fragment, path segments that begin with a dot,
    ///   percent signs, or characters that require percent-encoding. The result is `nil` for all other URLs.
    init?(normal text: String) {
        let normal = text.withUTF8Bytes { text -> NormalizedURL? in
            let url = URLRanges(text)
            let host = url.authority.lowerBound..<URLRanges.hostEnd(in: text, url.authority)
            guard let scheme = url.scheme, text.starts(with: scheme.count == 5 ? "https".utf8 : "http".utf8),
                scheme.count == 4 || scheme.count == 5, url.user.isEmpty, !host.isEmpty, url.fragment.isEmpty,
                ByteSet.normalHost.containsAll(of: text, in: host),
                Self.isNormal(port: text[host.upperBound..<url.authority.upperBound], isEncrypted: scheme.count == 5),
                text[url.path].first == UInt8(ascii: "/"),
                Self.plainCharacters.containsAll(of: text, in: url.path.lowerBound..<text.count),
                text[rebasing: url.path].firstOffset(of: Self.dotSegment) == nil
            else { return nil }
            return NormalizedURL(
                origin: String(decoding: text[..<url.path.lowerBound], as: UTF8.self),
                path: String(decoding: text[url.path], as: UTF8.self),
                query: url.query.isEmpty ? nil : String(decoding: text[url.query].dropFirst(), as: UTF8.self))
        }
        guard let normal else { return nil }
        self = normal
    }

    /// Returns whether a port, including its colon, has digits and is not the default; `true` for an empty one.
    private static func isNormal(port: Slice<UnsafeRawBufferPointer>, isEncrypted: Bool) -> Bool {
        port.isEmpty
            || port.count > 1 && port.dropFirst().allSatisfy(\.isDigit)
                && !port.elementsEqual(isEncrypted ? ":443".utf8 : ":80".utf8)
    }

    /// The beginning of a segment that may be a dot segment.
    private static let dotSegment = Array("/.".utf8)

    /// The printable ASCII characters except the space, `#` and `%`.
    private static let plainCharacters = ByteSet.alphanumerics.union("!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~")
}
