extension JSONNode {
    /// The text of the value without whitespace, and with each string escaped as ``JSONGenerator`` escapes it.
    ///
    /// The text is copied in long parts, because most strings need no change.
    var compactText: [UInt8] {
        source.bytes.withUnsafeBytes { text in
            source.tokens.withUnsafeBufferPointer { tokens in
                let range = range
                var compact: [UInt8] = []
                compact.reserveCapacity(range.count)
                // The start of the text that has not been copied, and the end of the last token.
                var (copied, end) = (range.lowerBound, range.lowerBound)
                for token in tokens[index..<next] {
                    let start = JSONText.skipGap(in: text, from: end)
                    if end < start {
                        // Most gaps are a comma or a colon, possibly followed by whitespace.
                        let separator = JSONText.isWhitespace(text[end]) ? end : end &+ 1
                        if separator < start {
                            compact.append(contentsOf: text[copied..<separator])
                            for byte in text[separator..<start] where !JSONText.isWhitespace(byte) {
                                compact.append(byte)
                            }
                            copied = start
                        }
                    }
                    end = Int(token.end)
                    guard token.kind == .string || token.kind == .key else { continue }
                    let string = text[from: start &+ 1, to: end &- 1]
                    guard string.count != token.next, !Self.isCompact(string) else { continue }
                    let value = JSONValue.string(JSONString(source: string))
                    compact.append(contentsOf: text[copied..<start])
                    compact.append(contentsOf: JSONGenerator.text(of: value, layout: .compact))
                    copied = end
                }
                compact.append(contentsOf: text[copied..<end])
                return compact
            }
        }
    }

    /// Returns whether all escape sequences in a string are those that ``JSONGenerator`` writes.
    ///
    /// Returns `false` for every Unicode escape sequence, because most of them are unnecessary.
    private static func isCompact(_ string: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while let backslash = string[from: offset].firstOffset(of: UInt8(ascii: "\\")) {
            let letter = string[offset &+ backslash &+ 1]
            if letter == UInt8(ascii: "/") || letter == UInt8(ascii: "u") { return false }
            offset &+= backslash &+ 2
        }
        return true
    }
}
