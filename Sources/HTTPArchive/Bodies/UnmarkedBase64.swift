import Foundation

/// Text that is Base64 or a `data:` URL (RFC 2397, https://www.rfc-editor.org/rfc/rfc2397), although the archive does not
/// declare an encoding.
///
/// Some tools write every binary body like this. The text is decoded only if there is strong evidence, because a server
/// can also send Base64.
struct UnmarkedBase64 {
    /// The media type of the body.
    let type: MediaType?

    /// The sizes that the message had on the wire, in bytes.
    let wireSizes: [Int]

    /// The size of the body that the tool recorded, in bytes.
    var size: Int?

    /// Whether the header fields declare a content coding.
    let isCoded: Bool

    /// Returns whether text may be Base64 or a `data:` URL.
    ///
    /// - Parameters:
    ///   - start: The first bytes of the text, which ``mayBegin(_:)`` accepts.
    ///   - count: The length of the text in an archive, in bytes.
    /// - Returns: `false` if the text itself is the body.
    func mayDecode(_ start: some Collection<UInt8>, count: Int) -> Bool {
        if start.starts(with: "data:".utf8) { return true }
        let start = start.prefix(64)
        let bytes = Base64.decode(String(decoding: start, as: UTF8.self)) ?? Data()
        // Line breaks, which may be escaped, are not part of the decoded body.
        return isLikely(bytes, count: count) { (count * 2 / 3 - 4...count * 3 / 4).contains($0) }
    }

    /// Returns whether Base64 or a `data:` URL can begin with these bytes, which most texts disprove quickly.
    static func mayBegin(_ start: some Collection<UInt8>) -> Bool {
        start.starts(with: "data:".utf8)
            || start.prefix(64).allSatisfy { alphabet.contains($0) || $0 == UInt8(ascii: "=") }
    }

    /// Returns the decoded bytes of a text whose beginning ``mayBegin(_:)`` accepts, or nil if the text itself is the body.
    func decoded(_ text: String) -> Data? {
        let count = text.utf8.count
        guard count >= 4, mayDecode(text.utf8.prefix(64), count: count) else { return nil }
        if let url = Self.dataURL(text) {
            // A `data:` URL can also be the text of a body.
            let isKnownText = (wireSizes + [size]).contains(count)
            return !isKnownText && url.type == type?.essence
                || isLikely(url.bytes, count: count) { $0 == url.bytes.count }
                ? url.bytes : nil
        }
        let characters = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") || $0 == 0x0A || $0 == 0x0D }
        guard characters.allSatisfy({ Self.alphabet.contains($0) }), let bytes = Base64.decode(text), !bytes.isEmpty,
            isLikely(bytes, count: count, isSize: { $0 == bytes.count })
        else { return nil }
        return bytes
    }

    /// Returns whether the evidence for decoded bytes is strong.
    ///
    /// - Parameters:
    ///   - bytes: The decoded bytes, or the first of them.
    ///   - count: The length of the text, in bytes.
    ///   - isSize: Whether a size is the length of the decoded bytes.
    /// - Returns: Whether the text is Base64.
    private func isLikely(_ bytes: Data, count: Int, isSize: (Int) -> Bool) -> Bool {
        let hasSignature = BinarySignature.begins(bytes)
        let isText = type?.isText == true
        if wireSizes.contains(count) { return hasSignature && type?.isMedia == true }
        if (wireSizes + [size].compactMap(\.self)).contains(where: isSize) {
            let isBinary = bytes.withUnsafeBytes { $0.isBinary }
            // A short text of an unknown type can be Base64 by chance.
            return hasSignature || !isBinary || !isText && (type != nil || count >= 16)
        }
        if hasSignature, !isText || isCoded && bytes.starts(with: [0x1F, 0x8B]) { return true }
        return type?.isMedia == true && size != count && count >= 16
    }

    /// Returns the media type and the bytes of a `data:` URL, or nil for other text.
    private static func dataURL(_ text: String) -> (type: String?, bytes: Data)? {
        guard text.utf8.starts(with: "data:".utf8), let comma = text.utf8.firstIndex(of: UInt8(ascii: ",")) else {
            return nil
        }
        let head = text[..<comma].dropFirst(5).lowercased()
        let content = text[text.utf8.index(after: comma)...]
        // Other text can begin like a URL.
        guard content.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let type = MediaType(head)?.essence
        if head.hasSuffix(";base64") { return Base64.decode(String(content)).map { (type, $0) } }
        return (type, content.withUTF8Bytes { Data(PercentEncoding.bytes(of: $0)) })
    }

    private static let alphabet = ByteSet.alphanumerics.union("+/-_\r\n")
}

/// The first bytes of binary formats.
enum BinarySignature {
    /// Returns whether bytes begin like a binary file.
    static func begins(_ bytes: Data) -> Bool {
        signatures.contains { bytes.starts(with: $0) } || bytes.dropFirst(4).starts(with: "ftyp".utf8)
    }

    private static let signatures: [[UInt8]] =
        [
            "\u{7F}ELF", "GIF87a", "GIF89a", "RIFF", "%PDF-", "wOFF", "wOF2", "OTTO", "true\0", "PK\u{3}\u{4}", "OggS",
            "ID3",
        ]
        .map { Array($0.utf8) } + [
            [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0, 0, 1, 0], [0, 0, 2, 0], [0, 1, 0, 0],
            [0, 0x61, 0x73, 0x6D],
            [0x1F, 0x8B, 8], [0x28, 0xB5, 0x2F, 0xFD], [0x1A, 0x45, 0xDF, 0xA3], [0x49, 0x49, 0x2A, 0],
            [0x4D, 0x4D, 0, 0x2A], [0xFD, 0x37, 0x7A, 0x58], [0x42, 0x5A, 0x68], [0x37, 0x7A, 0xBC, 0xAF],
        ]
}
