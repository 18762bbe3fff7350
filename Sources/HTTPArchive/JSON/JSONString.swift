/// A JSON string.
///
/// Nearly every string is just its ``text``. A string that holds what a Swift `String` cannot (the escape of half a
/// surrogate pair, or bytes that are not UTF-8) also keeps the characters as the file has them, so that it is written
/// back unchanged.
public struct JSONString: Hashable, Sendable {
    /// The decoded text; U+FFFD stands where the string holds something that is no text.
    public let text: String

    /// What stands between the quotes in the file, where ``text`` does not hold all of it.
    let source: [UInt8]?

    /// Whether ``text`` has U+FFFD in place of something else.
    public var isLossy: Bool { source != nil }

    /// Creates a string from text.
    ///
    /// - Parameter text: The text, without escapes.
    public init(_ text: String) {
        self.text = text
        source = nil
    }
}

extension JSONString {
    /// Whether both hold the same characters; unlike for `String`, letters composed in different ways differ.
    public static func == (first: JSONString, second: JSONString) -> Bool {
        first.text.utf8.count == second.text.utf8.count && first.text.utf8.elementsEqual(second.text.utf8)
            && first.source == second.source
    }
}

extension JSONString: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a string from a literal.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text.
    public var description: String { text }
}

extension JSONString {
    /// Decodes what stands between the quotes of a string that yajl has accepted.
    ///
    /// - Parameter source: The bytes between the quotes, escapes included.
    init(source: UnsafeRawBufferPointer) {
        guard source.firstOffset(of: UInt8(ascii: "\\")) != nil else {
            self.init(decoded: source, source: source, isWhole: true)
            return
        }
        // No escape is shorter than what it stands for.
        self = withUnsafeTemporaryAllocation(byteCount: source.count, alignment: 1) { buffer in
            var count = 0
            let isWhole = Self.unescape(source) { part in
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: part)
                count += part.count
            }
            return Self(
                decoded: UnsafeRawBufferPointer(rebasing: buffer[..<count]), source: source, isWhole: isWhole)
        }
    }

    private init(decoded bytes: UnsafeRawBufferPointer, source: UnsafeRawBufferPointer, isWhole: Bool) {
        if isWhole, let text = String(validating: bytes, as: UTF8.self) {
            self.init(text)
        } else {
            self.init(text: String(decoding: bytes, as: UTF8.self), source: [UInt8](source))
        }
    }

    private init(text: String, source: [UInt8]) {
        self.text = text
        self.source = source
    }

    /// The bytes that the string stands for: its UTF-8, or what the file has instead.
    ///
    /// A lone surrogate from U+DC80 to U+DCFF is the byte that it was made of where a program decoded bytes that were no
    /// text (https://peps.python.org/pep-0383/); another one is U+FFFD.
    var bytes: [UInt8] {
        guard let source else { return [UInt8](text.utf8) }
        var bytes: [UInt8] = []
        source.withUnsafeBytes { source in
            _ = Self.unescape(
                source,
                replacing: {
                    (0xDC80...0xDCFF).contains($0) ? [UInt8(truncatingIfNeeded: $0)] : Self.replacementCharacter
                },
                into: { bytes.append(contentsOf: $0) })
        }
        return bytes
    }

    /// Resolves the escapes of a string (RFC 8259, section 7).
    ///
    /// - Parameters:
    ///   - source: What stands between the quotes.
    ///   - replace: Gives the bytes for half a surrogate pair; U+FFFD by default.
    ///   - body: Called with each piece of the bytes.
    /// - Returns: `false` when half a surrogate pair was replaced.
    @discardableResult @inline(__always)
    static func unescape(
        _ source: UnsafeRawBufferPointer,
        replacing replace: (_ surrogate: UInt32) -> [UInt8] = { _ in replacementCharacter },
        into body: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var isWhole = true
        var rest = source
        while let backslash = rest.firstOffset(of: UInt8(ascii: "\\")) {
            if backslash > 0 { body(rest[from: 0, to: backslash]) }
            let escape = JSONEscape(in: rest, at: backslash)
            rest = rest[from: backslash + escape.size]
            if let scalar = Unicode.Scalar(escape.unit) {
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    withUnsafeBytes(of: byte) { body($0) }
                }
            } else {
                isWhole = false
                replace(escape.unit).withUnsafeBytes(body)
            }
        }
        body(rest)
        return isWhole
    }

    /// U+FFFD in UTF-8.
    static let replacementCharacter: [UInt8] = [0xEF, 0xBF, 0xBD]
}

extension String {
    /// The text of what stands between the quotes of a string that yajl has accepted.
    ///
    /// The same as the text of a ``JSONString``, without telling whether U+FFFD stands for something else.
    ///
    /// - Parameters:
    ///   - source: The bytes between the quotes.
    ///   - hasEscape: Whether there may be a backslash among them.
    init(source: UnsafeRawBufferPointer, hasEscape: Bool) {
        guard hasEscape else {
            self.init(decoding: source, as: UTF8.self)
            return
        }
        // No escape is shorter than what it stands for.
        self.init(unsafeUninitializedCapacity: source.count) { text in
            Self.unescape(source, into: UnsafeMutableRawBufferPointer(text))
        }
    }

    /// Resolves escapes in one pass, which copies and looks for the next backslash at once.
    ///
    /// Texts of programs and data have an escape every thirty bytes: to search and to copy such short pieces by functions of
    /// the C library takes longer than their bytes do.
    ///
    /// - Returns: The number of bytes written.
    private static func unescape(_ source: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer) -> Int {
        var offset = 0
        var count = 0
        while offset < source.count {
            if offset &+ 8 <= source.count {
                let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // As many bytes were read as written, or more: there is room for eight.
                text.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
                let backslashes = backslashes(in: UInt64(littleEndian: word))
                let plain = backslashes == 0 ? 8 : backslashes.trailingZeroBitCount / 8
                offset &+= plain
                count &+= plain
                if backslashes == 0 { continue }
            } else if source[offset] != UInt8(ascii: "\\") {
                text[count] = source[offset]
                offset &+= 1
                count &+= 1
                continue
            }
            let escape = JSONEscape(in: source, at: offset)
            offset &+= escape.size
            if escape.unit < 0x80 {
                text[count] = UInt8(truncatingIfNeeded: escape.unit)
                count &+= 1
            } else {
                for byte in UTF8.encode(Unicode.Scalar(escape.unit) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                    text[count] = byte
                    count += 1
                }
            }
        }
        return count
    }

    /// The highest bits of the bytes that are a backslash; the lowest such byte is right, those above it may not be.
    @inline(__always)
    private static func backslashes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        return (difference &- ones) & ~difference & (ones << 7)
    }
}
