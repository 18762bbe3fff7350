/// Facts about the text of JSON that need no parser.
enum JSONText {
    /// The place of the next token: after white space, commas and colons.
    ///
    /// - Parameters:
    ///   - bytes: A text that yajl has accepted so far.
    ///   - start: The place just after a token.
    /// - Returns: The place, or the end of the text.
    static func skipGap(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while place < bytes.count, isGap(bytes[place]) { place += 1 }
        return place
    }

    /// Whether the byte stands between tokens: white space, a comma or a colon.
    ///
    /// yajl also takes vertical tabs and form feeds as white space, which JSON does not have.
    static func isGap(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"), 0x0B, 0x0C: true
        case UInt8(ascii: ","), UInt8(ascii: ":"): true
        default: false
        }
    }
}
