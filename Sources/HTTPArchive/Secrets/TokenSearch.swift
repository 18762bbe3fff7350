/// Finds tokens with known prefixes, private keys and card numbers.
///
/// Create a separate search for each string, and search the string from start to end.
struct TokenSearch {
    /// The offset before which no token begins, for each format.
    ///
    /// The array is allocated when the first prefix is found, because most text has no prefix.
    private var noneBefore: [Int] = []

    /// The prefixes of all formats.
    ///
    /// A constant property is read faster than a static one.
    private let byStart = TokenPattern.byStart

    /// Whether a token other than a card number may begin with a pair of bytes, indexed by both bytes.
    static let isStart: [Bool] = {
        var isStart = [Bool](repeating: false, count: 1 << 16)
        isStart[pair(UInt8(ascii: "-"), UInt8(ascii: "-"))] = true
        for start in TokenPattern.starts { isStart[pair(start.0, start.1)] = true }
        return isStart
    }()

    /// The characters that, directly before digits, indicate a longer number or a path.
    private static let precedesFraction = ByteSet(".-/\\%")

    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }

    /// Returns the index in ``isStart`` of the two bytes at an offset.
    @inline(__always)
    static func pair(in text: UnsafeRawBufferPointer, at offset: Int) -> Int {
        offset &+ 1 < text.count ? pair(text[offset], text[offset &+ 1]) : 0
    }

    /// Returns the token at an offset.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - offset: The offset of two bytes for which ``isStart`` is true, or of a possible card number; see
    ///     ``CardNumber/mayBegin(in:at:)``. It must not be inside a word.
    /// - Returns: The kind and the range of the token, or nil if no token begins there.
    mutating func token(in text: UnsafeRawBufferPointer, at offset: Int) -> (kind: SecretKind, range: Range<Int>)? {
        let byte = text[offset]
        if byte == UInt8(ascii: "-") {
            return PrivateKey.end(in: text, from: offset).map { (.privateKey, offset..<$0) }
        }
        let bytes = TokenPattern.Start.bytes(in: text, at: offset)
        let indices = byStart.offsets[Int(byte)]..<byStart.offsets[Int(byte) + 1]
        for index in indices where byStart.starts[index].matches(bytes) {
            let start = byStart.starts[index]
            let form = TokenPattern.all[start.number]
            guard form.begins(at: offset, in: text) else { continue }
            if noneBefore.isEmpty { noneBefore = [Int](repeating: 0, count: TokenPattern.all.count) }
            if let range = form.range(in: text, at: offset, noneBefore: &noneBefore[start.number]) {
                return (form.kind, range)
            }
        }
        guard byte.isDigit else { return nil }
        let before = offset > 0 ? text[offset - 1] : 0x20
        if !Self.precedesFraction.contains(before), let end = CardNumber.end(in: text, from: offset) {
            return (.cardNumber, offset..<end)
        }
        return nil
    }
}

/// A private key in PEM format (RFC 7468, https://www.rfc-editor.org/rfc/rfc7468), with line breaks of any kind.
enum PrivateKey {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let kind = Array("PRIVATE KEY".utf8)
    private static let end = Array("-----END ".utf8)

    /// Returns the end offset of the key that begins at an offset.
    ///
    /// A truncated key extends to the end of the text.
    static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard text[from: start].starts(with: begin) else { return nil }
        let label = text[from: start + begin.count, to: min(start + begin.count + 64, text.count)]
        guard let found = label.firstOffset(of: kind) else { return nil }
        let inside = start + begin.count + found + kind.count
        let stop = text[from: inside].firstOffset(of: end).map { inside + $0 + end.count } ?? text.count
        let last = text[from: stop, to: min(stop + 64, text.count)]
        guard stop < text.count, let name = last.firstOffset(of: kind) else { return stop }
        var offset = stop + name + kind.count
        // Skip the hyphens after the label.
        while offset < text.count, text[offset] == UInt8(ascii: "-") { offset += 1 }
        return offset
    }
}

/// Recognizes payment card numbers (ISO/IEC 7812).
enum CardNumber {
    /// The minimum number of digits.
    static let least = 14

    /// The maximum number of digits.
    private static let most = 19

    /// Whether a card number may begin at an offset, unlike most numbers and dates: there are enough digits, spaces and
    /// hyphens, and the first four are digits.
    @inline(__always)
    static func mayBegin(in text: UnsafeRawBufferPointer, at start: Int) -> Bool {
        text[start].isDigit && text.count - start >= least && text[start + 1].isDigit && text[start + 2].isDigit
            && text[start + 3].isDigit && characters.containsAll(of: text, in: start..<start + least)
    }

    private static let characters = ByteSet("0123456789 -")

    /// Returns the end offset of the card number that begins at an offset, or nil if no card number begins there.
    ///
    /// The digits are either consecutive or in groups separated by spaces or hyphens. They must not be followed by a
    /// character that makes them part of a longer number or word.
    static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        // Most numbers are short, so this check comes before any allocation.
        guard mayBegin(in: text, at: start) else { return nil }
        var digits: [UInt8] = []
        var groups = [0]
        var separator: UInt8?
        var offset = start
        while offset < text.count {
            let byte = text[offset]
            if byte.isDigit {
                guard digits.count < most else { return nil }
                digits.append(byte - 0x30)
                groups[groups.count - 1] += 1
            } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-"), byte == separator ?? byte,
                offset + 1 < text.count, text[offset + 1].isDigit, (4...6).contains(groups[groups.count - 1]),
                groups.count < 5, digits.count < 16
            {
                separator = byte
                groups.append(0)
            } else {
                break
            }
            offset += 1
        }
        if offset < text.count {
            let byte = text[offset]
            if byte.isPartOfWord || "-/%".utf8.contains(byte) { return nil }
            if byte == UInt8(ascii: "."), offset + 1 < text.count, text[offset + 1].isDigit { return nil }
        }
        let isGrouped = groups.count == 1 || groups == [4, 4, 4, 4] || groups == [4, 6, 5] || groups == [4, 6, 4]
        return isGrouped && isIssued(digits) && hasCheckDigit(digits) ? offset : nil
    }

    /// Whether an issuer uses this prefix with this number of digits.
    private static func isIssued(_ digits: [UInt8]) -> Bool {
        guard digits.count >= least, Set(digits).count > 1 else { return false }
        let start = digits.prefix(4).reduce(0) { $0 * 10 + Int($1) }
        return switch (digits.count, start) {
        case (16, 4000...4999), (16, 5100...5599), (16, 2221...2720): true
        case (15, 3400...3499), (15, 3700...3799): true
        case (16, 6011), (16, 6440...6599), (16, 3528...3589): true
        case (14, 3000...3059), (14, 3600...3699), (14, 3800...3999): true
        case (16...19, 6200...6299): true
        default: false
        }
    }

    /// Whether the last digit is the correct check digit (ISO/IEC 7812-1, annex B).
    private static func hasCheckDigit(_ digits: [UInt8]) -> Bool {
        var sum = 0
        for (index, digit) in digits.reversed().enumerated() {
            let value = Int(digit) * (index % 2 == 1 ? 2 : 1)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }
}
