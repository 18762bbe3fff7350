import Foundation

/// Decodes the text of a JSON string, which may be Base64, in chunks.
///
/// The text need not be valid.
struct JSONTextDecoder {
    private let isBase64: Bool

    /// The beginning of an escape sequence whose end is in the next chunk.
    private var escape: [UInt8] = []

    /// The characters of Base64 that do not form a complete group of four.
    private var characters: [UInt8] = []

    /// The size of the longest escape sequence, a surrogate pair.
    private static let longestEscape = 12

    /// Creates a decoder.
    ///
    /// - Parameter isBase64: Whether the text is in Base64.
    init(isBase64: Bool) { self.isBase64 = isBase64 }

    /// Decodes a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The next bytes between the quotation marks.
    ///   - isLast: Whether the string ends after the chunk.
    /// - Returns: The decoded bytes, or nil if the text is not valid.
    mutating func decode(_ chunk: [UInt8], isLast: Bool) -> [UInt8]? {
        let source = escape.isEmpty ? chunk : escape + chunk
        let text: [UInt8]? = source.withUnsafeBytes { source in
            guard let end = Self.end(of: source, isLast: isLast) else { return nil }
            escape = Array(source[end...])
            return JSONString.bytes(of: source[from: 0, to: end])
        }
        guard isBase64, let text else { return text }
        return decodeBase64(text, isLast: isLast)
    }

    private mutating func decodeBase64(_ text: [UInt8], isLast: Bool) -> [UInt8]? {
        // Foundation's decoder is faster, but accepts neither line breaks nor the alphabet for URLs.
        if characters.isEmpty, isLast || text.last != UInt8(ascii: "="), let data = Data(base64Encoded: Data(text)) {
            return [UInt8](data)
        }
        guard let added = text.withUnsafeBytes(Base64.characters) else { return nil }
        characters += added
        let count = isLast ? characters.count : characters.count & ~3
        let bytes = characters.withUnsafeBytes { Base64.decode($0[from: 0, to: count]) }
        characters.removeFirst(count)
        return bytes
    }

    /// Returns the end of the text that can be decoded without the next chunk, or nil if an escape sequence is invalid.
    private static func end(of text: UnsafeRawBufferPointer, isLast: Bool) -> Int? {
        var offset = 0
        while let found = text[from: offset].firstOffset(of: UInt8(ascii: "\\")) {
            let start = offset + found
            if !isLast, start + longestEscape > text.count { return start }
            guard let size = size(ofEscape: text[from: start]) else { return nil }
            offset = start + size
        }
        return text.count
    }

    /// Returns the size of the escape sequence at the start of text, or nil if it is invalid.
    private static func size(ofEscape text: UnsafeRawBufferPointer) -> Int? {
        let letters = text[from: 0, to: min(6, text.count)]
        guard text.count >= 2 else { return nil }
        if text[1] != UInt8(ascii: "u") { return JSONText.hasValidEscapes(text[from: 0, to: 2]) ? 2 : nil }
        guard letters.count == 6, JSONText.hasValidEscapes(letters) else { return nil }
        let next = text[from: 6, to: min(12, text.count)]
        guard next.count >= 2, next[0] == UInt8(ascii: "\\"), next[1] == UInt8(ascii: "u") else { return 6 }
        guard next.count == 6, JSONText.hasValidEscapes(next) else { return nil }
        return JSONEscape(in: text, at: 0).size
    }
}
