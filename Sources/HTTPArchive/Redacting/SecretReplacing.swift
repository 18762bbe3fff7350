/// A value that has a name, where the name may say that the value is a secret.
struct NamedValue {
    /// What kind of text the value stands in.
    enum Place { case header, cookie, query, form, json, container, number }

    /// The name, with nothing escaped.
    let name: String

    /// The value, with nothing escaped.
    let bytes: [UInt8]

    /// Where it stands.
    let place: Place
}

/// What decides on the values that are found by their names, in URLs, forms and JSON.
protocol SecretReplacing {
    /// Whether the value of a name may be a secret, so that it need be looked at.
    mutating func isCandidate(_ name: String, in place: NamedValue.Place) -> Bool

    /// What stands in place of a value; `nil` for a value that stays.
    mutating func replacement(for value: NamedValue) -> [UInt8]?

    /// Edits within a value that stays, which had escapes.
    mutating func edits(inUnescaped text: [UInt8]) -> [TextEdit]

    /// Whether a name is also that of the values inside an object.
    func isPassedOn(_ name: String) -> Bool
}

extension SecretReplacing {
    /// Edits in a text with escapes.
    mutating func edits(in text: DecodedText, at place: Int) -> [TextEdit] {
        let edits = edits(inUnescaped: text.bytes)
        return edits.isEmpty ? [] : text.escaped(edits.inOrder).map { $0.moved(by: place) }
    }
}
