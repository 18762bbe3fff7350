extension Redaction {
    /// Returns the edits that redact the value of a header field.
    mutating func headerEdits(in value: UnsafeRawBufferPointer, named name: String) -> [TextEdit] {
        if value.isEmpty { return [] }
        let folded = name.lowercased()
        switch folded {
        case "cookie", "cookie2": return cookieEdits(in: value)
        case "set-cookie", "set-cookie2": return setCookieEdits(in: value)
        default: break
        }
        if let edit = edit(0..<value.count, named: name, in: .header, [UInt8](value)) { return [edit] }
        switch folded {
        case ":path", "content-location", "location", "referer": return urlEdits(in: value)
        default: return textEdits(in: value)
        }
    }

    /// Whether a header field with this name contains cookies.
    static func isCookieField(_ name: String) -> Bool {
        name.utf8.count <= 11 && ["cookie", "cookie2", "set-cookie", "set-cookie2"].contains(name.lowercased())
    }

    /// Returns the edits that redact the value of a `Cookie` field (RFC 6265, section 5.4).
    ///
    /// A pair without an equals sign is a value without a name.
    private mutating func cookieEdits(in value: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        for part in CookiePair<UnsafeRawBufferPointer>.parts(of: value) where !part.isEmpty {
            edits += pairEdit(in: value, part)
        }
        return (edits + scan(value, namesEnd: value.count) + otherEdits(in: value)).inOrder
    }

    /// Returns the edits that redact the value of a `Set-Cookie` field (RFC 6265, section 4.1).
    ///
    /// Attributes are left unchanged. Several fields may be joined with line breaks or commas.
    private mutating func setCookieEdits(in value: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        for line in value.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let parts = CookiePair<Slice<UnsafeRawBufferPointer>>.parts(of: line).lazy.filter { !$0.isEmpty }
            for (index, part) in parts.enumerated() {
                if index == 0 {
                    edits += pairEdit(in: value, part)
                } else if let next = Self.nextCookie(in: value, part.startIndex..<part.endIndex) {
                    edits += pairEdit(in: value, value[next])
                }
            }
        }
        return (edits + scan(value, namesEnd: value.count) + otherEdits(in: value)).inOrder
    }

    /// Returns the range of the cookie that follows a comma in an attribute, or nil if no cookie follows.
    ///
    /// A comma in a date is not followed by an equals sign.
    private static func nextCookie(in value: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int>? {
        guard let equals = value[range].lastIndex(of: UInt8(ascii: "=")),
            let comma = value[range.lowerBound..<equals].lastIndex(of: UInt8(ascii: ","))
        else { return nil }
        return comma + 1..<range.upperBound
    }

    private mutating func pairEdit(
        in text: UnsafeRawBufferPointer, _ part: Slice<UnsafeRawBufferPointer>
    ) -> [TextEdit] {
        let pair = CookiePair<UnsafeRawBufferPointer>(part)
        var value = pair.value.startIndex..<pair.value.endIndex
        // Keep quotation marks around the value, because the `cookies` array contains the value without them.
        if value.count >= 2, text[value.lowerBound] == UInt8(ascii: "\""),
            text[value.upperBound - 1] == UInt8(ascii: "\"")
        {
            value = value.lowerBound + 1..<value.upperBound - 1
        }
        let name = pair.name.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return cookieEdit(value, named: name, in: text).map { [$0] } ?? []
    }

    /// Returns the edit that replaces the value of a cookie, or nil if the value is not a secret.
    mutating func cookieEdit(_ range: Range<Int>, named name: String, in text: UnsafeRawBufferPointer) -> TextEdit? {
        guard isCandidate(name, in: .cookie), !(rules.mask != nil && name.isEmpty && range.isEmpty) else { return nil }
        let value = [UInt8](text[range])
        let replacement =
            if let mask = rules.mask {
                masked(value, named: name, in: .cookie, by: mask.secret)
            } else {
                placeholder(for: value, .cookie, name: name.isEmpty ? nil : name)
            }
        return replacement.map { TextEdit(range: range, replacement: $0) }
    }
}
