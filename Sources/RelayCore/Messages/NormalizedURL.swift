import Foundation
import HTTPArchive

/// The normal form of a URL, which is equal for equivalent URLs (RFC 3986, section 6.2,
/// https://www.rfc-editor.org/rfc/rfc3986#section-6.2).
///
/// The normal form has a lowercase scheme and host, no default port, fragment or user, `/` for an empty path, no dot
/// segments, and uniform percent-encoding. Every text has a normal form, because archives contain URLs that no parser
/// accepts.
package struct NormalizedURL: Hashable, Sendable {
    /// The scheme and authority, such as `https://example.com:8443`; empty if the URL has no authority.
    package let origin: String

    /// The path, which begins with a slash if the URL has an origin.
    package let path: String

    /// The query without its question mark, or `nil` if the URL has no query.
    package let query: String?

    init(origin: String, path: String, query: String?) {
        self.origin = origin
        self.path = path
        self.query = query
    }

    /// Normalizes a URL.
    package init(_ text: String) {
        if let normal = Self(normal: text) { self = normal } else { self.init(rewriting: text) }
    }

    /// Normalizes any URL, component by component.
    ///
    /// Components are split between Unicode scalars, so that a delimiter followed by a combining mark is still a
    /// delimiter.
    init(rewriting text: String) {
        var rest = text.unicodeScalars[...].drop(while: \.properties.isWhitespace).prefix { $0 != "#" }
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        var origin = ""
        let scheme = rest.prefix { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains(scalar))
        }
        if !scheme.isEmpty, rest[scheme.endIndex...].starts(with: "://".unicodeScalars) {
            rest = rest[scheme.endIndex...].dropFirst(3)
            let authority = rest.prefix { !"/?\\".unicodeScalars.contains($0) }
            rest = rest[authority.endIndex...]
            origin = Self.origin(scheme: String(scheme).lowercased(), authority: Substring(authority))
        }
        let path = rest.prefix { $0 != "?" }
        rest = rest[path.endIndex...]
        self.origin = origin
        self.path =
            origin.isEmpty
            ? String(path) : Self.withoutDotSegments(
                PercentEncoding.normalized(Substring(path).utf8, delimiters: Self.pathDelimiters))
        query = 
            rest.isEmpty
            ? nil : PercentEncoding.normalized(Substring(rest.dropFirst()).utf8, delimiters: Self.queryDelimiters)
    }

    /// Whether the scheme is `http` or `https`.
    package var isHTTP: Bool { origin.hasPrefix("http://") || origin.hasPrefix("https://") }

    /// The items of the query, in order.
    package var queryItems: [Substring] { query.map { FormEncoding.literalItems(of: $0[...]) } ?? [] }

    private static func origin(scheme: String, authority: Substring) -> String {
        let scalars = authority.unicodeScalars
        let hostStart = scalars.lastIndex(of: "@").map { scalars.index(after: $0) } ?? scalars.startIndex
        var name = withoutDefaultPort(authority[hostStart...].lowercased(), scheme: scheme)
        if !name.utf8.allSatisfy({ $0 < 0x80 }) { name = withoutDefaultPort(ascii(name), scheme: scheme) }
        return "\(scheme)://\(name)"
    }

    private static func withoutDefaultPort(_ host: String, scheme: String) -> String {
        var host = host
        let defaults = [":", scheme == "http" ? ":80" : scheme == "https" ? ":443" : ":"]
        while let suffix = defaults.first(where: host.hasSuffix) { host.removeLast(suffix.count) }
        return host
    }

    /// Returns a host and port with international letters converted to their ASCII form
    /// (https://url.spec.whatwg.org/#idna).
    private static func ascii(_ host: String) -> String {
        guard let url = URL(string: "http://\(host)/"), let name = url.host(percentEncoded: false),
            name.utf8.allSatisfy({
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._".utf8.contains($0)
            })
        else { return host }
        return name.lowercased() + (url.port.map { ":\($0)" } ?? "")
    }

    /// The characters that have a different meaning in a path if they are not percent-encoded.
    private static let pathDelimiters = ByteSet("/;?#%")

    /// The characters that have a different meaning in a query if they are not percent-encoded.
    private static let queryDelimiters = ByteSet("&=+;#%")

    /// Removes dot segments (RFC 3986, section 5.2.4) from a path that begins with a slash or is empty.
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
    /// Creates a value from a URL that is already in normal form, as most URLs are, in a single pass over its bytes.
    ///
    /// - Parameter text: An HTTP URL whose host has only lowercase letters, digits, dots and hyphens, without a port,
    ///   path segments that begin with a dot, characters that are or must be percent-encoded, or a fragment. The result
    ///   is `nil` for all other URLs.
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
