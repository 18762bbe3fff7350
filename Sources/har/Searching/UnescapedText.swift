import HTTPArchive

/// A text with its escape sequences replaced by the characters that they represent.
struct UnescapedText {
    /// The encoding of a text.
    private enum Encoding {
        /// JSON, in which strings have escape sequences.
        case json

        /// Percent-encoding; plus signs in a range of offsets represent spaces.
        case percent(spaces: Range<Int>)
    }

    /// The decoded text.
    let text: String

    private let source: String
    private let encoding: Encoding

    /// Whether the decoded bytes are valid UTF-8, so that offsets in the bytes are offsets in the text.
    private let isValid: Bool

    /// Decodes the escape sequences in the strings of JSON text, or returns nil if it has no escape sequences.
    ///
    /// Control characters, such as `\n`, remain escaped, so that the lines of the text are the same.
    ///
    /// - Parameter source: JSON text, or any text that contains it.
    init?(json source: String) {
        guard source.utf8.contains(UInt8(ascii: "\\")) else { return nil }
        self.init(source, .json)
    }

    /// Decodes a percent-encoded form, or returns nil if nothing in it is encoded.
    init?(form source: String) {
        guard Self.mayBePercentEncoded(source) else { return nil }
        self.init(source, .percent(spaces: 0..<source.utf8.count))
    }

    private static func mayBePercentEncoded(_ source: String) -> Bool {
        source.utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
    }

    /// Decodes a percent-encoded URL, or returns nil if nothing in it is encoded.
    ///
    /// In the query, a plus sign represents a space.
    init?(url source: String) {
        guard Self.mayBePercentEncoded(source) else { return nil }
        let start = source.utf8.firstIndex(of: UInt8(ascii: "?")) ?? source.endIndex
        let end = source.utf8[start...].firstIndex(of: UInt8(ascii: "#")) ?? source.endIndex
        let lower = source.utf8.distance(from: source.startIndex, to: start)
        self.init(source, .percent(spaces: lower..<lower + source.utf8.distance(from: start, to: end)))
    }

    private init?(_ source: String, _ encoding: Encoding) {
        var isEncoded = false
        let bytes = Self.decode(source, encoding) { _, _ in isEncoded = true }
        guard isEncoded else { return nil }
        let valid = String(validating: bytes, as: UTF8.self)
        text = valid ?? String(decoding: bytes, as: UTF8.self)
        isValid = valid != nil
        self.source = source
        self.encoding = encoding
    }

    // MARK: Matches

    /// Returns the matches in the decoded text that do not overlap a match in the source.
    ///
    /// - Parameters:
    ///   - matches: The matches in the decoded text, in order.
    ///   - sourceMatches: The matches in the source, in order.
    /// - Returns: The remaining matches.
    /// - Complexity: O(*n*) in the length of the texts.
    func matches(
        _ matches: [Range<String.Index>], besides sourceMatches: [Range<String.Index>]
    ) -> [Range<String.Index>] {
        guard !matches.isEmpty, !sourceMatches.isEmpty else { return matches }
        if !isValid { return matches.count > sourceMatches.count ? matches : [] }
        let known = Self.offsets(of: sourceMatches, in: source)
        let found = sourceOffsets(of: Self.offsets(of: matches, in: text))
        var next = 0
        return matches.indices.compactMap { index in
            let (start, end) = (found[2 * index], found[2 * index + 1])
            while next < known.count, known[next + 1] <= start { next += 2 }
            return next < known.count && known[next] < end ? nil : matches[index]
        }
    }

    /// Returns the offsets in the source for ascending offsets in the decoded text.
    ///
    /// The source is decoded again, because a list of all escape sequences could be many times as large.
    private func sourceOffsets(of offsets: [Int]) -> [Int] {
        var found: [Int] = []
        var last = (decoded: 0, source: 0)
        _ = Self.decode(source, encoding) { decoded, source in
            while found.count < offsets.count, offsets[found.count] < decoded {
                found.append(last.source + offsets[found.count] - last.decoded)
            }
            last = (decoded, source)
        }
        return found + offsets[found.count...].map { last.source + $0 - last.decoded }
    }

