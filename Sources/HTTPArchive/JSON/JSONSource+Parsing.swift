import Foundation

extension JSONSource {
    /// Parses a JSON document.
    ///
    /// - Parameters:
    ///   - text: The text, or what of it follows the bytes that are skipped.
    ///   - skipped: The number of bytes in front, such as those of a byte order mark.
    ///   - limits: How large and how deep the document may be.
    /// - Returns: The document's value, with its place in the text.
    /// - Throws: `malformedJSON`, with offset, line and column; `limitExceeded`.
    static func parsing(
        _ text: some ContiguousBytes, after skipped: Int = 0, limits: JSONScanner.Limits = .init()
    ) throws(HARError) -> JSONSource {
        let scanner = JSONScanner(limits: limits)
        scanner.skip(skipped)
        var parser = JSONParser(scanner: scanner)
        do {
            try parser.feed(text)
            try parser.finish()
        } catch {
            throw text.withUnsafeBytes { error.located(in: $0, after: skipped) }
        }
        guard let source = scanner.value else { throw HARError(.malformedJSON, "There is no JSON value.") }
        return source
    }

    /// Parses text that was put together here, of any depth.
    ///
    /// - Parameter text: The text of one value.
    /// - Returns: The value.
    /// - Throws: `limitExceeded` when it is larger than the places of tokens reach.
    static func parsing(written text: [UInt8]) throws(HARError) -> JSONSource {
        try parsing(text, limits: .init(valueSize: Int(UInt32.max), depth: .max))
    }
}
