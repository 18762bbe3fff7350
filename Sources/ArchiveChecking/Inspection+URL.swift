import Foundation
import HTTPArchive

/// The rules for the URL of a request.
extension Inspection {
    /// Checks that a URL is absolute, has an HTTP or WebSocket scheme, and contains only valid characters.
    mutating func checkURL(_ value: JSONNode) {
        let url = value.string.text
        guard let name = LiteralURL.scheme(of: url).map(String.init) else {
            report(.warning, .relativeURL, at: value, "The URL is not absolute. HAR 1.2 requires an absolute URL.")
            return
        }
        switch name.lowercased() {
        case "http", "https":
            let literal = LiteralURL(url)
            if literal.scheme == nil || literal.authority.isEmpty {
                report(.warning, .invalidURL, at: value, "The URL has no host.")
            }
        case "ws", "wss": break
        default:
            report(.note, .notHTTPURL, at: value, "The scheme is \(name.quoted), so this is not an HTTP exchange.")
            return
        }
        checkCharacters(of: url, at: value)
    }

    /// Reports a fragment and invalid characters in an HTTP URL.
    ///
    /// Source: RFC 3986, https://www.rfc-editor.org/rfc/rfc3986#section-2
    private mutating func checkCharacters(of url: String, at value: JSONNode) {
        if url.utf8.contains(UInt8(ascii: "#")) {
            report(.note, .urlFragment, at: value, "The URL has a fragment, which HAR 1.2 does not allow.")
        }
        if url.withUTF8Bytes({ ByteSet.url.containsAll(of: $0) }) { return }
        var foreign: [Unicode.Scalar] = []
        for scalar in url.unicodeScalars where !Self.isAllowed(scalar) && !foreign.contains(scalar) {
            foreign.append(scalar)
            if foreign.count == 6 { break }
        }
        guard !foreign.isEmpty else { return }
        let codes = foreign.prefix(5).map { String(format: "U+%04X", $0.value) } + (foreign.count > 5 ? ["…"] : [])
        report(
            .warning, .invalidURLCharacter, at: value,
            "The URL contains characters that RFC 3986 does not allow: \(codes.joined(separator: ", ")).")
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && ByteSet.url.contains(UInt8(scalar.value))
    }
}

/// The rule for query parameters.
extension Inspection {
    /// Checks that `queryString` matches the query of the URL.
    ///
    /// Tools differ in whether they decode or sort the parameters, and whether they record a parameter without `=` as a
    /// name or a value. All variants are accepted.
    mutating func checkQueryString(of request: JSONNode) {
        guard let list = request["queryString"], list.kind == .array, let url = request["url"]?.text else { return }
        let query = LiteralURL(url).query.dropFirst()
        let actual = list.elements.map { ($0["name"]?.text ?? "", $0["value"]?.text ?? "") }
        guard !Self.isQuery(query, of: actual) else { return }
        let expected = Self.items(of: query)
        report(
            .warning, .queryMismatch, at: list,
            expected.count == actual.count
                ? "`queryString` differs from the query of the URL. The URL is used."
                : "`queryString` has \(actual.count) \(actual.count == 1 ? "parameter" : "parameters"), "
                    + "but the URL has \(expected.count). The URL is used.")
    }

    /// Returns whether a query or a form contains the same parameters as a list.
    static func isQuery(_ query: Substring, of parameters: some Sequence<(String, String)>) -> Bool {
        let expected = items(of: query)
        let parameters = Array(parameters)
        // Most tools record the parameters in order, which takes less time to find out.
        if areEqual(parameters, expected, { $0 }) || areEqual(parameters, expected, decoded) { return true }
        let found = normalized(parameters) { $0 }
        return found == normalized(expected, decoded) || found == normalized(expected, { $0 })
    }

    private static func items(of query: Substring) -> [(String, String)] {
        FormEncoding.literalItems(of: query).map { item in
            let (name, value) = FormEncoding.literalParts(of: item)
            return (String(name), String(value))
        }
    }

    /// Returns whether two lists contain equal parameters in the same order, if the parameters of the second are decoded.
    private static func areEqual(
        _ first: [(String, String)], _ second: [(String, String)], _ decode: (String) -> String
    ) -> Bool {
        first.elementsEqual(second) { $0.0 == decode($1.0) && $0.1 == decode($1.1) }
    }

    /// Returns the parameters in a normalized form that is equal for all of these variants.
    private static func normalized(_ parameters: [(String, String)], _ decode: (String) -> String) -> [String] {
        parameters.map { name, value in
            let item = [decode(name), decode(value)].filter { !$0.isEmpty }.joined(separator: "=")
            return item.utf8.contains(UInt8(ascii: "+")) ? item.replacing("+", with: " ") : item
        }.filter { !$0.isEmpty }.sorted()
    }

    /// Returns the percent-decoded text, or the text itself if the result is not UTF-8.
    private static func decoded(_ text: String) -> String {
        PercentEncoding.decodedUTF8(text[...].utf8) ?? text
    }
}