    /// Returns the start and the end of each range, as offsets in UTF-8.
    private static func offsets(of ranges: [Range<String.Index>], in text: String) -> [Int] {
        var (position, offset) = (text.startIndex, 0)
        return ranges.flatMap { range in
            [range.lowerBound, range.upperBound].map { index in
                offset += text.utf8.distance(from: position, to: index)
                position = index
                return offset
            }
        }
    }

    // MARK: Decoding

    /// Returns the decoded bytes, and calls a closure with the end of each escape sequence as offsets in them and in the
    /// source.
    private static func decode(
        _ source: String, _ encoding: Encoding, onEscape: (_ decoded: Int, _ source: Int) -> Void
    ) -> [UInt8] {
        var source = source
        return source.withUTF8 { source in
            let source = UnsafeRawBufferPointer(source)
            return switch encoding {
            case .json: decodeJSON(source, onEscape)
            case .percent(let spaces): decodePercent(source, spaces, onEscape)
            }
        }
    }

    private static func decodeJSON(_ source: UnsafeRawBufferPointer, _ onEscape: (Int, Int) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var offset = 0
        while let count = source[from: offset].firstOffset(of: UInt8(ascii: "\\")) {
            let start = offset + count
            bytes += source[offset..<start]
            offset = min(start + 2, source.count)
            let escaped = start + 1 < source.count ? source[start + 1] : 0
            if escaped == UInt8(ascii: "u"), let (scalar, length) = scalar(in: source, at: start) {
                bytes += String(Character(scalar)).utf8
                offset = start + length
                onEscape(bytes.count, offset)
            } else if "\"\\/".utf8.contains(escaped) {
                bytes.append(escaped)
                onEscape(bytes.count, offset)
            } else {
                bytes += source[start..<offset]
            }
        }
        return bytes + source[offset...]
    }

    /// Returns the character of the Unicode escape sequences at an offset, and their length in bytes; nil if they are
    /// invalid or a control character.
    private static func scalar(
        in source: UnsafeRawBufferPointer, at offset: Int
    ) -> (scalar: Unicode.Scalar, length: Int)? {
        guard let unit = source.escapedUnit(at: offset) else { return nil }
        if 0xD800..<0xDC00 ~= unit {
            guard offset + 7 < source.count, source[offset + 6] == UInt8(ascii: "\\"),
                source[offset + 7] == UInt8(ascii: "u"), let low = source.escapedUnit(at: offset + 6),
                0xDC00..<0xE000 ~= low
            else { return nil }
            let value = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            return Unicode.Scalar(UInt32(value)).map { ($0, 12) }
        }
        guard unit >= 0x20, unit != 0x7F else { return nil }
        return Unicode.Scalar(UInt32(unit)).map { ($0, 6) }
    }

    private static func decodePercent(
        _ source: UnsafeRawBufferPointer, _ spaces: Range<Int>, _ onEscape: (Int, Int) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        let ranges = [(0..<spaces.lowerBound, false), (spaces, true), (spaces.upperBound..<source.count, false)]
        for (range, plusIsSpace) in ranges {
            let part = source[from: range.lowerBound, to: range.upperBound]
            var decoder = PercentDecoder(part, plusIsSpace: plusIsSpace)
            var start = 0
            while let byte = decoder.next() {
                bytes.append(byte)
                if decoder.offset > start + 1 || byte != part[start] {
                    onEscape(bytes.count, range.lowerBound + decoder.offset)
                }
                start = decoder.offset
            }
        }
        return bytes
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the UTF-16 code unit of the Unicode escape sequence at an offset, or nil if the sequence is invalid.
    func escapedUnit(at offset: Int) -> Int? {
        guard offset + 6 <= count else { return nil }
        var unit = 0
        for digit in self[offset + 2..<offset + 6] {
            guard let value = digit.hexadecimalDigit else { return nil }
            unit = unit << 4 | Int(value)
        }
        return unit
    }
}
