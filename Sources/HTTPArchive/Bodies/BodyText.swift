import Foundation

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

    /// The bytes of the wire, free of content codings.
    var bytes: Data {
        if text.isLossy { return Data(text.bytes) }
        let utf8 = Data(text.text.utf8)
        if let length, let data = candidates(utf8).first(where: { $0.count == length }) { return data }
        if let size, size != utf8.count, let data = candidates(utf8).first(where: { $0.count == size }) { return data }
        if let charset { return charset.encode(text.text) }
        return length == nil ? misread(utf8) ?? utf8 : utf8
    }

    /// What the bytes may be, the likely first.
    private func candidates(_ utf8: Data) -> some Sequence<Data> {
        let text = text.text
        let all: [() -> Data?] = [
            { charset?.encodeExactly(text) },
            { utf8 },
            { [0xEF, 0xBB, 0xBF] + utf8 },
            { Charset.windows1252.encodeExactly(text) },
            { Charset.utf16LittleEndian.encodeExactly("\u{FEFF}" + text) },
            { Charset.utf16BigEndian.encodeExactly("\u{FEFF}" + text) },
        ]
        return all.lazy.compactMap { $0() }
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
