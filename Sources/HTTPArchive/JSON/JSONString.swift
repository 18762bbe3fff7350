import Foundation

/// A JSON string.
///
/// ``text`` represents nearly every string exactly. A string that contains an escaped lone surrogate or invalid UTF-8
/// also keeps its original bytes, so that it is written unchanged.
public struct JSONString: Hashable, Sendable {
    /// The decoded text, with invalid Unicode replaced with U+FFFD.
    public let text: String

    /// The original bytes between the quotation marks, if ``text`` does not represent them exactly.
    let source: [UInt8]?

    /// Whether invalid Unicode was replaced with U+FFFD in ``text``.
    public var isLossy: Bool { source != nil }

    /// Creates a JSON string from a Swift string.
    ///
    /// - Parameter text: The text, without escape sequences.
    public init(_ text: String) {
        self.text = text
        source = nil
    }
}

extension JSONString {
    /// Returns whether two strings consist of the same Unicode scalars.
    ///
    /// Unlike in `String`, canonically equivalent characters are not equal.
    @inline(__always)
    public static func == (first: JSONString, second: JSONString) -> Bool {
        first.text.utf8.count == second.text.utf8.count && first.text.hasSameBytes(as: second.text)
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
    /// Decodes a string that the parser accepted.
    ///
    /// - Parameter source: The bytes between the quotation marks, including escape sequences.
    package init(source: UnsafeRawBufferPointer) {
        guard source.firstOffset(of: UInt8(ascii: "\\")) != nil else {
            self.init(decoded: source)
            return
        }
        // Decoding into the new string avoids a copy. Replaced bytes become U+FFFD, which few strings contain.
        var isWhole = true
        var text = String(unsafeUninitializedCapacity: source.count) { buffer in
            let decoded = Self.unescape(source, into: UnsafeMutableRawBufferPointer(buffer))
            isWhole = decoded.isWhole
            return decoded.count
        }
        if isWhole, text.withUTF8({ UnsafeRawBufferPointer($0).firstOffset(of: Self.replacementCharacter) }) == nil {
            self.init(text)
            return
        }
        // No escape sequence is shorter than the character that it represents.
        self = withUnsafeTemporaryAllocation(byteCount: source.count, alignment: 1) { buffer in
            let (count, isWhole) = Self.unescape(source, into: buffer)
            return Self(
                decoded: UnsafeRawBufferPointer(rebasing: buffer[..<count]), source: source, isWhole: isWhole)
        }
    }

    /// Creates a string from text without escape sequences, such as text that the parser accepted.
    init(decoded bytes: UnsafeRawBufferPointer) { self.init(decoded: bytes, source: bytes, isWhole: true) }

    private init(decoded bytes: UnsafeRawBufferPointer, source: UnsafeRawBufferPointer, isWhole: Bool) {
        // Decoding replaces invalid bytes, so compare the bytes. `String(validating:as:)` takes three times as long.
        var text = String(decoding: bytes, as: UTF8.self)
        if isWhole, text.withUTF8({ UnsafeRawBufferPointer($0).isEqual(to: bytes) }) {
            self.init(text)
        } else {
            self.init(text: text, source: [UInt8](source))
        }
    }

    private init(text: String, source: [UInt8]) {
        self.text = text
        self.source = source
    }

    /// The bytes of the text in UTF-8 or, for a lossy string, the unescaped original bytes.
    ///
    /// A lone surrogate from U+DC80 to U+DCFF represents one byte, because some programs replace invalid bytes with
    /// these surrogates when they decode text (https://peps.python.org/pep-0383/). Any other lone surrogate becomes
    /// U+FFFD.
    package var bytes: [UInt8] {
        guard let source else { return [UInt8](text.utf8) }
        return source.withUnsafeBytes(Self.bytes)
    }

    /// Returns the bytes of a string, with lone surrogates as in ``bytes``.
    ///
    /// - Parameter source: The bytes between the quotation marks, with valid escape sequences.
    /// - Returns: The bytes.
    static func bytes(of source: UnsafeRawBufferPointer) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        unescape(
            source,
            replacing: { (0xDC80...0xDCFF).contains($0) ? [UInt8(truncatingIfNeeded: $0)] : replacementCharacter },
            into: { bytes.append(contentsOf: $0) })
        return bytes
    }

