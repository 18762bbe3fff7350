package import Foundation
import HTTPArchive

/// The unmodified components of a URL (RFC 3986, appendix B, https://www.rfc-editor.org/rfc/rfc3986#appendix-B).
///
/// Any text can be split into components. Text without a scheme begins with its host.
struct RawURLComponents {
    /// The scheme, or `nil` if the text has none.
    let scheme: Substring?

    /// The user and password with the `@`; empty if the text has none.
    let user: Substring

    /// The host and port.
    let authority: Substring

    /// The path; empty, or begins with a slash.
    let path: Substring

    /// The query with its question mark; empty if the text has none.
    let query: Substring

    /// The fragment with its number sign; empty if the text has none.
    let fragment: Substring

    /// Splits a URL into its components.
    ///
    /// - Parameter url: Any text.
    /// - Complexity: O(*n*) in the length of the text.
    init(_ url: String) {
        var rest = url[...].utf8
        let start = rest.prefix { Self.isPlainInScheme($0) }
        let isAfterScheme = rest[start.endIndex...].starts(with: "://".utf8)
        scheme = isAfterScheme ? Substring(start) : nil
        if isAfterScheme { rest = rest[start.endIndex...].dropFirst() }
        if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
        let server = rest.prefix { !Self.delimiters.contains($0) }
        let hostStart = server.lastIndex(of: UInt8(ascii: "@")).map { server.index(after: $0) } ?? server.startIndex
        user = Substring(server[..<hostStart])
        authority = Substring(server[hostStart...])
        rest = rest[server.endIndex...]
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        self.path = Substring(path)
        rest = rest[path.endIndex...]
        let query = rest.prefix { $0 != UInt8(ascii: "#") }
        self.query = Substring(query)
        fragment = Substring(rest[query.endIndex...])
    }

    /// The normalized host, including the brackets of an IPv6 address.
    var host: String { Self.folded(host: Substring(authority.utf8[..<hostEnd])) }

    /// The port as written, or `nil` if the host is not followed by a colon.
    var port: Substring? {
        let rest = authority.utf8[hostEnd...]
        return rest.isEmpty ? nil : Substring(rest.dropFirst())
    }

    /// The explicit port, or the default port of the scheme; `nil` if neither is known.
    var effectivePort: Int? {
        if let port, !port.isEmpty { return Int(port) }
        return defaultPort
    }

    /// The default port of the scheme, or `nil` for schemes other than `http` and `https`.
    var defaultPort: Int? {
        switch scheme?.lowercased() {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// Returns a host, with or without a port, in lowercase and in its ASCII form.
    static func folded(host: Substring) -> String {
        let isPlain = host.utf8.count > 255 || host.utf8.allSatisfy { $0 < 0x80 }
        return isPlain ? host.lowercased() : String(NormalizedURL("ws://\(host)").origin.dropFirst("ws://".count))
    }

    /// The end of the host: the index of the last colon outside brackets.
    private var hostEnd: Substring.Index {
        let bytes = authority.utf8
        let bracket = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
        return bytes[bracket...].lastIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    }

    private static func isPlainInScheme(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static let delimiters = Array("/?#\\".utf8)
}

extension URL {
    /// Creates a URL from text in an archive or header field, which may contain characters that are invalid in a URL.
    ///
    /// Invalid characters are percent-encoded, and all others stay unchanged. Foundation's lenient parser would also
    /// encode the percent signs of existing escapes.
    ///
    /// - Parameters:
    ///   - text: An absolute or relative URL; surrounding white space is ignored.
    ///   - base: The base of a relative URL.
    package init?(text: String, relativeTo base: URL? = nil) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        var legal: [UInt8] = []
        var rest = text.utf8[...]
        let scheme = rest.prefix { $0 != UInt8(ascii: ":") && !Self.delimiters.contains($0) }
        if rest[scheme.endIndex...].starts(with: "://".utf8) || text.hasPrefix("//") {
            // Brackets are valid in a host, and Foundation converts international letters.
            let authority = rest[scheme.endIndex...].drop { $0 == UInt8(ascii: ":") }.dropFirst(2)
            let end = authority.firstIndex { Self.delimiters.contains($0) } ?? rest.endIndex
            legal += rest[..<end]
            rest = rest[end...]
        }
        // The first number sign begins the fragment; the others are part of it.
        let fragment = rest.firstIndex(of: UInt8(ascii: "#")) ?? rest.endIndex
        legal += PercentEncoding.encoded(Substring(rest[..<fragment]), keeping: .urlPart, keepsEscapes: true).utf8
        if fragment < rest.endIndex {
            legal.append(UInt8(ascii: "#"))
            let inside = Substring(rest[fragment...].dropFirst())
            legal += PercentEncoding.encoded(inside, keeping: .urlPart, keepsEscapes: true).utf8
        }
        self.init(string: String(decoding: legal, as: UTF8.self), relativeTo: base)
    }

    /// The characters that end an authority.
    private static let delimiters = Set("/?#\\".utf8)
}
