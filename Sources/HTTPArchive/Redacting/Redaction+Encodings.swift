/// Redaction of text that is encoded within other text.
extension Redaction {
    /// Returns the edits that redact decoded text, with ranges in the encoded text.
    mutating func edits(in text: DecodedText, at offset: Int, as style: TextStyle = .prose) -> [TextEdit] {
        let edits = edits(inUnescaped: text.bytes, as: style)
        return edits.isEmpty ? [] : text.escaped(edits.inOrder).map { $0.moved(by: offset) }
    }

    /// Returns the edits that redact unescaped text.
    mutating func edits(inUnescaped text: [UInt8], as style: TextStyle = .prose) -> [TextEdit] {
        text.withUnsafeBytes { text in deeper { $0.textEdits(in: text, as: style) } }
    }

    /// Returns an edit that redacts a Base64 candidate, or nil if it contains no secrets.
    ///
    /// In messages, compressed text that is too large to be searched is a secret.
    mutating func base64Edit(_ candidate: Base64Candidate, in text: UnsafeRawBufferPointer) -> TextEdit? {
        guard let bytes = candidate.decoded(in: text) else { return nil }
        do throws(HARError) {
            return try redacted(binary: bytes).map {
                TextEdit(range: candidate.range, replacement: candidate.encoded($0))
            }
        } catch {
            isIncomplete = true
            return rules.mask.map { TextEdit(range: candidate.range, replacement: $0.secret) }
        }
    }

    /// Returns decoded bytes with their secrets replaced, or nil if they contain none.
    ///
    /// - Throws: `limitExceeded` if compressed bytes are too large to be searched.
    private mutating func redacted(binary bytes: [UInt8]) throws(HARError) -> [UInt8]? {
        if let compressed = try CompressedBytes(bytes, mayBeRaw: false, budget: &inflatable) {
            let inner = edits(inUnescaped: compressed.content)
            guard !inner.isEmpty else { return nil }
            return compressed.replacing(content: compressed.content.withUnsafeBytes { inner.applied(to: $0) })
        }
        if let inner = bytes.withUnsafeBytes({ wideEdits(in: $0, as: nil) }) {
            return inner.isEmpty ? nil : bytes.withUnsafeBytes { inner.applied(to: $0) }
        }
        guard !rules.isASCII || !repeated.isASCII || Self.hasText(bytes) else { return nil }
        let inner = edits(inUnescaped: bytes, as: bytes.withUnsafeBytes { $0.isBinary } ? .binary : .prose)
        return inner.isEmpty ? nil : bytes.withUnsafeBytes { inner.applied(to: $0) }
    }

    /// Processes a percent sign, which may begin an escape sequence.
    mutating func passPercent(in text: UnsafeRawBufferPointer, at offset: Int, _ state: inout TextScan) -> Int {
        guard offset >= state.decodedEnd, depth < Self.deepest, Self.isASCIIEscape(in: text, at: offset) else {
            return offset + 1
        }
        let characters = Self.componentCharacters
        var start = offset
        while start > state.decodedEnd, offset - start < 4096, characters.contains(text[start - 1]) { start -= 1 }
        var end = offset
        while end < text.count, characters.contains(text[end]) { end += 1 }
        let isForm = offset < state.namesEnd
        let decoded = DecodedText(percentEncoded: text[from: start, to: end], isForm: isForm)
        state.decodedEnd = end
        state.edits += edits(in: decoded, at: start)
        return offset + 1
    }

    private static func isASCIIEscape(in text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        offset + 2 < text.count && 0x32...0x37 ~= text[offset + 1] && text[offset + 2].hexadecimalDigit != nil
    }

    private static let componentCharacters = ByteSet.visible.subtracting("\"'`<>&=?#;,(){}[]|\\")

    /// Processes an ampersand, which may begin a character reference in XML or HTML.
    mutating func passReference(in text: UnsafeRawBufferPointer, at offset: Int, _ state: inout TextScan) -> Int {
        guard offset >= state.decodedEnd, depth < Self.deepest,
            let (scalar, _) = DecodedText.reference(in: text, at: offset), scalar != "\u{A0}", scalar.value < 0x80
        else { return offset + 1 }
        let ends = Self.endsOfMarkupText
        var start = offset
        while start > state.decodedEnd, offset - start < 4096, !ends.contains(text[start - 1]) { start -= 1 }
        let quote = start > 0 && text[start - 1] == UInt8(ascii: "\"") ? UInt8(ascii: "\"") : UInt8(ascii: "<")
        var end = offset
        while end < text.count, text[end] != UInt8(ascii: "<"), text[end] != UInt8(ascii: ">"), text[end] != quote {
            end += 1
        }
        let decoded = DecodedText(markup: text[from: start, to: end])
        state.decodedEnd = end
        state.edits += edits(in: decoded, at: start, as: state.style)
        return offset + 1
    }

    private static let endsOfMarkupText = ByteSet("<>\"")

    /// Processes a backslash, which may begin an escape sequence in a string literal.
    mutating func passEscape(in text: UnsafeRawBufferPointer, at offset: Int, _ state: inout TextScan) -> Int {
        guard offset >= state.decodedEnd, depth < Self.deepest, Self.isTextEscape(in: text, at: offset) else {
            // The letter of an escape sequence such as `\n` is not part of a name.
            let isEscape = offset + 1 < text.count && "bfnrt".utf8.contains(text[offset + 1])
            return offset + (isEscape ? 2 : 1)
        }
        let ends = Self.endsOfStrings
        var start = offset
        while start > state.decodedEnd, offset - start < 256, !ends.contains(text[start - 1]) { start -= 1 }
        var end = offset
        while end < text.count, text[end] != UInt8(ascii: "\""), text[end] != 0x0A {
            end += text[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end, text.count)
        let decoded = DecodedText(json: text[from: start, to: end])
        state.decodedEnd = end
        // Text without valid escape sequences would otherwise be searched again at every depth.
        if decoded.bytes.count < end - start { state.edits += edits(in: decoded, at: start, as: state.style) }
        return offset + 2
    }

    private static let endsOfStrings = ByteSet("\"'`\n")

    /// Whether an escape sequence represents a printable ASCII character.
    private static func isTextEscape(in text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard offset + 3 < text.count else { return false }
        switch text[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "\\"): return true
        case UInt8(ascii: "x"): return 0x32...0x37 ~= text[offset + 2]
        case UInt8(ascii: "u"):
            return offset + 5 < text.count && text[offset + 2] == 0x30 && text[offset + 3] == 0x30
                && 0x32...0x37 ~= text[offset + 4]
        default: return false
        }
    }

    /// Whether the bytes contain a run of ASCII text that is long enough to include a secret.
    ///
    /// Random bytes rarely contain one.
    private static func hasText(_ bytes: [UInt8]) -> Bool {
        var count = 0
        for byte in bytes {
            count = 0x20...0x7E ~= byte || 0x09...0x0D ~= byte ? count + 1 : 0
            if count == shortestSecret { return true }
        }
        return false
    }

    private static let shortestSecret = 8
}
