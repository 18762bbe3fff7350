package import Foundation

/// A parser for dates in archives (ISO 8601, https://www.rfc-editor.org/rfc/rfc3339#section-5.6).
///
/// Unlike Foundation's format style, it rejects February 31 and trailing text, and accepts more than nine fractional
/// digits.
struct ISO8601Parser {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = ArraySlice(text.utf8)
    }

    /// Parses the whole text.
    ///
    /// Returns `nil` if it is not a valid date.
    mutating func date() -> Date? {
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2, in: 1...12), take("-"),
            let day = number(digits: 2, in: 1...Self.days(in: month, of: year)), take("T", "t"),
            let hour = number(digits: 2, in: 0...23), take(":"), let minute = number(digits: 2, in: 0...59), take(":"),
            let second = number(digits: 2, in: 0...60), let fraction = fraction(), let offset = offset(), rest.isEmpty
        else { return nil }
        let days = Self.daysSince1970(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
        return Date(
            timeIntervalSinceReferenceDate: Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate + fraction)
    }

    /// Parses fractional seconds: a dot and digits.
    ///
    /// Returns 0 if there is no dot, or `nil` if there are no digits.
    private mutating func fraction() -> Double? {
        guard take(".") else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// Parses a UTC offset: `Z`, or a sign, hours and optional minutes.
    ///
    /// Returns seconds east of UTC.
    private mutating func offset() -> Int? {
        if take("Z", "z") { return 0 }
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(digits: 2, in: 0...23) else { return nil }
        let hasColon = take(":")
        guard hasColon || !rest.isEmpty else { return (isEast ? 3600 : -3600) * hours }
        return number(digits: 2, in: 0...59).map { (isEast ? 60 : -60) * (hours * 60 + $0) }
    }

    private mutating func take(_ letters: Unicode.Scalar...) -> Bool {
        guard let first = rest.first, letters.contains(Unicode.Scalar(first)) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func number(digits count: Int, in range: ClosedRange<Int> = 0...9999) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(count)
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(number) ? number : nil
    }

    /// Returns the number of days in a month.
    static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Returns the number of days from January 1, 1970 to a date in the Gregorian calendar.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        // Years begin in March here, so that a leap day is the last day of its year.
        let years = month > 2 ? year : year - 1
        let months = month > 2 ? month - 3 : month + 9
        let leapDays = years >= 0 ? years / 4 - years / 100 + years / 400 : -1
        return years * 365 + leapDays + (153 * months + 2) / 5 + day - 1 - 719_468
    }
}

/// A formatter for dates in archives (ISO 8601, https://www.rfc-editor.org/rfc/rfc3339#section-5.6).
enum ISO8601Writer {
    /// The years 0000 through 9999, in milliseconds since 1970.
    static let range = -62_167_219_200_000.0...253_402_300_799_999.0

    /// Formats a date in UTC with milliseconds.
    ///
    /// - Parameter milliseconds: The number of milliseconds since 1970. Fractions are discarded.
    /// - Returns: The formatted date, clamped to the years 0000 through 9999.
    static func text(milliseconds: Double) -> String {
        let whole = Int(clamping: min(max(milliseconds, range.lowerBound), range.upperBound))
        let thousandths = (whole % 1000 + 1000) % 1000
        var text = ISO8601Text(seconds: (whole - thousandths) / 1000)
        text.append(".", thousandths, digits: 3)
        text.append("Z")
        return text.string
    }
}

/// A date as text, which begins with the date and the time up to the seconds.
struct ISO8601Text {
    private static let secondsOfDay = 86_400

    /// The text in ASCII.
    var bytes: [UInt8] = []

    var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Creates a text such as `2026-01-31T08:00:00`.
    ///
    /// - Parameter seconds: The number of seconds since 1970, in the years 0000 through 9999.
    init(seconds: Int) {
        let timeOfDay = (seconds % Self.secondsOfDay + Self.secondsOfDay) % Self.secondsOfDay
        let (year, month, day) = Self.civil(daysSince1970: (seconds - timeOfDay) / Self.secondsOfDay)
        bytes.reserveCapacity(33)
        append("", year, digits: 4)
        append("-", month, digits: 2)
        append("-", day, digits: 2)
        append("T", timeOfDay / 3600, digits: 2)
        append(":", timeOfDay / 60 % 60, digits: 2)
        append(":", timeOfDay % 60, digits: 2)
    }

    /// Appends text, and a number with leading zeros.
    mutating func append(_ separator: StaticString, _ number: Int = 0, digits: Int = 0) {
        bytes += UnsafeBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount)
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        while scale > 1 {
            scale /= 10
            bytes.append(UInt8(ascii: "0") + UInt8(number / scale % 10))
        }
    }

    /// Converts a day number to a date in the Gregorian calendar, which repeats every 400 years (146,097 days).
    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        // Years begin in March here, so that a leap day is the last day of its year. Day 0 is March 1 of the year -400.
        let days = days + 719_468 + 146_097
        let (cycle, dayOfCycle) = days.quotientAndRemainder(dividingBy: 146_097)
        let leapDays = dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (400 * (cycle - 1) + yearOfCycle + (month < 3 ? 1 : 0), month, day)
    }
}

/// Dates in cookies (RFC 6265, section 5.1.1, https://www.rfc-editor.org/rfc/rfc6265#section-5.1.1) and other header
/// fields.
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

    /// Formats a date as HTTP requires (RFC 9110, section 5.6.7,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7).
    ///
    /// - Parameter date: The date. Fractions of a second are discarded.
    /// - Returns: The text, such as `Wed, 21 Oct 2026 07:28:00 GMT`, or `nil` if the year has more than four digits.
    package static func text(_ date: Date) -> String? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        guard ISO8601Writer.range.contains(seconds * 1000) else { return nil }
        let parts = ISO8601Writer.text(milliseconds: seconds * 1000).split { "-T.".contains($0) }
        // Day 0, January 1, 1970, was a Thursday.
        let day = Int(clamping: (seconds / 86_400).rounded(.down))
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][(day % 7 + 7) % 7]
        let month = months[(Int(parts[1]) ?? 1) - 1].capitalized
        return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(parts[3]) GMT"
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
