package import Foundation

/// The pieces of a URL as it is written (RFC 3986, appendix B, https://www.rfc-editor.org/rfc/rfc3986#appendix-B).
///
/// Every text has them. One without a scheme begins with its host.
struct RawURLComponents {
    /// The scheme; `nil` when the text names none.
    let scheme: Substring?

    /// The user and what follows, with the `@`; empty when the text names none.
    let user: Substring

    /// The host and its port.
    let authority: Substring

    /// The path, which is empty or begins with a slash.
    let path: Substring

    /// The query with its question mark; empty when there is none.
    let query: Substring

    /// The fragment with its number sign; empty when there is none.
    let fragment: Substring

    /// Finds the pieces of a URL.
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
        let place = rest.prefix { !Self.delimiters.contains($0) }
        let hostStart = place.lastIndex(of: UInt8(ascii: "@")).map { place.index(after: $0) } ?? place.startIndex
        user = Substring(place[..<hostStart])
        authority = Substring(place[hostStart...])
        rest = rest[place.endIndex...]
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        self.path = Substring(path)
        rest = rest[path.endIndex...]
        let query = rest.prefix { $0 != UInt8(ascii: "#") }
        self.query = Substring(query)
        fragment = Substring(rest[query.endIndex...])
    }

    /// The host as it is compared, with the brackets that an address may have.
    var host: String { Self.folded(host: Substring(authority.utf8[..<hostEnd])) }

    /// The port as it is written; `nil` without a colon.
    var port: Substring? {
        let rest = authority.utf8[hostEnd...]
        return rest.isEmpty ? nil : Substring(rest.dropFirst())
    }

    /// The port that is asked for: the one written, or that of the scheme; `nil` when neither says.
    var effectivePort: Int? {
        if let port, !port.isEmpty { return Int(port) }
        return defaultPort
    }

    /// The port of the scheme; `nil` for other schemes than those of HTTP.
    var defaultPort: Int? {
        switch scheme?.lowercased() {
        case "http": 80
        case "https": 443
        default: nil
        }
    }

    /// A host, which may have a port, in lower case, and in the letters of ASCII in which it is asked for.
    static func folded(host: Substring) -> String {
        let isPlain = host.utf8.count > 255 || host.utf8.allSatisfy { $0 < 0x80 }
        return isPlain ? host.lowercased() : String(NormalizedURL("ws://\(host)").origin.dropFirst("ws://".count))
    }

    /// The end of the host: the last colon that stands in no brackets.
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
    /// Creates a URL from text as archives and servers have it, in which characters may stand that a URL cannot have.
    ///
    /// Each of these is percent-encoded, and nothing else changes. Foundation's own leniency encodes the percent signs
    /// around such a character once more.
    ///
    /// - Parameters:
    ///   - text: An absolute or relative URL; white space around it means nothing.
    ///   - base: What a relative one is relative to.
    package init?(text: String, relativeTo base: URL? = nil) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        var legal: [UInt8] = []
        var rest = text.utf8[...]
        let scheme = rest.prefix { $0 != UInt8(ascii: ":") && !Self.delimiters.contains($0) }
        if rest[scheme.endIndex...].starts(with: "://".utf8) || text.hasPrefix("//") {
            // Brackets belong into a host, and letters of other scripts are Foundation's matter.
            let authority = rest[scheme.endIndex...].drop { $0 == UInt8(ascii: ":") }.dropFirst(2)
            let end = authority.firstIndex { Self.delimiters.contains($0) } ?? rest.endIndex
            legal += rest[..<end]
            rest = rest[end...]
        }
        var hasFragment = false
        while let byte = rest.popFirst() {
            let isFragment = byte == UInt8(ascii: "#") && !hasFragment
            let isEncoded = byte == UInt8(ascii: "%") && Self.isHexadecimal(rest.prefix(2))
            hasFragment = hasFragment || isFragment
            if isFragment || isEncoded || Self.legal.contains(byte) {
                legal.append(byte)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                legal += "%\(digits.count < 2 ? "0" : "")\(digits)".utf8
            }
        }
        self.init(string: String(decoding: legal, as: UTF8.self), relativeTo: base)
    }

    /// What ends an authority.
    private static let delimiters = Set("/?#\\".utf8)

    /// What may stand in a path, a query or a fragment (RFC 3986, section 3.3,
    /// https://www.rfc-editor.org/rfc/rfc3986#section-3.3).
    private static let legal = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?".utf8)

    private static func isHexadecimal(_ digits: Substring.UTF8View) -> Bool {
        digits.count == 2 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}
