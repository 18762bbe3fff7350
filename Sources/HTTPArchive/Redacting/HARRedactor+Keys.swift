extension HARRedactor {
    /// A recorded text with the bare word `REDACTED` in place of each placeholder, in base64 too.
    ///
    /// - Parameter text: The text.
    /// - Returns: The same text where there is no placeholder.
    /// - Complexity: O(*n*) in the length of the text.
    package static func withoutKeys(_ text: String) -> String {
        guard isRedacted(text) else { return text }
        var copy = text
        let changed: [UInt8]? = copy.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let edits = keyEdits(in: bytes, depth: 0)
            return edits.isEmpty ? nil : edits.applied(to: bytes)
        }
        return changed.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Whether a text has a placeholder or the bare word, in base64 too.
    ///
    /// - Parameter text: The text, such as a recorded URL.
    /// - Returns: Whether there is one; of base64, perhaps more texts than those that have one.
    /// - Complexity: O(*n*) in the length of the text.
    package static func isRedacted(_ text: String) -> Bool {
        var copy = text
        return copy.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            // The word has this letter in base64 too, and most texts have not.
            guard bytes.firstPlace(of: commonLetter) != nil else { return false }
            return bytes.firstPlace(of: Placeholder.word) != nil || hasEncodedWord(bytes)
        }
    }

    /// The placeholders of a recorded text, but for those in base64.
    ///
    /// - Parameter text: The text.
    /// - Returns: The placeholders with a key, in order; equal secrets have equal ones.
    /// - Complexity: O(*n*) in the length of the text.
    package static func placeholders(in text: String) -> [String] {
        var copy = text
        return copy.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            return Placeholder.places(in: bytes).filter { $0.count > Placeholder.word.count }
                .map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    private static func keyEdits(in text: UnsafeRawBufferPointer, depth: Int) -> [TextEdit] {
        var edits = Placeholder.places(in: text).filter { $0.count > Placeholder.word.count }
            .map { TextEdit(range: $0, replacement: Placeholder.word) }
        guard depth < Redaction.deepest, hasEncodedWord(text) else { return edits }
        for run in Base64Run.runs(in: text) {
            guard let bytes = run.decoded(in: text) else { continue }
            let inner = bytes.withUnsafeBytes { keyEdits(in: $0, depth: depth + 1) }
            if inner.isEmpty { continue }
            let plain = bytes.withUnsafeBytes { inner.applied(to: $0) }
            edits.append(TextEdit(range: run.range, replacement: run.encoded(plain)))
        }
        return edits.inOrder
    }

    private static func hasEncodedWord(_ text: UnsafeRawBufferPointer) -> Bool {
        encodedWords.contains { text.firstPlace(of: $0) != nil }
    }

    private static let commonLetter = Array("R".utf8)

    /// What base64 makes of the word, at each of three places among its groups, but for the characters that depend on what
    /// stands beside it.
    private static let encodedWords: [[UInt8]] = ["UkVEQUNURU", "JFREFDVEVE", "SRURBQ1RFR"].map { Array($0.utf8) }
}
