/// A value that has a name, where the name may say that the value is a secret.
struct NamedValue {
    /// What kind of text the value stands in.
    enum Context { case header, cookie, query, form, json, container, number }

    /// The name, with nothing escaped.
    let name: String

    /// The value, with nothing escaped.
    let bytes: [UInt8]

    /// Where it stands.
    let context: Context
}

/// What decides on the values that are found by their names, in URLs, forms and JSON.
protocol SecretReplacing {
    /// Whether the value of a name may be a secret, so that it need be looked at.
    mutating func isCandidate(_ name: String, in context: NamedValue.Context) -> Bool

    /// What stands in place of a value; `nil` for a value that stays.
    mutating func replacement(for value: NamedValue) -> [UInt8]?

    /// Edits within a value that stays, which had escapes.
    mutating func edits(inUnescaped text: [UInt8]) -> [TextEdit]

    /// Whether a name is also that of the values inside an object.
    func isPassedOn(_ name: String) -> Bool
}

extension SecretReplacing {
    /// Edits in a text with escapes.
    mutating func edits(in text: DecodedText, at offset: Int) -> [TextEdit] {
        let edits = edits(inUnescaped: text.bytes)
        return edits.isEmpty ? [] : text.escaped(edits.inOrder).map { $0.moved(by: offset) }
    }
}

extension SecretReplacing {
    /// Edits in items as a query or a form has them.
    ///
    /// - Parameters:
    ///   - text: Items between `&`; a mark of a query or a fragment may stand before them.
    ///   - context: The kind of text that the names are in.
    /// - Returns: The edits. A secret value reaches to the next `&`, whatever it has.
    mutating func formEdits(in text: UnsafeRawBufferPointer, as context: NamedValue.Context) -> [TextEdit] {
        var edits: [TextEdit] = []
        var start = 0
        while start <= text.count {
            let rest = text[from: start]
            let end = start + (rest.firstOffset(of: UInt8(ascii: "&")) ?? rest.count)
            if end > start {
                edits += itemEdits(in: text[from: start, to: end], as: context).map { $0.moved(by: start) }
            }
            start = end + 1
        }
        return edits
    }

    /// One item; there may be several to those who separate items by `;`, or have a query in the fragment.
    private mutating func itemEdits(in item: UnsafeRawBufferPointer, as context: NamedValue.Context) -> [TextEdit] {
        var nameStart = 0
        var start = 0
        // So that an item of nothing but names takes no longer than its length.
        var tries = 0
        for index in 0..<item.count {
            switch item[index] {
            case UInt8(ascii: "?"), UInt8(ascii: ";"), UInt8(ascii: "#"), UInt8(ascii: "/"): nameStart = index + 1
            case UInt8(ascii: "="):
                let name = Self.formText(item[from: nameStart, to: index])
                start = index + 1
                nameStart = start
                guard start < item.count, tries < 16, isCandidate(name, in: context) else { continue }
                tries += 1
                let value = NamedValue(name: name, bytes: Self.formBytes(item[from: start]), context: context)
                if let replacement = replacement(for: value) {
                    return [TextEdit(range: start..<item.count, replacement: replacement)]
                }
            default: break
            }
        }
        guard item.firstOffset(of: UInt8(ascii: "%")) != nil || item.firstOffset(of: UInt8(ascii: "+")) != nil
        else { return [] }
        let first = item.firstOffset(of: UInt8(ascii: "=")).map { $0 + 1 } ?? 0
        return edits(in: DecodedText(percentEncoded: item[from: first], isForm: true), at: first)
    }

    /// The bytes that a name or a value of a form stands for.
    static func formBytes(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        DecodedText(percentEncoded: text, isForm: true).bytes
    }

    private static func formText(_ text: UnsafeRawBufferPointer) -> String {
        // What is too long for a name need not be read.
        String(decoding: text.count <= 1024 ? formBytes(text) : [UInt8](text.prefix(1024)), as: UTF8.self)
    }
}
