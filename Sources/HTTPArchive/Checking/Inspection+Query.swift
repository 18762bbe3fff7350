/// The rule for the parameters of a URL.
extension Inspection {
    /// Checks that `queryString` says what the query of the URL says.
    ///
    /// Tools decode the parameters or leave them as they are, sort them or not, and take a parameter without `=` as a
    /// name or as a value: all that is fine.
    mutating func checkQueryString(of request: JSONNode) {
        guard let list = request["queryString"], list.kind == .array, let url = request["url"]?.text else { return }
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        let expected = Self.items(of: query)
        let actual = list.elements.map { ($0["name"]?.text ?? "", $0["value"]?.text ?? "") }
        guard !Self.isQuery(query, of: actual) else { return }
        report(
            .warning, .queryMismatch, at: list,
            expected.count == actual.count
                ? "The parameters in `queryString` are not those of the URL, which counts."
                : "`queryString` has \(actual.count) parameters, the URL \(expected.count); the URL counts.")
    }

    /// Whether a query or a form says what parameters say.
    static func isQuery(_ query: Substring, of parameters: some Sequence<(String, String)>) -> Bool {
        let expected = items(of: query)
        let found = normal(Array(parameters)) { $0 }
        return found == normal(expected, decoded) || found == normal(expected, { $0 })
    }

    private static func items(of query: Substring) -> [(String, String)] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    /// The form in which the ways of tools to write the same parameters are the same.
    private static func normal(_ parameters: [(String, String)], _ decode: (String) -> String) -> [String] {
        parameters.map { name, value in
            [decode(name), decode(value)].filter { !$0.isEmpty }.joined(separator: "=").replacing("+", with: " ")
        }.filter { !$0.isEmpty }.sorted()
    }

    /// The text without percent-encoding; where that is wrong, it is left.
    private static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(digit),
                let low = rest.dropFirst().first.flatMap(digit)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
