/// What a file seems to be that is no archive, told from its first bytes.
enum InputKind {
    /// The number of bytes that are looked at.
    static let headSize = 512

    /// Says what the bytes are and what to do.
    ///
    /// - Parameter head: The first bytes of the file.
    /// - Returns: `nil` when they may well be JSON.
    static func explanation(of head: [UInt8]) -> String? {
        if let signature = signatures.first(where: { head.starts(with: $0.bytes) }) { return signature.explanation }
        if head.prefix(4).contains(0) { return utf16 }
        let text = String(decoding: head, as: UTF8.self).trimmingPrefix { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard let first = text.first else { return head.count < headSize ? "The file is empty." : nil }
        switch first {
        case "{": return nil
        case "[": return "The file is a JSON array; an archive is an object with a `log`."
        case "<": return "The file seems to be HTML or XML, perhaps a page that was saved instead of the archive."
        default: break
        }
        if let call = text.prefixMatch(of: /([\p{Alphabetic}_$][\w$.]*)\s*\(/) {
            let name = call.1.prefix(40)
            return "The file is JSONP, JSON inside a call of `\(name)`; remove the call to get the archive."
        }
        return nil
    }

    private static let utf16 = "The file is UTF-16 or UTF-32; convert it to UTF-8, the encoding of JSON."

    private static let signatures: [(bytes: [UInt8], explanation: String)] = [
        ([0x1F, 0x8B], "The file is compressed with gzip; decompress it first."),
        ([0x50, 0x4B, 0x03, 0x04], "The file is a zip archive; unpack it, and open the .har file inside."),
        ([0x28, 0xB5, 0x2F, 0xFD], "The file is compressed with Zstandard; decompress it first."),
        ([0x42, 0x5A, 0x68], "The file is compressed with bzip2; decompress it first."),
        ([0x25, 0x50, 0x44, 0x46], "The file is a PDF document."),
        ([0xFF, 0xFE], utf16),
        ([0xFE, 0xFF], utf16),
    ]
}
