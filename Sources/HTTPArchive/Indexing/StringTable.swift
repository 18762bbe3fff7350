import Foundation

/// A set of numbered strings, for values that many entries share.
struct StringTable {
    /// The number that represents a missing string.
    static let none = UInt32.max

    /// The strings, indexed by their numbers.
    private(set) var texts: [String] = []

    /// The UTF-8 bytes of all strings, and the end offset of each string.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// The random seed of the hashes, which protects against files crafted to cause collisions.
    private let seed = UInt64.random(in: .min ... .max)

    /// A hash table with open addressing.
    ///
    /// Each slot contains the number of a string plus 1, or 0 if it is free.
    ///
    /// At most half of the slots are in use.
    private var slots: [UInt32] = Array(repeating: 0, count: 64)

    /// Returns the number of a string, adding the string if it is new.
    mutating func number(of text: UnsafeRawBufferPointer) -> UInt32 {
        var slot = hash(of: text) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = slots[slot] - 1
            if isText(text, of: Int(number)) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        texts.append(String(decoding: text, as: UTF8.self))
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
        slots[slot] = UInt32(texts.count)
        if 2 * texts.count > slots.count { grow() }
        return UInt32(texts.count - 1)
    }

    /// Returns the number of a string, or ``none`` for `nil`.
    mutating func number(of text: String?) -> UInt32 {
        guard var text else { return Self.none }
        return text.withUTF8 { number(of: UnsafeRawBufferPointer($0)) }
    }

    /// The string with the given number, or `nil` for ``none``.
    subscript(number: UInt32) -> String? { number == Self.none ? nil : texts[Int(number)] }

    private func isText(_ text: UnsafeRawBufferPointer, of number: Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let other = self.text(of: number, in: bytes)
            return other.count == text.count && text.hasEqualBytes(to: other)
        }
    }

    private func text(of number: Int, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        bytes[from: number == 0 ? 0 : ends[number - 1], to: ends[number]]
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: 4 * slots.count)
        for number in texts.indices {
            var slot = bytes.withUnsafeBytes { hash(of: text(of: number, in: $0)) } & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// Hashes a string, eight bytes at a time.
    private func hash(of text: UnsafeRawBufferPointer) -> Int {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash = seed ^ UInt64(truncatingIfNeeded: text.count)
        var offset = 0
        while offset &+ 8 <= text.count {
            hash = (hash ^ text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* factor
            hash ^= hash >> 32
            offset &+= 8
        }
        var rest: UInt64 = 0
        while offset < text.count {
            rest = rest << 8 | UInt64(text[offset])
            offset &+= 1
        }
        hash = (hash ^ rest) &* factor
        return Int(truncatingIfNeeded: hash >> 33)
    }
}
