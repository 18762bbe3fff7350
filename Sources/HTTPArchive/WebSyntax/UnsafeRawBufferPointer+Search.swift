import CPlatform
import Foundation

extension UnsafeRawBufferPointer {
    /// Returns the offset of the first occurrence of a byte, using `memchr`, which compares many bytes at once.
    @inline(__always)
    package func firstOffset(of byte: UInt8) -> Int? {
        guard let baseAddress, let found = memchr(baseAddress, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }

    /// The bytes from one offset to another as a buffer with zero-based indices.
    ///
    /// `end` defaults to the end of this buffer.
    @inlinable
    package subscript(from start: Int, to end: Int? = nil) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[start..<(end ?? count)])
    }

    /// The bytes in a range as a buffer with zero-based indices.
    @inlinable
    package subscript(rebasing range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// Returns whether two buffers contain the same bytes.
    ///
    /// The buffers must have the same size.
    @inlinable @inline(__always)
    package func hasEqualBytes(to other: UnsafeRawBufferPointer) -> Bool {
        Self.shortSizes.contains(count) ? hasEqualShortBytes(to: other) : elementsEqual(other)
    }

    /// The sizes of most names, in bytes.
    @inlinable package static var shortSizes: ClosedRange<Int> { 2...16 }

    /// Returns whether two buffers of the same short size contain the same bytes.
    ///
    /// Comparing two words, which may overlap, is faster than a function call.
    @inlinable @inline(__always)
    package func hasEqualShortBytes(to other: UnsafeRawBufferPointer) -> Bool {
        if count >= 8 {
            hasEqualWord(UInt64.self, to: other, at: 0) && hasEqualWord(UInt64.self, to: other, at: count &- 8)
        } else if count >= 4 {
            hasEqualWord(UInt32.self, to: other, at: 0) && hasEqualWord(UInt32.self, to: other, at: count &- 4)
        } else {
            hasEqualWord(UInt16.self, to: other, at: 0) && hasEqualWord(UInt16.self, to: other, at: count &- 2)
        }
    }

    @inlinable @inline(__always)
    package func hasEqualWord<Word: FixedWidthInteger & BitwiseCopyable>(
        _ word: Word.Type, to other: UnsafeRawBufferPointer, at offset: Int
    ) -> Bool {
        loadUnaligned(fromByteOffset: offset, as: word) == other.loadUnaligned(fromByteOffset: offset, as: word)
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether two buffers have the same size and contain the same bytes.
    package func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else {
            return count == other.count
        }
        return memcmp(start, otherStart, count) == 0
    }

    /// Returns a hash of the bytes for a table in which collisions only cost time.
    ///
    /// - Parameter seed: The hash of the bytes before, or 0.
    /// - Returns: The hash, whose highest bits depend on all bytes.
    func quickHash(after seed: UInt64) -> UInt64 {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash = (seed ^ UInt64(count)) &* factor
        var offset = 0
        while offset &+ 8 <= count {
            hash = (hash ^ hash >> 32 ^ loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* factor
            offset &+= 8
        }
        var rest: UInt64 = 0
        while offset < count {
            rest = rest << 8 | UInt64(self[offset])
            offset &+= 1
        }
        return (hash ^ hash >> 32 ^ rest) &* factor
    }

    /// Whether no byte is greater than 127.
    package var isASCII: Bool {
        var offset = 0
        while offset &+ 64 <= count {
            var union: UInt64 = 0
            for word in 0..<8 { union |= loadUnaligned(fromByteOffset: offset &+ 8 &* word, as: UInt64.self) }
            if union & 0x8080_8080_8080_8080 != 0 { return false }
            offset &+= 64
        }
        var union: UInt8 = 0
        while offset < count {
            union |= self[offset]
            offset &+= 1
        }
        return union < 0x80
    }

    /// Whether the bytes are valid UTF-8.
    package var isUTF8: Bool { isASCII || String(validating: self, as: UTF8.self) != nil }

    /// Returns the offset of the first occurrence of `bytes`, in linear time.
    package func firstOffset(of bytes: [UInt8]) -> Int? {
        bytes.count > count ? nil : bytes.withUnsafeBytes { firstOffset(of: $0, search_find) }
    }

    /// Returns the offset of the first occurrence of `bytes`, in linear time.
    func firstOffset(of bytes: UnsafeRawBufferPointer) -> Int? { firstOffset(of: bytes, search_find) }

    /// Returns the offset of the first occurrence of a text, ignoring the case of ASCII letters.
    ///
    /// - Parameter text: The text, without uppercase letters.
    /// - Returns: The offset.
    /// - Complexity: O(*n*), if the text is short.
    package func firstOffset(ofLowercase text: [UInt8]) -> Int? {
        text.withUnsafeBytes { firstOffset(of: $0, search_find_ignoring_case) }
    }

    @inline(__always)
    private func firstOffset(
        of bytes: UnsafeRawBufferPointer,
        _ find: (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeRawPointer?
    ) -> Int? {
        guard let baseAddress, let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
        return find(baseAddress, count, start, bytes.count).map { $0 - baseAddress }
    }
}

extension String {
    /// Calls a closure with the UTF-8 bytes of the text.
    @inlinable @inline(__always)
    package func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        if let result = try utf8.withContiguousStorageIfAvailable({ try body(UnsafeRawBufferPointer($0)) }) {
            return result
        }
        var text = self
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }

    /// Returns whether two strings have the same bytes, which canonically equivalent strings need not have.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && withUTF8Bytes { bytes in other.withUTF8Bytes { bytes.isEqual(to: $0) } }
    }
}

extension Substring {
    /// Calls a closure with the UTF-8 bytes of the text.
    package func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the buffer begins with bytes that are not UTF-8 text.
    package var isBinary: Bool {
        let start = prefix(64)
        if start.allSatisfy({ $0 < 0x7F && ($0 >= 0x20 || 0x09...0x0D ~= $0 || $0 == 0x1B || $0 == 0x1E) }) {
            return false
        }
        // The prefix may end within a character.
        let end = start.lastIndex { $0 < 0x80 }.map { $0 + 1 } ?? start.lastIndex { $0 >= 0xC0 } ?? start.endIndex
        return start.contains { $0 < 0x09 || 0x0E...0x1A ~= $0 || $0 == 0x1C || $0 == 0x1D || $0 == 0x1F }
            || String(validating: start[..<end], as: UTF8.self) == nil
    }
}

extension UInt64 {
    /// Returns a word with the highest bit of each byte set that is less than a limit, which is at most 128.
    ///
    /// Only the lowest set bit is reliable. Higher bits may be set for other bytes.
    @inline(__always)
    func bytes(below limit: UInt8) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        return (self &- ones &* UInt64(limit)) & ~self & (ones << 7)
    }

    /// Returns a word with the highest bit of each byte set that equals a byte, with the same limitation.
    @inline(__always)
    func bytes(equalTo byte: UInt8) -> UInt64 {
        // The exclusive or turns these bytes into zero bytes.
        (self ^ (0x0101_0101_0101_0101 &* UInt64(byte))).bytes(below: 1)
    }
}
