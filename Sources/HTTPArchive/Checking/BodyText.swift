/// What can be told about the text of a body without holding it decoded.
struct BodyText {
    /// The number of bytes in UTF-8.
    private(set) var byteCount = 0

    private(set) var isASCII = true

    /// Whether U+FFFD is in it.
    private(set) var hasReplacement = false

    init(_ node: JSONNode) {
        var last: UInt32 = 0
        node.forEachByte { byte in
            byteCount += 1
            if byte >= 0x80 { isASCII = false }
            last = (last << 8 | UInt32(byte)) & 0xFFFFFF
            if last == 0xEFBFBD { hasReplacement = true }
        }
    }
}
