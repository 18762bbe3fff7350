extension Redaction {
    /// Returns the edits in the value of a header field.
    mutating func headerEdits(in value: UnsafeRawBufferPointer, named name: String) -> [TextEdit] {
        if value.isEmpty { return [] }
        let folded = name.lowercased()
        if rules.strength(of: name, in: .header) == .none, rules.strength(of: name, in: .json) == .none {
            return otherEdits(in: value, named: folded)
        }
        switch folded {
        case "cookie", "cookie2": return cookieEdits(in: value)
        case "set-cookie", "set-cookie2": return setCookieEdits(in: value)
        default: break
        }
        guard isCandidate(name, in: .header),
            let replacement = replacement(for: NamedValue(name: name, bytes: [UInt8](value), context: .header))
        else { return otherEdits(in: value, named: folded) }
        return [TextEdit(range: 0..<value.count, replacement: replacement)]
    }

    private mutating func otherEdits(in value: UnsafeRawBufferPointer, named folded: String) -> [TextEdit] {
        switch folded {
        case "cookie", "cookie2": cookieEdits(in: value)
        case "set-cookie", "set-cookie2": setCookieEdits(in: value)
        case ":path", "content-location", "location", "referer": urlEdits(in: value)
        default: textEdits(in: value)
        }
    }

    /// Returns the edits of the values in `Cookie` (RFC 6265, section 5.4).
    ///
    /// A pair without a name is a value too.
    private mutating func cookieEdits(in value: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        for pair in value.split(separator: UInt8(ascii: ";")) {
            edits += pairEdit(in: value, pair.startIndex..<pair.endIndex)
        }
        return (edits + plainEdits(in: value)).inOrder
    }

    /// Returns the edits of the values in `Set-Cookie` (RFC 6265, section 4.1).
    ///
    /// Attributes are unchanged. Several fields may be joined by line breaks or commas.
    private mutating func setCookieEdits(in value: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        for line in value.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            for (index, part) in line.split(separator: UInt8(ascii: ";")).enumerated() {
                let range = part.startIndex..<part.endIndex
                if index == 0 {
                    edits += pairEdit(in: value, range)
                } else if let next = Self.nextCookie(in: value, range) {
                    edits += pairEdit(in: value, next)
                }
            }
        }
        return (edits + plainEdits(in: value)).inOrder
    }

    /// Returns the range of the cookie after a comma in an attribute.
    ///
    /// The comma in a date is not followed by `=`.
    private static func nextCookie(in value: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int>? {
        guard let equals = value[range].lastIndex(of: UInt8(ascii: "=")),
            let comma = value[range.lowerBound..<equals].lastIndex(of: UInt8(ascii: ","))
        else { return nil }
        return comma + 1..<range.upperBound
    }

    private mutating func pairEdit(in text: UnsafeRawBufferPointer, _ range: Range<Int>) -> [TextEdit] {
        let equals = text[range].firstIndex(of: UInt8(ascii: "="))
        let name = equals.map { Self.trimmed(text, range.lowerBound..<$0) }
        var value = Self.trimmed(text, (equals.map { $0 + 1 } ?? range.lowerBound)..<range.upperBound)
        // Quotation marks around the value remain, because the lists of cookies have the value without them.
        if value.count >= 2, text[value.lowerBound] == UInt8(ascii: "\""),
            text[value.upperBound - 1] == UInt8(ascii: "\"")
        {
            value = value.lowerBound + 1..<value.upperBound - 1
        }
        let edit = cookieEdit(
            named: name.map { String(decoding: text[$0], as: UTF8.self) } ?? "", [UInt8](text[value]))
        return edit.map { [TextEdit(range: value, replacement: $0)] } ?? []
    }

    /// Returns the placeholder for the value of a cookie, or nil if the value is not a secret.
    mutating func cookieEdit(named name: String, _ value: [UInt8]) -> [UInt8]? {
        guard isCandidate(name, in: .cookie) else { return nil }
        return placeholder(for: value, .cookie, name: name.isEmpty ? nil : name)
    }

    private static func trimmed(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int> {
        var range = range
        while !range.isEmpty, text[range.lowerBound].isBlank { range = range.dropFirst() }
        while !range.isEmpty, text[range.upperBound - 1].isBlank { range = range.dropLast() }
        return range
    }
}
