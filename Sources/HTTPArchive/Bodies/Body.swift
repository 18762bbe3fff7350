public import Foundation

extension HAR {
    /// The body of a request or a response, as recorded in an archive.
    public enum Body: Hashable, Sendable {
        /// The archive does not contain the body, although the message had, or may have had, a body.
        case notCaptured

        /// The bytes of the body after content codings are removed. They are empty for an empty body.
        case data(Data)

        /// The body is in the file with this name in the archive's folder, as in archives from Playwright.
        case file(String)
    }
}

extension HAR.Body {
    /// The bytes, or `nil` if the body was not captured or is in a separate file.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}

/// The recorded text of a body, with all available information about the bytes from which it was decoded.
///
/// Tools decode text with the charset that the server specified, with one that they found in the document or guessed,
/// or always as UTF-8. No tool records its choice, so the encoding is derived from the recorded sizes.
struct BodyText {
    /// The text as recorded.
    let text: JSONString

    /// The charset specified by the header fields.
    let charset: Charset?

    /// The size of the body in bytes, or nil if it is unknown or a content coding was applied.
    let length: Int?

    /// The recorded size, which is the size of the bytes, of the text in UTF-8, or of the encoded body, depending on
    /// the tool.
    let size: Int?

    /// A function that encodes text, or returns nil if the encoding does not support all characters.
    ///
    /// The text is also passed as UTF-8.
    private typealias Encoding = (_ text: String, _ utf8: Data) -> Data?

    /// The original bytes, after content codings are removed.
    var bytes: Data { text.isLossy ? Data(text.bytes) : encoded.bytes }

    /// Returns the size of changed text after it is encoded like the original text.
    ///
    /// - Parameter changed: The new text.
    /// - Returns: The size in bytes.
    func byteCount(of changed: JSONString) -> Int {
        if changed.isLossy { return changed.bytes.count }
        let utf8 = Data(changed.text.utf8)
        if text.isLossy { return utf8.count }
        return (encoded.encoding(changed.text, utf8) ?? utf8).count
    }

    /// The bytes of the text, which must be valid Unicode, and the encoding that produces them.
    private var encoded: (bytes: Data, encoding: Encoding) {
        let utf8 = Data(text.text.utf8)
        for count in [length, size == utf8.count ? nil : size] {
            guard let count else { continue }
            // This is the result for most bodies, so it is tested without encoding the text.
            if count == utf8.count, charset == nil || charset == .utf8 { return (utf8, { $1 }) }
            for encoding in encodings(of: count, utf8) {
                if let bytes = encoding(text.text, utf8), bytes.count == count { return (bytes, encoding) }
            }
        }
        if let charset {
            return charset == .utf8 ? (utf8, { $1 }) : (charset.encode(text.text), { text, _ in charset.encode(text) })
        }
        if length == nil, let bytes = misread(utf8) {
            return (bytes, { text, _ in Charset.windows1252.encodeExactly(text) })
        }
        return (utf8, { $1 })
    }

    /// Returns the possible encodings for a body of the given size, most likely first.
    private func encodings(of count: Int, _ utf8: Data) -> [Encoding] {
        let encodings: [Encoding] = [
            { text, _ in charset?.encodeExactly(text) },
            { $1 },
            { [0xEF, 0xBB, 0xBF] + $1 },
            { text, _ in Charset.windows1252.encodeExactly(text) },
        ]
        // The size of UTF-16 is known without encoding the text.
        guard count == 2 * (Self.utf16Count(utf8) + 1) else { return encodings }
        return encodings + [
            { text, _ in Charset.utf16LittleEndian.encodeExactly("\u{FEFF}" + text) },
            { text, _ in Charset.utf16BigEndian.encodeExactly("\u{FEFF}" + text) },
        ]
    }

    /// Returns the number of UTF-16 code units of a text in UTF-8.
    ///
    /// Each sequence of up to three bytes is one code unit, and a sequence of four bytes is two. `String.utf16` takes
    /// several times as long, because it prepares the text for access by offset.
    private static func utf16Count(_ utf8: Data) -> Int {
        utf8.withUnsafeBytes { bytes in
            var count = 0
            for byte in bytes { count += (byte & 0xC0 != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0) }
            return count
        }
    }

    /// Returns the original UTF-8 bytes if a tool decoded them as Windows-1252, as Chromium does for event streams.
    private func misread(_ utf8: Data) -> Data? {
        // ASCII text is the same in both encodings.
        if utf8.withUnsafeBytes({ $0.isASCII }) { return nil }
        guard let bytes = Charset.windows1252.encodeExactly(text.text), bytes != utf8,
            String(validating: bytes, as: UTF8.self) != nil
        else { return nil }
        return bytes
    }
}
