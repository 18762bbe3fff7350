package import Foundation

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
