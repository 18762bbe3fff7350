import CPlatform
import Foundation

extension UnsafeRawBufferPointer {
    /// The place of the first byte of that value, found by the C library, which looks at many bytes at once.
    @inline(__always)
    func firstOffset(of byte: UInt8) -> Int? {
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
        // A name is most often as long as a word or two: two that may overlap are compared faster than a call takes.
        switch count {
        case 8...16:
            hasEqualWord(UInt64.self, to: other, at: 0) && hasEqualWord(UInt64.self, to: other, at: count &- 8)
        case 4...7:
            hasEqualWord(UInt32.self, to: other, at: 0) && hasEqualWord(UInt32.self, to: other, at: count &- 4)
        default:
            elementsEqual(other)
        }
    }

    @inline(__always)
    private func hasEqualWord<Word: FixedWidthInteger & BitwiseCopyable>(
        _ word: Word.Type, to other: UnsafeRawBufferPointer, at offset: Int
    ) -> Bool {
        loadUnaligned(fromByteOffset: offset, as: word) == other.loadUnaligned(fromByteOffset: offset, as: word)
    }
}

extension UnsafeRawBufferPointer {
    /// The first place where other bytes stand, found by the C library in linear time.
    func firstOffset(of bytes: [UInt8]) -> Int? {
        guard let baseAddress, !bytes.isEmpty, bytes.count <= count else { return nil }
        return bytes.withUnsafeBytes { wanted in
            guard let first = wanted.baseAddress, let found = search_find(baseAddress, count, first, wanted.count)
            else {
                return nil
            }
            return found - baseAddress
        }
    }
}
