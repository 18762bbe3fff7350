extension Redaction {
    /// Whether a text begins as a document of GraphQL does (https://spec.graphql.org/October2021/#sec-Document).
    static func isGraphQL(_ text: UnsafeRawBufferPointer) -> Bool {
        let start = JSONPlaces.skipBlanks(in: text, from: 0)
        guard start < text.count, "qmsf{".utf8.contains(text[start]) else { return false }
        let rest = text[from: start]
        return ["query", "mutation", "subscription", "fragment", "{"].contains { rest.starts(with: $0.utf8) }
    }

    /// Edits of the arguments that stand in a document of GraphQL itself, and not in its variables.
    mutating func graphQLEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        var place = 0
        while let found = text[from: place].firstPlace(of: UInt8(ascii: ":")) {
            let colon = place + found
            place = colon + 1
            var start = colon
            while start > 0, text[start - 1].isPartOfWord, colon - start < 256 { start -= 1 }
            let quote = JSONPlaces.skipBlanks(in: text, from: place)
            guard start < colon, quote < text.count, text[quote] == UInt8(ascii: "\"") else { continue }
            let end = JSONPlaces.stringEnd(in: text, from: quote).end
            place = end
            let name = String(decoding: text[start..<colon], as: UTF8.self)
            guard isCandidate(name, in: .json), end - quote > 2, text[end - 1] == UInt8(ascii: "\"") else { continue }
            let value = DecodedText(json: text[from: quote + 1, to: end - 1]).bytes
            if let replacement = replacement(for: NamedValue(name: name, bytes: value, place: .json)) {
                edits.append(TextEdit(range: quote + 1..<end - 1, replacement: replacement))
            }
        }
        return edits
    }
}
