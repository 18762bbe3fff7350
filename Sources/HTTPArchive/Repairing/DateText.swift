import Foundation

/// Dates in formats that HAR does not allow.
enum DateText {
    /// Parses a date in any format that tools write.
    ///
    /// - Parameter text: The text: a number since 1970, a date of HTTP, or a variant of ISO 8601. Without an offset, the
    ///   date is in UTC.
    /// - Returns: The date, or nil if the text is not a date or is ambiguous.
    static func date(_ text: String) -> Date? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.utf8.count <= 30, let number = Double(text) { return date(since1970: number) }
        guard (8...64).contains(text.utf8.count) else { return nil }
        return HAR.date(variant(of: text)) ?? CookieDate.date(text)
    }

    /// Returns the date for a number of seconds, milliseconds, microseconds or nanoseconds since 1970, or nil if the
    /// number is not plausible.
    static func date(since1970 number: Double) -> Date? {
        let divisor: Double =
            switch number {
            case 1...1e11: 1
            case 1e11...1e14: 1e3
            case 1e14...1e17: 1e6
            case 1e17...1e20: 1e9
            default: 0
            }
        return divisor > 0 ? Date(timeIntervalSince1970: number / divisor) : nil
    }

    /// Returns a variant of ISO 8601 in the form that HAR requires.
    private static func variant(of text: String) -> String {
        let pattern =
            #/(\d{4})[-\/.]?(\d{2})[-\/.]?(\d{2})(?:[Tt ,]+(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)? ?(Z|z|UTC|GMT|[-+]\d{2}:?(?:\d{2})?)?/#
        guard let match = text.wholeMatch(of: pattern) else { return text }
        let (_, year, month, day, hour, minute, second, fraction, offset) = match.output
        let zone = offset.map { $0.first == "+" || $0.first == "-" ? String($0) : "Z" } ?? "Z"
        return "\(year)-\(month)-\(day)T\(hour ?? "00"):\(minute ?? "00"):\(second ?? "00")"
            + (fraction.map { ".\($0)" } ?? "") + zone
    }
}
