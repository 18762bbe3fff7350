import Foundation

/// Finds the bytes that a recorded text was decoded from.
enum BodyText {
    /// The bytes of the wire, free of content codings, for a text in an archive.
    ///
    /// Tools record text decoded from the charset that the server named, or from one that they found in the document.
    /// The size beside the text tells which, where the possibilities differ in length.
    ///
    /// - Parameters:
    ///   - text: The recorded text.
    ///   - charset: The charset that the headers name, if any.
    ///   - size: The size that was recorded, in bytes.
    /// - Returns: The bytes, in the most likely encoding.
    static func bytes(of text: String, charset: Charset?, size: Int?) -> Data {
        let candidates: [() -> Data] = [
            { (charset ?? .utf8).encode(text) },
            { Data(text.utf8) },
            { Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8) },
            { Charset.windows1252.encode(text) },
            { Data([0xFF, 0xFE]) + (Charset(label: "utf-16le") ?? .utf8).encode(text) },
            { Data([0xFE, 0xFF]) + (Charset(label: "utf-16be") ?? .utf8).encode(text) },
        ]
        guard let size else { return candidates[0]() }
        let first = candidates[0]()
        if first.count == size { return first }
        return candidates.dropFirst().lazy.map { $0() }.first { $0.count == size } ?? first
    }
}
