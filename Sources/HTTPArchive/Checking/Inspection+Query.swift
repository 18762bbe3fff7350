/// The rule for the parameters of a URL.
extension Inspection {
    /// Checks that `queryString` says what the query of the URL says.
    ///
    /// Tools decode the parameters or leave them as they are, sort them or not, and take a parameter without `=` as a
    /// name or as a value: all that is fine.
    mutating func checkQueryString(of request: JSONNode) {
        guard let list = request["queryString"], list.kind == .array, let url = request["url"]?.text else { return }
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        let expected = query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Self.normal(parts[0], parts.count > 1 ? parts[1] : "")
        }
        let actual = list.elements.map { Self.normal($0["name"]?.text ?? "", $0["value"]?.text ?? "") }
        guard expected.sorted() != actual.sorted() else { return }
        report(
            .warning, .queryMismatch, at: list,
            expected.count == actual.count
                ? "The parameters in `queryString` are not those of the URL, which counts."
                : "`queryString` has \(actual.count) parameters, the URL \(expected.count); the URL counts.")
    }

    /// The form in which the ways of tools to write a parameter are the same.
    private static func normal(_ name: some StringProtocol, _ value: some StringProtocol) -> String {
        let parts = [decoded(name), decoded(value)].filter { !$0.isEmpty }
        return parts.joined(separator: "=").replacing("+", with: " ")
    }

    /// The text without percent-encoding; where that is wrong, it is left.
    private static func decoded(_ text: some StringProtocol) -> String {
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
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
