/// Recognizes payment card numbers (ISO/IEC 7812).
enum CardNumber {
    /// The maximum number of digits.
    private static let most = 19

    /// Returns the end offset of the card number that begins at an offset, or nil if no card number begins there.
    ///
    /// The digits are either consecutive or in groups separated by spaces or hyphens. They must not be followed by a
    /// character that makes them part of a longer number or word.
    static func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        // Most numbers are short, so this check comes before any allocation.
        let first = text[from: start, to: min(start + 4, text.count)]
        guard first.count == 4, first.allSatisfy(\.isDigit) else { return nil }
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
        guard digits.count >= 14, Set(digits).count > 1 else { return false }
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
