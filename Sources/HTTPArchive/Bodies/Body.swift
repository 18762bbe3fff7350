public import Foundation

extension HAR {
    /// The body of a request or a response, as far as an archive has it.
    public enum Body: Hashable, Sendable {
        /// There was a body, or may have been one, and the archive does not have it.
        case notCaptured

        /// The bytes, free of content codings; none for an empty body.
        case data(Data)

        /// The body stands in a file of that name beside the archive, as Playwright writes it.
        case file(String)
    }
}

extension HAR.Body {
    /// The bytes; `nil` when they are not in the archive, or in a file beside it.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }
}

/// A recorded text, and what is known of the bytes that it was decoded from.
///
/// Tools decode text from the charset that the server named, from one that they found in the document or guessed, or as
/// UTF-8 whatever was said, and none notes which. What they note beside it decides.
struct BodyText {
    /// The text as it was recorded.
    let text: JSONString

    /// The charset that the header fields name.
    let charset: Charset?

    /// The number of bytes on the wire, where no content coding made it another one.
    let length: Int?

    /// The size that the tool recorded: of the bytes, or of the text in UTF-8, or of what was encoded.
    let size: Int?

    /// A way to encode a text, which also has its UTF-8 form; nil if the text has other characters.
    private typealias Encoding = (_ text: String, _ utf8: Data) -> Data?

    /// The bytes of the wire, free of content codings.
    var bytes: Data { text.isLossy ? Data(text.bytes) : encoded.bytes }

    /// Returns the number of bytes that a changed text has, encoded as this one was.
    ///
    /// - Parameter changed: The text in place of this one.
    /// - Returns: The number of bytes.
    func byteCount(of changed: JSONString) -> Int {
        if changed.isLossy { return changed.bytes.count }
        let utf8 = Data(changed.text.utf8)
        if text.isLossy { return utf8.count }
        return (encoded.encoding(changed.text, utf8) ?? utf8).count
    }

    /// The bytes of a text that is valid UTF-8, and the encoding that they were found with.
    private var encoded: (bytes: Data, encoding: Encoding) {
        let utf8 = Data(text.text.utf8)
        for count in [length, size == utf8.count ? nil : size] {
            guard let count else { continue }
            for encoding in encodings {
                if let bytes = encoding(text.text, utf8), bytes.count == count { return (bytes, encoding) }
            }
        }
        if let charset { return (charset.encode(text.text), { text, _ in charset.encode(text) }) }
        if length == nil, let bytes = misread(utf8) {
            return (bytes, { text, _ in Charset.windows1252.encodeExactly(text) })
        }
        return (utf8, { $1 })
    }

    /// The possible encodings, likely ones first.
    private var encodings: [Encoding] {
        [
            { text, _ in charset?.encodeExactly(text) },
            { $1 },
            { [0xEF, 0xBB, 0xBF] + $1 },
            { text, _ in Charset.windows1252.encodeExactly(text) },
            { text, _ in Charset.utf16LittleEndian.encodeExactly("\u{FEFF}" + text) },
            { text, _ in Charset.utf16BigEndian.encodeExactly("\u{FEFF}" + text) },
        ]
    }

    /// The bytes of UTF-8 that a tool took for Windows-1252, as Chromium does with event streams.
    private func misread(_ utf8: Data) -> Data? {
        // ASCII is the same in both.
        guard text.text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        guard let bytes = Charset.windows1252.encodeExactly(text.text), bytes != utf8,
            String(validating: bytes, as: UTF8.self) != nil
        else { return nil }
        return bytes
    }
}
