/// The rules for the URL of a request.
extension Inspection {
    /// Checks that a URL is absolute, of HTTP, and has only characters that a URL may have.
    mutating func checkURL(_ value: JSONNode) {
        let url = value.string.text
        guard let match = url.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):/) else {
            report(.warning, .relativeURL, at: value, "The URL is not absolute; HAR 1.2 wants an absolute URL.")
            return
        }
        switch match.1.lowercased() {
        case "http", "https":
            if url[match.range.upperBound...].prefixMatch(of: /\/\/[^\/?#]/) == nil {
                report(.warning, .invalidURL, at: value, "The URL has no host; HAR 1.2 wants an absolute URL.")
            }
        case "ws", "wss": break
        default:
            let scheme = String(match.1).quoted
            report(.note, .notHTTPURL, at: value, "The scheme is \(scheme): this is no exchange over HTTP.")
            return
        }
        checkCharacters(of: url, at: value)
    }

    /// Checks the characters of a URL of HTTP.
    ///
    /// Source: RFC 3986, https://www.rfc-editor.org/rfc/rfc3986#section-2
    private mutating func checkCharacters(of url: String, at value: JSONNode) {
        if url.utf8.contains(UInt8(ascii: "#")) {
            report(.note, .urlFragment, at: value, "The URL has a fragment; HAR 1.2 excludes it.")
        }
        var foreign: [Unicode.Scalar] = []
        for scalar in url.unicodeScalars where !Self.isAllowed(scalar) && !foreign.contains(scalar) {
            foreign.append(scalar)
            if foreign.count == 6 { break }
        }
        guard !foreign.isEmpty else { return }
        let codes = foreign.prefix(5).map { "U+" + format($0) } + (foreign.count > 5 ? ["…"] : [])
        report(
            .warning, .invalidURLCharacter, at: value,
            "The URL has characters that RFC 3986 does not allow: \(codes.joined(separator: ", ")).")
    }

    private func format(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "%": true
        case ":", "/", "?", "#", "[", "]", "@", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
        default: false
        }
    }
}
