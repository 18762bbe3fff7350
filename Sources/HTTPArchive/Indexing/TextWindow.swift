/// The part of a file that is in memory, addressed by places of the file.
struct TextWindow {
    /// The bytes.
    let bytes: UnsafeRawBufferPointer

    /// The number of bytes of the file before them.
    let start: Int

    /// The byte at a place.
    subscript(place: Int) -> UInt8 { bytes[place - start] }

    /// The bytes at places.
    subscript(places: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[places.lowerBound - start..<places.upperBound - start])
    }

    /// The bytes at places, without white space at the ends.
    func trimmed(_ places: Range<Int>) -> UnsafeRawBufferPointer {
        var places = places
        while let first = places.first, Self.isWhitespace(self[first]) { places = first + 1..<places.upperBound }
        while let last = places.last, Self.isWhitespace(self[last]) { places = places.lowerBound..<last }
        return self[places]
    }

    /// Whether the byte is white space to JSON (RFC 8259, section 2).
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
