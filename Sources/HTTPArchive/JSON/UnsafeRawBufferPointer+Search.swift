import Foundation

extension UnsafeRawBufferPointer {
    /// The place of the first byte of that value, found by the C library, which looks at many bytes at once.
    @inline(__always)
    func firstPlace(of byte: UInt8) -> Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }

    /// The bytes from one place to another, the end by default, as a buffer of their own.
    @inline(__always)
    subscript(from start: Int, to end: Int? = nil) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[start..<(end ?? count)])
    }

    /// Whether both have the same bytes, where they have as many.
    @inline(__always)
    func hasEqualBytes(to other: UnsafeRawBufferPointer) -> Bool {
        guard let baseAddress, let start = other.baseAddress else { return isEmpty && other.isEmpty }
        return memcmp(baseAddress, start, count) == 0
    }
}
