/// What can be told about the text of a body without holding it decoded.
struct MeasuredText {
    /// The number of bytes in UTF-8.
    private(set) var byteCount = 0

    /// Whether U+FFFD is in it.
    private(set) var hasReplacement = false

    private var scalarCount = 0

    /// The number of scalars that are two units in UTF-16.
    private var pairCount = 0

    init(_ node: JSONNode) {
        var last: UInt32 = 0
        node.forEachByte { byte in
            byteCount += 1
            if byte & 0xC0 != 0x80 { scalarCount += 1 }
            if byte >= 0xF0 { pairCount += 1 }
            last = (last << 8 | UInt32(byte)) & 0xFFFFFF
            if last == 0xEFBFBD { hasReplacement = true }
        }
    }

    var isASCII: Bool { scalarCount == byteCount }

    /// Whether the body can have had so many bytes: in UTF-8 with or without a byte order mark, in a charset of single
    /// bytes, or in UTF-16.
    func isPossible(_ size: Int) -> Bool {
        [byteCount, byteCount + 3, scalarCount, (scalarCount + pairCount + 1) * 2].contains(size)
    }
}
