/// Unescaped text, with the offset of each byte in the escaped text.
package struct DecodedText {
    /// The unescaped bytes.
    private(set) var bytes: [UInt8] = []

    /// The offset of each byte in the escaped text, followed by the end of that text.
    private var offsets: [UInt32] = []

    private let escape: ([UInt8]) -> [UInt8]

    /// Decodes the escape sequences in a JSON string (RFC 8259, section 7), and `\x` from JavaScript.
    ///
    /// An invalid `\u` sequence is unchanged. In any other invalid sequence, only the backslash is removed.
    ///
    /// - Parameter text: The text between the quotation marks, possibly truncated.
    init(json text: UnsafeRawBufferPointer) {
        escape = Self.escapedForJSON
        var offset = 0
        while offset < text.count {
            guard text[offset] == UInt8(ascii: "\\"), offset + 1 < text.count else {
                append(text[offset], at: offset)
                offset += 1
                continue
            }
            let start = offset
            let letter = text[offset + 1]
            offset += 2
            switch letter {
            case UInt8(ascii: "u"):
                guard let unit = Self.unit(in: text, at: start) else {
                    append(UInt8(ascii: "\\"), at: start)
                    append(letter, at: start)
                    continue
                }
                offset = start + 6
                var scalar = UInt32(unit)
                if unit & 0xFC00 == 0xD800, let low = Self.unit(in: text, at: offset), low & 0xFC00 == 0xDC00 {
                    scalar = 0x10000 + (UInt32(unit) & 0x3FF) << 10 + (UInt32(low) & 0x3FF)
                    offset += 6
                }
                for byte in String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8 { append(byte, at: start) }
            case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                append(UInt8(JSONEscape(in: text, at: start).unit), at: start)
            default:
                // Only JavaScript has the escape sequence `\x`.
                if letter == UInt8(ascii: "x"), offset + 1 < text.count, let high = text[offset].hexadecimalDigit,
                    let low = text[offset + 1].hexadecimalDigit
                {
                    append(high << 4 | low, at: start)
                    offset += 2
                } else {
                    append(letter, at: start)
                }
            }
        }
        offsets.append(UInt32(text.count))
    }

    /// Decodes percent-encoding.
    ///
    /// Invalid escape sequences are unchanged.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isForm: Whether a plus sign represents a space (https://url.spec.whatwg.org/#urlencoded-parsing).
    init(percentEncoded text: UnsafeRawBufferPointer, isForm: Bool) {
        escape = Self.percentEncoded
        bytes.reserveCapacity(text.count)
        offsets.reserveCapacity(text.count + 1)
        var decoder = PercentDecoder(text, plusIsSpace: isForm)
        var offset = 0
        while let byte = decoder.next() {
            append(byte, at: offset)
            offset = decoder.offset
        }
        offsets.append(UInt32(text.count))
    }

    /// Decodes the character references of XML (https://www.w3.org/TR/xml/#sec-references) and common ones of HTML.
    ///
    /// Unknown references are unchanged.
    init(markup text: UnsafeRawBufferPointer) {
        escape = Self.escapedForMarkup
        var offset = 0
        while offset < text.count {
            guard text[offset] == UInt8(ascii: "&"), let (scalar, end) = Self.reference(in: text, at: offset) else {
                append(text[offset], at: offset)
                offset += 1
                continue
            }
            for byte in String(scalar).utf8 { append(byte, at: offset) }
            offset = end
        }
        offsets.append(UInt32(text.count))
    }

    /// Decodes text in UTF-16 or UTF-32, without its byte order mark.
    ///
    /// Returns nil for bytes in another encoding. The charset alone does not decide, because an archive often contains
    /// the original charset of a body that was converted to UTF-8.
    ///
    /// - Parameters:
    ///   - text: The bytes.
    ///   - charset: The charset, if it is known.
    package init?(wide text: UnsafeRawBufferPointer, charset: @autoclosure () -> String?) {
        guard let format = WideFormat(of: text, charset: charset()), text.count <= Self.longestWideText else {
            return nil
        }
        escape = format.encoded
        bytes.reserveCapacity(text.count / format.width)
        offsets.reserveCapacity(text.count / format.width + 1)
        var offset = format.markCount
        while offset + format.width <= text.count {
            let start = offset
            var scalar = format.unit(in: text, at: &offset)
            if format.width == 2, scalar & 0xFC00 == 0xD800, offset + 2 <= text.count {
                var end = offset
                let low = format.unit(in: text, at: &end)
                if low & 0xFC00 == 0xDC00 { (scalar, offset) = (0x10000 + (scalar & 0x3FF) << 10 + (low & 0x3FF), end) }
            }
            for byte in String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8 { append(byte, at: start) }
        }
        offsets.append(UInt32(text.count))
    }

    /// The maximum length of text in UTF-16 or UTF-32, in bytes, which limits memory use.
    private static let longestWideText = 1 << 28

    /// Returns the character and the end offset of the reference at an offset, or nil if there is no known reference.
    static func reference(in text: UnsafeRawBufferPointer, at start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        let name = text[from: start + 1, to: min(start + 11, text.count)]
        guard let length = name.firstOffset(of: UInt8(ascii: ";")), length > 0 else { return nil }
        let end = start + length + 2
        if name[0] != UInt8(ascii: "#") {
            let found = references.first { $0.name.count == length && name.starts(with: $0.name) }
            return found.map { ($0.scalar, end) }
        }
        let isHexadecimal = length > 2 && name[1] | 0x20 == UInt8(ascii: "x")
        let digits = String(decoding: name[(isHexadecimal ? 2 : 1)..<length], as: UTF8.self)
        guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(value) else {
            return nil
        }
        return (scalar, end)
    }

    private static let references: [(name: [UInt8], scalar: Unicode.Scalar)] = [
        ("amp", "&"), ("quot", "\""), ("lt", "<"), ("gt", ">"), ("apos", "'"), ("equals", "="), ("colon", ":"),
        ("nbsp", "\u{A0}"),
    ].map { (Array($0.0.utf8), $0.1) }

    private mutating func append(_ byte: UInt8, at offset: Int) {
        bytes.append(byte)
        offsets.append(UInt32(offset))
    }

    /// Converts edits of the decoded text to edits of the escaped text.
    func escaped(_ edits: [TextEdit]) -> [TextEdit] {
        edits.map { edit in
            TextEdit(
                range: Int(offsets[edit.range.lowerBound])..<Int(offsets[edit.range.upperBound]),
                replacement: escape(edit.replacement))
        }
    }

    /// Returns the text escaped for a JSON string, without quotation marks.
    static func escapedForJSON(_ text: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): escaped += [UInt8(ascii: "\\"), byte]
            case 0x0A: escaped += Array(#"\n"#.utf8)
            case 0x0D: escaped += Array(#"\r"#.utf8)
            case 0x09: escaped += Array(#"\t"#.utf8)
            case ..<0x20: escaped += Array(#"\u"#.utf8) + JSONText.hexadecimal(UInt16(byte))
            default: escaped.append(byte)
            }
        }
        return escaped
    }

    /// Returns the text with all characters percent-encoded except unreserved ones (RFC 3986, section 2.3).
    static func percentEncoded(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBytes { PercentEncoding.encoded($0, keeping: .unreserved) }
    }

    private static func escapedForMarkup(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: ">"): Array("&gt;".utf8)
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            default: [byte]
            }
        }
    }

    private static func unit(in text: UnsafeRawBufferPointer, at offset: Int) -> UInt16? {
        guard offset + 6 <= text.count, text[offset] == UInt8(ascii: "\\"), text[offset + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var unit: UInt16 = 0
        for byte in text[offset + 2..<offset + 6] {
            guard let digit = byte.hexadecimalDigit else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

/// The format of text with code units of two or four bytes: UTF-16 or UTF-32.
private struct WideFormat {
    /// The length of a code unit, in bytes.
    let width: Int

    /// The length of the byte order mark, in bytes; 0 if it is missing.
    let markCount: Int

    private let isBigEndian: Bool

    /// Detects the format by the byte order mark or by the zero bytes, which are part of every ASCII character.
    init?(of text: UnsafeRawBufferPointer, charset: @autoclosure () -> String?) {
        let start = text[from: 0, to: min(text.count, 1024) & ~3]
        guard start.count >= 8 else { return nil }
        let hasBigEndianMark = start[0] == 0xFE && start[1] == 0xFF
        var isMarked = hasBigEndianMark || start[0] == 0xFF && start[1] == 0xFE
        guard isMarked || start.firstOffset(of: 0) != nil else { return nil }
        // The number of zero bytes at each offset in a unit of four bytes.
        var zeros = [0, 0, 0, 0]
        for (offset, byte) in start.enumerated() where byte == 0 { zeros[offset & 3] += 1 }
        let count = start.count / 4
        let (even, odd) = (zeros[0] + zeros[2], zeros[1] + zeros[3])
        if zeros[3] == count && zeros[2] * 4 >= count * 3 && zeros[0] * 4 <= count
            || zeros[0] == count && zeros[1] * 4 >= count * 3 && zeros[3] * 4 <= count
        {
            width = 4
            isBigEndian = zeros[0] == count
            isMarked = start.starts(with: isBigEndian ? [0, 0, 0xFE, 0xFF] : [0xFF, 0xFE, 0, 0])
        } else {
            let isDeclared = charset().map {
                ["utf-16", "utf16", "ucs-2", "unicode"].contains(where: $0.lowercased().hasPrefix)
            }
            let most = max(even, odd)
            let isLikely =
                isDeclared ?? false ? most * 4 >= count : most * 4 >= count * 6 && min(even, odd) * 4 <= count
            guard isMarked || isLikely else { return nil }
            width = 2
            isBigEndian = isMarked ? hasBigEndianMark : even > odd
        }
        markCount = isMarked ? width : 0
    }

    /// Returns the code unit at an offset, and moves the offset to its end.
    func unit(in text: UnsafeRawBufferPointer, at offset: inout Int) -> UInt32 {
        let bytes = text[offset..<offset + width]
        offset += width
        return isBigEndian
            ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Returns UTF-8 text in this format.
    func encoded(_ text: [UInt8]) -> [UInt8] {
        let string = String(decoding: text, as: UTF8.self)
        let units = width == 2 ? string.utf16.map(UInt32.init) : string.unicodeScalars.map(\.value)
        return units.flatMap { unit in
            let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> UInt32(8 * $0)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
    }
}

/// A replacement for a range of text.
struct TextEdit {
    /// The range to replace, in bytes.
    var range: Range<Int>

    /// The new bytes.
    var replacement: [UInt8]

    /// Returns the edit with its range moved by a distance.
    func moved(by distance: Int) -> TextEdit {
        TextEdit(range: range.lowerBound + distance..<range.upperBound + distance, replacement: replacement)
    }
}

extension [TextEdit] {
    /// The edits, sorted by range.
    ///
    /// Overlapping edits are merged into one, so that no part of a secret remains.
    var inOrder: [TextEdit] {
        if count < 2 { return self }
        var edits: [TextEdit] = []
        // Of several edits at the same offset, the longest is the most specific, so its replacement is used.
        let sorted = sorted {
            ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
        }
        for edit in sorted {
            guard let last = edits.last, edit.range.lowerBound < last.range.upperBound else {
                edits.append(edit)
                continue
            }
            let end = Swift.max(last.range.upperBound, edit.range.upperBound)
            edits[edits.count - 1].range = last.range.lowerBound..<end
        }
        return edits
    }

    /// Returns the text with these edits applied.
    ///
    /// The edits must be in order.
    func applied(to text: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 32 * count)
        var offset = 0
        for edit in self {
            result.append(contentsOf: text[offset..<edit.range.lowerBound])
            result += edit.replacement
            offset = edit.range.upperBound
        }
        result.append(contentsOf: text[offset...])
        return result
    }
}
