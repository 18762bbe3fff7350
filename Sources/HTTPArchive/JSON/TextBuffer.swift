/// Growing memory for JSON text.
///
/// An array would check its uniqueness for each part of the text.
struct TextBuffer: ~Copyable {
    private var memory = UnsafeMutableRawPointer.allocate(byteCount: 0, alignment: 1)

    /// The size of the memory, in bytes.
    private var capacity = 0

    /// The number of bytes in the text.
    private(set) var count = 0

    deinit { memory.deallocate() }

    /// The text.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    mutating func removeAll() { count = 0 }

    /// Makes room for more bytes.
    @inline(__always)
    private mutating func reserve(_ added: Int) {
        if capacity &- count < added { grow(by: added) }
    }

    @inline(never)
    private mutating func grow(by added: Int) {
        capacity = max(count + added, 2 * capacity, 4096)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (memory + count).copyMemory(from: start, byteCount: bytes.count)
        count &+= bytes.count
    }

    /// Adds spaces.
    mutating func append(spaces: Int) {
        // Whole words are written, most often one or two.
        reserve(spaces &+ 8)
        var offset = 0
        while offset < spaces {
            memory.storeBytes(of: 0x2020_2020_2020_2020, toByteOffset: count &+ offset, as: UInt64.self)
            offset &+= 8
        }
        count &+= spaces
    }

    /// Adds text with the escape sequences that JSON requires (RFC 8259, section 7), in their shortest form.
    ///
    /// A single pass copies text while searching for the next character to escape, because most names are short, and
    /// JSON in a body has a quotation mark about every six bytes.
    mutating func append(escaping text: UnsafeRawBufferPointer) {
        guard let start = text.baseAddress else { return }
        // Room for the rest of the text and a word, which is longer than any escape sequence.
        reserve(text.count &+ 8)
        // The compiler keeps local variables in registers.
        var (offset, rest, end) = (0, text.count, count)
        while rest > 0 {
            let word = Self.word(start + offset, rest)
            memory.storeBytes(of: word.littleEndian, toByteOffset: end, as: UInt64.self)
            // The zeros after the end of the text are among these bytes.
            let special =
                word.bytes(below: 0x20) | word.bytes(equalTo: UInt8(ascii: "\""))
                | word.bytes(equalTo: UInt8(ascii: "\\"))
            let plain = special.trailingZeroBitCount / 8
            (offset, rest, end) = (offset &+ plain, rest &- plain, end &+ plain)
            if special == 0 || rest == 0 { continue }
            end &+= escape(start.load(fromByteOffset: offset, as: UInt8.self), at: end)
            (offset, rest, count) = (offset &+ 1, rest &- 1, end)
            reserve(rest &+ 8)
        }
        count = end
    }

    /// Returns the first eight bytes, or fewer followed by zeros, with the first byte as the lowest one.
    @inline(__always)
    private static func word(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
        if count >= 8 { return UInt64(littleEndian: start.loadUnaligned(as: UInt64.self)) }
        func part<Part: FixedWidthInteger & BitwiseCopyable>(_ part: Part.Type, at offset: Int) -> UInt64 {
            UInt64(Part(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: part))) &<< (8 &* offset)
        }
        // The parts overlap.
        return count >= 4
            ? part(UInt32.self, at: 0) | part(UInt32.self, at: count &- 4)
            : part(UInt8.self, at: 0) | part(UInt8.self, at: count / 2) | part(UInt8.self, at: count &- 1)
    }

    /// Writes the escape sequence of a character into reserved memory, and returns its size.
    @inline(__always)
    private func escape(_ byte: UInt8, at offset: Int) -> Int {
        let letter =
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
            case UInt8(ascii: "\n"): UInt8(ascii: "n")
            case UInt8(ascii: "\r"): UInt8(ascii: "r")
            case UInt8(ascii: "\t"): UInt8(ascii: "t")
            case 0x08: UInt8(ascii: "b")
            case 0x0C: UInt8(ascii: "f")
            default: UInt8(ascii: "u")
            }
        memory.storeBytes(of: UInt8(ascii: "\\"), toByteOffset: offset, as: UInt8.self)
        memory.storeBytes(of: letter, toByteOffset: offset &+ 1, as: UInt8.self)
        if letter != UInt8(ascii: "u") { return 2 }
        let digits = [0x30, 0x30, Hexadecimal.uppercase(byte >> 4), Hexadecimal.uppercase(byte & 0xF)]
        for (index, digit) in digits.enumerated() {
            memory.storeBytes(of: digit, toByteOffset: offset + 2 + index, as: UInt8.self)
        }
        return 6
    }
}
