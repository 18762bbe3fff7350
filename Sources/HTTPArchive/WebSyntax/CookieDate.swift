package import Foundation

/// Dates in cookies (RFC 6265, section 5.1.1, https://www.rfc-editor.org/rfc/rfc6265#section-5.1.1).
package enum CookieDate {
    /// Parses a date in any format that servers use.
    ///
    /// - Parameter text: The text, such as `Wed, 21 Oct 2026 07:28:00 GMT`.
    /// - Returns: The date, or `nil` if the text is not a date.
    package static func date(_ text: String) -> Date? {
        var time: [Int]?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        guard year >= 1601 else { return nil }
        let digits = ([month, day] + time).map { $0 < 10 ? "0\($0)" : "\($0)" }
        var parser = ISO8601Parser("\(year)-\(digits[0])-\(digits[1])T\(digits[2]):\(digits[3]):\(digits[4])Z")
        return parser.date()
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Parses hours, minutes and seconds.
    ///
    /// Trailing text is ignored.
    private static func time(_ token: Substring.UTF8View) -> [Int]? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 1...2, isWhole: true),
            let minute = number(parts[1], digits: 1...2, isWhole: true), let second = number(parts[2], digits: 1...2)
        else { return nil }
        return [hour, minute, second]
    }

    /// Parses the number at the start of a token.
    ///
    /// Returns `nil` if the number of digits is not in `digits`.
    private static func number(
        _ token: Substring.UTF8View, digits: ClosedRange<Int>, isWhole: Bool = false
    ) -> Int? {
        let found = token.prefix { (0x30...0x39).contains($0) }
        guard digits.contains(found.count), !isWhole || found.count == token.count else { return nil }
        return Int(Substring(found))
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = String(Substring(token.prefix(3))).lowercased()
        return months.firstIndex(of: name).map { $0 + 1 }
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
