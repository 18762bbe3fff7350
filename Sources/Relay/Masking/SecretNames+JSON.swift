import HTTPArchive

extension SecretNames {
    /// A JSON text without the values of members that are secrets.
    ///
    /// - Parameter json: The text, which may be cut off, or no JSON at all.
    /// - Returns: The text with all else as it was written. `null`, `true`, `false` and empty strings stay.
    /// - Complexity: O(*n*) in the length of the text.
    static func masked(json: String) -> String {
        let text = json.utf8
        var masked = ""
        var copied = text.startIndex
        var index = text.startIndex
        while let quote = text[index...].firstIndex(of: UInt8(ascii: "\"")) {
            let name = quote..<stringEnd(in: text[quote...])
            index = name.upperBound
            let colon = text[index...].drop(while: isSpace)
            guard colon.first == UInt8(ascii: ":"), isSecret(decoded(json[name])) else { continue }
            let value = colon.dropFirst().drop(while: isSpace)
            let end = valueEnd(in: value)
            index = end
            if isKept(value[..<end]) { continue }
            masked += json[copied..<value.startIndex] + "\"\(mask)\""
            copied = end
        }
        return masked + json[copied...]
    }

    /// The text of a string that may have lost its closing quotation mark.
    private static func decoded(_ name: Substring) -> String {
        let plain = name.utf8.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if plain.count + 2 == name.utf8.count { return String(Substring(plain)) }
        return (try? JSONValue(parsing: String(name)))?.text ?? String(name)
    }

    /// The end of a value; containers end with the bracket that closes the first one.
    private static func valueEnd(in text: Substring.UTF8View) -> String.Index {
        var rest = text
        var depth = 0
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\""):
                rest = rest[stringEnd(in: rest)...]
                if depth == 0 { return rest.startIndex }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return rest.startIndex }
                depth -= 1
                if depth == 0 { return rest.dropFirst().startIndex }
            case UInt8(ascii: ","): if depth == 0 { return rest.startIndex }
            default: if depth == 0, isSpace(byte) { return rest.startIndex }
            }
            rest = rest.dropFirst()
        }
        return rest.startIndex
    }

    /// The end of a string that begins with its quotation mark.
    private static func stringEnd(in text: Substring.UTF8View) -> String.Index {
        var rest = text.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
        }
        // A backslash may escape the first byte of a longer character where the text is no JSON.
        while let byte = rest.first, byte & 0xC0 == 0x80 { rest = rest.dropFirst() }
        return rest.startIndex
    }

    private static func isKept(_ value: Substring.UTF8View) -> Bool {
        ["", "null", "true", "false", "\"\""].contains { value.elementsEqual($0.utf8) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
