/// The part of a file that is in memory, addressed by places of the file.
struct TextWindow {
    private let bytes: UnsafeRawPointer

    /// The number of bytes of the file before them.
    private let start: Int

    /// Takes the bytes, of which the first one stands at `start`.
    init(bytes: UnsafeRawPointer, start: Int) {
        self.bytes = bytes
        self.start = start
    }

    /// The byte at a place.
    subscript(place: Int) -> UInt8 {
        @inline(__always) get { bytes.load(fromByteOffset: place &- start, as: UInt8.self) }
    }

    /// The bytes at places.
    subscript(places: Range<Int>) -> UnsafeRawBufferPointer {
        @inline(__always) get {
            UnsafeRawBufferPointer(start: bytes + (places.lowerBound &- start), count: places.count)
        }
    }

    /// Bytes without white space at the ends.
    static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var (start, end) = (0, bytes.count)
        while start < end, isWhitespace(bytes[start]) { start &+= 1 }
        while start < end, isWhitespace(bytes[end &- 1]) { end &-= 1 }
        return bytes[from: start, to: end]
    }

    /// Whether the byte is white space to JSON (RFC 8259, section 2).
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
