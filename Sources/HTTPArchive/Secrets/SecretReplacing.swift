/// A value with a name, which may indicate that the value is a secret.
struct NamedValue {
    /// The kind of text that contains the value.
    enum Context { case header, cookie, query, form, json, container, number }

    /// The name, unescaped.
    let name: String

    /// The value, unescaped.
    let bytes: [UInt8]

    /// The kind of text that contains the value.
    let context: Context
}

/// A policy that decides whether to replace values found by name in URLs, forms and JSON.
protocol SecretReplacing {
    /// Whether a value with this name may be a secret and must be examined.
    mutating func isCandidate(_ name: String, in context: NamedValue.Context) -> Bool

    /// Returns the replacement for a value, or nil to leave it unchanged.
    mutating func replacement(for value: NamedValue) -> [UInt8]?

    /// Returns the edits within an unescaped value that is not replaced as a whole.
    mutating func edits(inUnescaped text: [UInt8]) -> [TextEdit]

    /// Whether a name also applies to the values inside an object.
    func isPassedOn(_ name: String) -> Bool
}

extension SecretReplacing {
    /// Returns the edits in a text with escapes.
    mutating func edits(in text: DecodedText, at offset: Int) -> [TextEdit] {
        let edits = edits(inUnescaped: text.bytes)
        return edits.isEmpty ? [] : text.escaped(edits.inOrder).map { $0.moved(by: offset) }
    }
}

extension SecretReplacing {
    /// Returns the edits in the items of a query or a form.
    ///
    /// - Parameters:
    ///   - text: Items separated by `&`. The `?` of a query or the `#` of a fragment may precede them.
    ///   - context: The kind of text that contains the names.
    /// - Returns: The edits. A secret value extends to the next `&`.
    mutating func formEdits(in text: UnsafeRawBufferPointer, as context: NamedValue.Context) -> [TextEdit] {
        var edits: [TextEdit] = []
        for item in FormItemRanges(text) {
            let start = item.range.lowerBound
            let found = itemEdits(in: text[from: start, to: item.range.upperBound], as: context)
            edits += found.map { $0.moved(by: start) }
        }
        return edits
    }

    /// Returns the edits in one item.
    ///
    /// The item may contain several, because some servers separate items by `;` and some applications put a query in
    /// the fragment.
    private mutating func itemEdits(in item: UnsafeRawBufferPointer, as context: NamedValue.Context) -> [TextEdit] {
        var nameStart = 0
        var start = 0
        // The limit keeps the time linear for an item with many names.
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

    /// Returns the decoded bytes of a name or a value in a form.
    static func formBytes(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        DecodedText(percentEncoded: text, isForm: true).bytes
    }

    private static func formText(_ text: UnsafeRawBufferPointer) -> String {
        // A longer text is not a name and is not decoded completely.
        String(decoding: text.count <= 1024 ? formBytes(text) : [UInt8](text.prefix(1024)), as: UTF8.self)
    }
}
