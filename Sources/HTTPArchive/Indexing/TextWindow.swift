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
        while start < end, JSONText.isWhitespace(bytes[start]) { start &+= 1 }
        while start < end, JSONText.isWhitespace(bytes[end &- 1]) { end &-= 1 }
        return bytes[from: start, to: end]
    }
}
