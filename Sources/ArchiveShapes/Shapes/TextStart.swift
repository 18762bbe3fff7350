import HTTPArchive

/// The size and up to eight bytes of a text, for comparing short texts quickly.
struct TextStart: Equatable, Sendable {
    private let size: Int
    private let bytes: UInt64

    @inline(__always)
    init(_ text: UnsafeRawBufferPointer) {
        size = text.count
        if size >= 8 {
            bytes = text.loadUnaligned(as: UInt64.self)
        } else if size >= 4 {
            // The two halves overlap.
            let end = text.loadUnaligned(fromByteOffset: size &- 4, as: UInt32.self)
            bytes = UInt64(text.loadUnaligned(as: UInt32.self)) << 32 | UInt64(end)
        } else {
            bytes = text.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Whether two texts are equal.
    ///
    /// - Parameters:
    ///   - other: The start of the other text.
    ///   - text: The whole text.
    ///   - otherText: The other text.
    /// - Returns: `true` if size and bytes are equal.
    @inline(__always)
    func matches(_ other: TextStart, _ text: @autoclosure () -> [UInt8], _ otherText: UnsafeRawBufferPointer) -> Bool {
        self == other && (size <= 8 || text().isEqual(to: otherText))
    }
}

extension [UInt8] {
    /// Whether the bytes are equal to others.
    @inline(__always)
    func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        count == other.count && withUnsafeBytes { $0.hasEqualBytes(to: other) }
    }
}
