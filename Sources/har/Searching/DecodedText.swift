import HTTPArchive

/// A text with its escape sequences replaced by the characters that they represent.
struct DecodedText {
    /// The decoded text.
    let text: String

    /// The ends of the escape sequences as offsets in UTF-8, in order; empty if the decoded bytes are not valid UTF-8.
    private let ends: [(decoded: Int, source: Int)]

    private init(_ bytes: [UInt8], _ ends: [(decoded: Int, source: Int)]) {
        let valid = String(validating: bytes, as: UTF8.self)
        text = valid ?? String(decoding: bytes, as: UTF8.self)
        self.ends = valid == nil ? [] : ends
    }

    /// Returns the matches in the decoded text that do not overlap a match in the source.
    ///
    /// - Parameters:
    ///   - matches: The matches in the decoded text, in order.
    ///   - sourceMatches: The matches in the source, in order.
    ///   - source: The source.
    /// - Returns: The remaining matches.
    /// - Complexity: O(*n*) in the length of the texts.
    func matches(
        _ matches: [Range<String.Index>], besides sourceMatches: [Range<String.Index>], in source: String
    ) -> [Range<String.Index>] {
        guard !matches.isEmpty, !sourceMatches.isEmpty else { return matches }
        if ends.isEmpty { return matches.count > sourceMatches.count ? matches : [] }
        let known = Self.offsets(of: sourceMatches, in: source)
        var (next, end) = (0, 0)
        return zip(matches, Self.offsets(of: matches, in: text)).compactMap { match, range in
            let start = sourceOffset(range.lowerBound, &end)
            let limit = sourceOffset(range.upperBound, &end)
            while next < known.count, known[next].upperBound <= start { next += 1 }
            return next < known.count && known[next].lowerBound < limit ? nil : match
        }
    }

    /// Returns the offset in the source for an offset in the decoded text.
    ///
    /// - Parameters:
    ///   - offset: The offset, which is not less than in the previous call.
    ///   - end: The number of escape sequences before the offset.
    /// - Returns: The offset in the source.
    private func sourceOffset(_ offset: Int, _ end: inout Int) -> Int {
        while end < ends.count, ends[end].decoded <= offset { end += 1 }
        return end == 0 ? offset : ends[end - 1].source + offset - ends[end - 1].decoded
    }

    private static func offsets(of ranges: [Range<String.Index>], in text: String) -> [Range<Int>] {
        var (position, offset) = (text.startIndex, 0)
        func advance(to index: String.Index) -> Int {
            offset += text.utf8.distance(from: position, to: index)
            position = index
            return offset
        }
        return ranges.map { range in
            let start = advance(to: range.lowerBound)
            return start..<advance(to: range.upperBound)
        }
    }

    // MARK: Decoding

    /// Decodes the escape sequences in the strings of JSON text, or returns nil if it has no escape sequences.
    ///
    /// Control characters, such as `\n`, remain escaped, so that the lines of the text are the same.
    ///
    /// - Parameter source: JSON text, or any text that contains it.
    init?(json source: String) {
        var source = source
        let decoded = source.withUTF8 { Self.decodedJSON(UnsafeRawBufferPointer($0)) }
        guard let decoded else { return nil }
        self.init(decoded.bytes, decoded.ends)
    }

    private static let backslash = [UInt8(ascii: "\\")]

    private static func decodedJSON(
        _ source: UnsafeRawBufferPointer
    ) -> (bytes: [UInt8], ends: [(decoded: Int, source: Int)])? {
        var bytes: [UInt8] = []
        var ends: [(decoded: Int, source: Int)] = []
        var offset = 0
        while let count = UnsafeRawBufferPointer(rebasing: source[offset...]).firstOffset(of: backslash) {
            let start = offset + count
            bytes += source[offset..<start]
            guard start + 1 < source.count else {
                offset = start
                break
            }
            switch source[start + 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
                bytes.append(source[start + 1])
                offset = start + 2
                ends.append((bytes.count, offset))
            case UInt8(ascii: "u"):
                if let (scalar, length) = Self.scalar(in: source, at: start) {
                    bytes += String(Character(scalar)).utf8
                    offset = start + length
                    ends.append((bytes.count, offset))
                } else {
                    fallthrough
                }
            default:
                bytes += source[start..<start + 2]
                offset = start + 2
            }
        }
        guard !ends.isEmpty else { return nil }
        bytes += source[offset...]
        return (bytes, ends)
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

    /// Decodes a percent-encoded form, or returns nil if nothing in it is encoded.
    init?(form source: String) {
        self.init(percentEncoded: source, spaces: 0..<source.utf8.count)
    }

    /// Decodes a percent-encoded URL, or returns nil if nothing in it is encoded.
    ///
    /// In the query, a plus sign represents a space.
    init?(url source: String) {
        let start = source.utf8.firstIndex(of: UInt8(ascii: "?")) ?? source.endIndex
        let end = source.utf8[start...].firstIndex(of: UInt8(ascii: "#")) ?? source.endIndex
        let lower = source.utf8.distance(from: source.startIndex, to: start)
        self.init(percentEncoded: source, spaces: lower..<lower + source.utf8.distance(from: start, to: end))
    }

    /// Decodes percent-encoded text in which plus signs in a range represent spaces.
    private init?(percentEncoded source: String, spaces: Range<Int>) {
        let isEncoded = source.utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        guard isEncoded else { return nil }
        var source = source
        var bytes: [UInt8] = []
        var ends: [(decoded: Int, source: Int)] = []
        source.withUTF8 { source in
            bytes.reserveCapacity(source.count)
            var offset = 0
            while offset < source.count {
                let byte = source[offset]
                if byte == UInt8(ascii: "%"), offset + 2 < source.count,
                    let high = source[offset + 1].hexadecimalDigit, let low = source[offset + 2].hexadecimalDigit
                {
                    bytes.append(high << 4 | low)
                    offset += 3
                    ends.append((bytes.count, offset))
                } else if byte == UInt8(ascii: "+"), spaces.contains(offset) {
                    bytes.append(0x20)
                    offset += 1
                    ends.append((bytes.count, offset))
                } else {
                    bytes.append(byte)
                    offset += 1
                }
            }
        }
        guard !ends.isEmpty else { return nil }
        self.init(bytes, ends)
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