    /// Returns the first bytes of a string in UTF-8, without decoding the rest.
    ///
    /// - Parameter source: The bytes between the quotation marks, with valid escape sequences. Invalid UTF-8 is not replaced.
    /// - Returns: At least 64 bytes, or all bytes of a shorter string.
    static func start(of source: UnsafeRawBufferPointer) -> [UInt8] {
        // The last character can have four bytes.
        [UInt8](unsafeUninitializedCapacity: 64 + 3) { start, count in
            var offset = 0
            while count < 64, offset < source.count {
                guard source[offset] == UInt8(ascii: "\\") else {
                    start[count] = source[offset]
                    (count, offset) = (count + 1, offset + 1)
                    continue
                }
                let escape = JSONEscape(in: source, at: offset)
                offset += escape.size
                let scalar = Unicode.Scalar(escape.unit) ?? "\u{FFFD}"
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    start[count] = byte
                    count += 1
                }
            }
        }
    }

    /// Decodes the escape sequences in a string (RFC 8259, section 7).
    ///
    /// - Parameters:
    ///   - source: The bytes between the quotation marks.
    ///   - replace: A closure that returns the bytes for a lone surrogate; U+FFFD by default.
    ///   - body: A closure that receives the decoded bytes, part by part. The character of an escape sequence is one part.
    /// - Returns: `false` if a lone surrogate was replaced.
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
                withUnsafeTemporaryAllocation(byteCount: 4, alignment: 1) { character in
                    let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
                    character.copyBytes(from: encoded)
                    body(UnsafeRawBufferPointer(rebasing: character[..<encoded.count]))
                }
            } else {
                isWhole = false
                replace(escape.unit).withUnsafeBytes(body)
            }
        }
        body(rest)
        return isWhole
    }

    /// Returns the text between the quotation marks of a string with its escape sequences decoded.
    static func unescaped(_ source: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: source.count) { buffer, count in
            count = unescape(source, into: UnsafeMutableRawBufferPointer(buffer)).count
        }
    }

    /// Decodes escape sequences in a single pass that copies text while searching for the next backslash.
    ///
    /// In source code and data, an escape sequence occurs about every thirty bytes. C library functions are slower at
    /// searching and copying such short parts.
    ///
    /// - Parameters:
    ///   - source: The bytes between the quotation marks.
    ///   - text: Memory for the decoded text, as large as the source.
    /// - Returns: The number of bytes written, and whether no lone surrogate was replaced with U+FFFD.
    fileprivate static func unescape(
        _ source: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer
    ) -> (count: Int, isWhole: Bool) {
        var isWhole = true
        var offset = 0
        var count = 0
        while offset < source.count {
            if offset &+ 8 <= source.count {
                let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // Decoding never lengthens text, so there is room for eight bytes.
                text.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
                let backslashes = UInt64(littleEndian: word).bytes(equalTo: UInt8(ascii: "\\"))
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
                let scalar = Unicode.Scalar(escape.unit)
                isWhole = isWhole && scalar != nil
                for byte in UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
                    text[count] = byte
                    count += 1
                }
            }
        }
        return (count, isWhole)
    }

    /// U+FFFD in UTF-8.
    static let replacementCharacter: [UInt8] = [0xEF, 0xBF, 0xBD]
}

extension String {
    /// Decodes a string that the parser accepted.
    ///
    /// The result is equal to the text of a ``JSONString``, but does not indicate whether invalid Unicode was replaced.
    ///
    /// - Parameters:
    ///   - source: The bytes between the quotation marks.
    ///   - hasEscape: Whether the source may contain a backslash.
    init(source: UnsafeRawBufferPointer, hasEscape: Bool) {
        guard hasEscape else {
            self.init(decoding: source, as: UTF8.self)
            return
        }
        // No escape sequence is shorter than the character that it represents.
        self.init(unsafeUninitializedCapacity: source.count) { text in
            JSONString.unescape(source, into: UnsafeMutableRawBufferPointer(text)).count
        }
    }
}

/// Decodes the text of a JSON string, which may be Base64, in chunks.
///
/// The text need not be valid.
struct JSONTextDecoder {
    private let isBase64: Bool

    /// The beginning of an escape sequence whose end is in the next chunk.
    private var escape: [UInt8] = []

    /// The characters of Base64 that do not form a complete group of four.
    private var characters: [UInt8] = []

    /// The size of the longest escape sequence, a surrogate pair.
    private static let longestEscape = 12

    /// Creates a decoder.
    ///
    /// - Parameter isBase64: Whether the text is in Base64.
    init(isBase64: Bool) { self.isBase64 = isBase64 }

    /// Decodes a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The next bytes between the quotation marks.
    ///   - isLast: Whether the string ends after the chunk.
    /// - Returns: The decoded bytes, or nil if the text is not valid.
    mutating func decode(_ chunk: [UInt8], isLast: Bool) -> [UInt8]? {
        let source = escape.isEmpty ? chunk : escape + chunk
        let text: [UInt8]? = source.withUnsafeBytes { source in
            guard let end = Self.end(of: source, isLast: isLast) else { return nil }
            escape = Array(source[end...])
            return JSONString.bytes(of: source[from: 0, to: end])
        }
        guard isBase64, let text else { return text }
        return decodeBase64(text, isLast: isLast)
    }

    private mutating func decodeBase64(_ text: [UInt8], isLast: Bool) -> [UInt8]? {
        // Foundation's decoder is faster, but accepts neither line breaks nor the alphabet for URLs.
        if characters.isEmpty, isLast || text.last != UInt8(ascii: "="), let data = Data(base64Encoded: Data(text)) {
            return [UInt8](data)
        }
        guard let added = text.withUnsafeBytes(Base64.characters) else { return nil }
        characters += added
        let count = isLast ? characters.count : characters.count & ~3
        let bytes = characters.withUnsafeBytes { Base64.decode($0[from: 0, to: count]) }
        characters.removeFirst(count)
        return bytes
    }

    /// Returns the end of the text that can be decoded without the next chunk, or nil if an escape sequence is invalid.
    private static func end(of text: UnsafeRawBufferPointer, isLast: Bool) -> Int? {
        var offset = 0
        while let found = text[from: offset].firstOffset(of: UInt8(ascii: "\\")) {
            let start = offset + found
            if !isLast, start + longestEscape > text.count { return start }
            guard let size = JSONText.escapeSize(in: text, at: start) else { return nil }
            let mayBePair = size == 6 && JSONText.escapeSize(in: text, at: start + size) == 6
            offset = start + (mayBePair ? JSONEscape(in: text, at: start).size : size)
        }
        return text.count
    }
}
