import HTTPArchive

/// Recognizes values that differ in every recording: times, random numbers, identifiers and tokens.
enum VolatileValue {
    /// Whether a JSON value is volatile.
    static func isVolatile(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): isVolatile(text.text)
        case .number(let number): isLongNumber(Array(number.text.utf8))
        default: false
        }
    }

    /// Whether a text is volatile.
    ///
    /// - Parameter text: The text, which may be percent-encoded.
    /// - Returns: Whether it is a number of at least 10 digits, a UUID, a date with a time, or a random token.
    static func isVolatile(_ text: String) -> Bool {
        guard 8...8192 ~= text.utf8.count else { return false }
        let bytes = Array(text.utf8)
        return isLongNumber(bytes) || isTime(bytes) || isToken(bytes) || CookieDate.date(text) != nil
    }

    /// Whether a text is a number with at least 10 digits, optionally with a sign and a fraction.
    private static func isLongNumber(_ text: [UInt8]) -> Bool {
        let digits = text.count(where: isDigit)
        let others = text.drop { $0 == UInt8(ascii: "-") }.filter { !isDigit($0) }
        return digits >= 10 && (others.isEmpty || others == [UInt8(ascii: ".")])
    }

    /// Whether a text begins with an ISO 8601 date and time.
    private static func isTime(_ text: [UInt8]) -> Bool {
        guard text.count >= 16, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { return false }
        return [0, 1, 2, 3, 5, 6, 8, 9, 11, 12].allSatisfy { isDigit(text[$0]) }
            && (text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " ") || text[10] == UInt8(ascii: "+"))
    }

    /// Whether a text is a UUID, at least 8 hexadecimal digits, or at least 16 letters and digits that look random.
    private static func isToken(_ text: [UInt8]) -> Bool {
        let digits = text.count(where: isDigit)
        guard digits >= 1 else { return false }
        if text.allSatisfy({ isDigit($0) || 0x61...0x66 ~= $0 | 0x20 || $0 == UInt8(ascii: "-") }) { return true }
        guard text.count >= 16, digits >= 2, text.count - digits >= 2 else { return false }
        return text.allSatisfy { isDigit($0) || 0x61...0x7A ~= $0 | 0x20 || "-_.~+/=%:".utf8.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
