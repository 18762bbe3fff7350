import Foundation
import HTTPArchive

/// Dates in formats that HAR does not allow.
struct DateText {
    /// The date as HAR requires it.
    let text: String

    /// Whether the text has only one meaning.
    ///
    /// It has several if its time zone is unknown, or if the day and the month may be exchanged.
    let isCertain: Bool

    /// Parses a date in any format that tools write.
    ///
    /// The formats are numbers since 1970, and any order of a date, a time and a zone. Without a zone, the date is in
    /// UTC. Returns nil if the text is not a date.
    init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...100).contains(text.utf8.count) else { return nil }
        if let date = Self.date(ofNumber: text) ?? Self.date(inParentheses: text) {
            (self.text, isCertain) = (date, true)
            return
        }
        guard let parts = DateParts(text), let date = parts.text else { return nil }
        (self.text, isCertain) = (date, parts.isCertain)
    }

    /// Returns the date for a number of seconds, milliseconds, microseconds or nanoseconds since 1970, or nil if the
    /// number is not plausible.
    static func date(since1970 number: Double) -> Date? {
        let divisor: Double =
            switch number {
            case 1e8...1e11: 1
            case 1e11...1e14: 1e3
            case 1e14...1e17: 1e6
            case 1e17...1e20: 1e9
            default: 0
            }
        return divisor > 0 ? Date(timeIntervalSince1970: number / divisor) : nil
    }

    /// Returns the date for milliseconds since 1970 in the notation of ASP.NET, `/Date(1767261600123)/`.
    private static func date(inParentheses text: String) -> String? {
        let match = text.wholeMatch(of: #/\\?/Date\((-?\d{1,18})([-+]\d{4})?\)\\?//#)
        // From the introduction of the Gregorian calendar to the last year with four digits.
        guard let milliseconds = match.flatMap({ Double($0.1) }),
            (-12_219_292_800_000...253_402_300_799_999).contains(milliseconds)
        else { return nil }
        return HAR.text(Date(timeIntervalSince1970: milliseconds / 1000))
    }

    /// Returns the date for the digits of a date, such as `20260101100000`, or a number since 1970.
    static func date(ofNumber text: String) -> String? {
        let digits = text.wholeMatch(of: #/((?:19|20)\d\d)(\d\d)(\d\d)(?:[Tt]?(\d\d)(\d\d)(\d\d)(\d{3})?)?/#)
        if let (_, year, month, day, hour, minute, second, millisecond) = digits?.output {
            // Until 2603, no other number since 1970 has 14 digits, and none has 17 digits before the year 5138.
            let iso = "\(year)-\(month)-\(day)T\(hour ?? "00"):\(minute ?? "00"):\(second ?? "00")"
            let date = iso + (millisecond.map { ".\($0)" } ?? "") + "Z"
            if HAR.date(date) != nil { return date }
        }
        guard text.utf8.count <= 30, let number = Double(text), let date = date(since1970: number) else { return nil }
        let isPrecise = (text.utf8.count == 16 || text.utf8.count == 19) && text.utf8.allSatisfy(JSONText.isDigit)
        guard isPrecise, text.dropFirst(13).contains(where: { $0 != "0" }), let seconds = Double(text.prefix(10)) else {
            return HAR.text(date)
        }
        return HAR.text(Date(timeIntervalSince1970: seconds)).dropLast(4) + text.dropFirst(10) + "Z"
    }
}

/// The parts of a date that were found in a text.
private struct DateParts {
    private var year: Int?
    private var month: Int?
    private var day: Int?
    private var hour: Int?
    private var minute = 0
    private var second = 0
    private var fraction = ""

    /// Whether the time is in the morning or in the afternoon, or nil for 24 hours.
    private var isMorning: Bool?

    /// The offset from UTC in minutes.
    private var offset: Int?

    private(set) var isCertain = true

    init?(_ text: String) {
        // The name of the zone, the name in parentheses that JavaScript adds, and the monotonic time of Go.
        var rest = text[...]
        if let match = rest.firstMatch(of: #/\s*(?:\[[^\]]*\]|\([^)]*\)|m=[-+][\d.]+)$/#) {
            rest = rest[..<match.range.lowerBound]
        }
        var hasZoneName = false
        while !rest.isEmpty {
            let start = rest.startIndex
            if let match = rest.prefixMatch(of: #/[ ,\t\u{202F}\u{A0}]+/#) {
                rest = rest[match.range.upperBound...]
            } else if let next = date(rest) ?? time(rest) ?? zone(rest) ?? number(rest) {
                rest = rest[next...]
            } else if let word = rest.prefixMatch(of: #/[A-Za-z][A-Za-z.]*/#) {
                rest = rest[word.range.upperBound...]
                guard take(word: word.output.lowercased(), hasZoneName: &hasZoneName) else { return nil }
            } else {
                return nil
            }
            guard rest.startIndex > start else { return nil }
        }
        if hasZoneName, offset == nil { isCertain = false }
    }

    // MARK: Parts of the text

    /// Reads a date, and returns the index after it.
    private mutating func date(_ text: Substring) -> String.Index? {
        guard year == nil, day == nil else { return nil }
        if let match = text.prefixMatch(of: #/(\d{4})-?[Ww](\d\d)(?:-?([1-7]))?(?!\d)/#) {
            take(week: Int(match.2), of: Int(match.1), weekday: match.3.flatMap { Int($0) } ?? 1)
            return match.range.upperBound
        }
        if let match = text.prefixMatch(of: #/(\d{4})-(\d{3})(?!\d)/#) {
            guard let number = Int(match.2) else { return nil }
            take(dayOfYear: number, of: Int(match.1))
            return match.range.upperBound
        }
        if let match = text.prefixMatch(of: #/(\d{4})[-\/.](\d{1,2})[-\/.](\d{1,2})(?!\d)/#)
            ?? text.prefixMatch(of: #/(\d{4})(\d\d)(\d\d)(?=[Tt])/#)
        {
            (year, month, day) = (Int(match.1), Int(match.2), Int(match.3))
            return match.range.upperBound
        }
        if let match = text.prefixMatch(of: #/(\d{1,2})[-\/ .]+([A-Za-z]{3,9})\.?[-\/ .,]+(\d{4}|\d\d(?!:))(?!\d)/#),
            let month = Self.month(match.2.lowercased())
        {
            (year, self.month, day) = (Self.year(match.3), month, Int(match.1))
            return match.range.upperBound
        }
        if let match = text.prefixMatch(of: #/(\d{1,2})([-\/.])(\d{1,2})[-\/.](\d{4})(?!\d)/#),
            let first = Int(match.1), let second = Int(match.3)
        {
            let isDayFirst = match.2 == "." || first > 12
            (year, day, month) = (Int(match.4), isDayFirst ? first : second, isDayFirst ? second : first)
            if match.2 != ".", first <= 12, second <= 12, first != second { isCertain = false }
            return match.range.upperBound
        }
        return nil
    }

    /// Reads a time, and returns the index after it.
    private mutating func time(_ text: Substring) -> String.Index? {
        guard hour == nil else { return nil }
        let pattern = #/[Tt:]?(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,:](\d{1,12}))?)?(?!\d)/#
        if let match = text.prefixMatch(of: pattern) {
            (hour, minute, second) = (Int(match.1), Int(match.2) ?? 0, match.3.flatMap { Int($0) } ?? 0)
            fraction = match.4.map(String.init) ?? ""
            return match.range.upperBound
        }
        if let match = text.prefixMatch(of: #/[Tt](\d\d)(?:(\d\d)(?:(\d\d)(?:[.,](\d{1,12}))?)?)?(?!\d)/#) {
            hour = Int(match.1)
            (minute, second) = (Self.int(match.2) ?? 0, Self.int(match.3) ?? 0)
            fraction = match.4.map(String.init) ?? ""
            return match.range.upperBound
        }
        return nil
    }

    /// Reads an offset from UTC, and returns the index after it.
    private mutating func zone(_ text: Substring) -> String.Index? {
        guard hour != nil || day != nil else { return nil }
        let pattern = #/(?:UTC|GMT|UT)?\s?([-+\u{2212}])(\d{1,2}):?(\d\d)?(?!\d)/#.ignoresCase()
        guard let match = text.prefixMatch(of: pattern) else { return nil }
        let minutes = (Int(match.2) ?? 0) * 60 + (match.3.flatMap { Int($0) } ?? 0)
        offset = match.1 == "+" ? minutes : -minutes
        return match.range.upperBound
    }

    /// Reads a year or a day, and returns the index after it.
    private mutating func number(_ text: Substring) -> String.Index? {
        guard let match = text.prefixMatch(of: #/(\d{4}|\d{1,2})(?:st|nd|rd|th)?\.?(?![\d:])/#),
            let value = Int(match.1)
        else { return nil }
        if match.1.utf8.count == 4 {
            guard year == nil else { return nil }
            year = value
        } else if day == nil {
            day = value
        } else {
            return nil
        }
        return match.range.upperBound
    }

    /// Reads a word, and returns whether it can be part of a date.
    private mutating func take(word: String, hasZoneName: inout Bool) -> Bool {
        let word = word.filter { $0 != "." }
        if month == nil, let month = Self.month(word) {
            self.month = month
        } else if hour == nil && word.count <= 9 && Self.weekdays.contains(where: word.hasPrefix) || word == "at" {
            return true
        } else if word == "am" || word == "pm" {
            guard isMorning == nil else { return false }
            isMorning = word == "am"
        } else if let known = Self.zones[word] {
            // A numeric offset before the name is more precise.
            if offset == nil { offset = known * 60 }
        } else {
            guard hour != nil, (2...5).contains(word.count), !hasZoneName else { return false }
            hasZoneName = true
        }
        return true
    }

    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// The offsets of time zones from UTC in hours, for the zones of RFC 2822, section 4.3, and of central Europe.
    private static let zones = [
        "z": 0, "utc": 0, "gmt": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
        "pst": -8,
        "pdt": -7, "cet": 1, "cest": 2,
    ]

    private static func month(_ word: String) -> Int? {
        guard word.count >= 3 else { return nil }
        return months.firstIndex { $0.hasPrefix(word) || word == "sept" && $0 == "september" }.map { $0 + 1 }
    }

    private static func year(_ text: Substring) -> Int? {
        // RFC 6265, section 5.1.1.
        Int(text).map { text.utf8.count == 4 ? $0 : $0 + ($0 < 70 ? 2000 : 1900) }
    }

    private static func int(_ text: Substring?) -> Int? { text.flatMap { Int($0) } }

    /// Returns the number of days from 1970 to January 1 of a year.
    private static func firstDay(of year: Int?) -> Int? {
        guard let year, let date = HAR.date("\(digits(year, 4))-01-01T00:00:00Z") else { return nil }
        return Int(clamping: (date.timeIntervalSince1970 / 86400).rounded(.down))
    }

    private mutating func take(week: Int?, of year: Int?, weekday: Int) {
        guard let week, (1...53).contains(week), let firstDay = Self.firstDay(of: year) else { return }
        // January 4 is always in the first week.
        let day = firstDay + 3
        // January 1, 1970 was a Thursday.
        let monday = day - ((day + 3) % 7 + 7) % 7
        take(day: monday + (week - 1) * 7 + weekday - 1)
    }

    private mutating func take(dayOfYear number: Int, of year: Int?) {
        guard (1...366).contains(number), let firstDay = Self.firstDay(of: year) else { return }
        take(day: firstDay + number - 1)
    }

    /// Sets the date to a number of days since 1970.
    private mutating func take(day number: Int) {
        let parts = HAR.text(Date(timeIntervalSince1970: Double(number) * 86400)).prefix(10).split(separator: "-")
        guard parts.count == 3 else { return }
        (year, month, day) = (Int(parts[0]), Int(parts[1]), Int(parts[2]))
    }

    // MARK: The date

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// The date in UTC, or nil if a part is missing or invalid.
    var text: String? {
        guard let year, let month, let day else { return nil }
        var hour = hour ?? 0
        if let isMorning {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isMorning ? 0 : 12)
        }
        let endsDay = hour == 24 && minute == 0 && second == 0
        if endsDay { hour = 0 }
        let offset = offset ?? 0
        guard abs(offset) < 24 * 60 else { return nil }
        let date = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
        let time = "\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))Z"
        guard let start = HAR.date("\(date)T\(time)") else { return nil }
        let text = HAR.text(start.addingTimeInterval(Double((endsDay ? 24 * 60 : 0) - offset) * 60))
        // Milliseconds are the last three digits; the recorded fraction can be more precise.
        let digits = fraction.utf8.count > 3 ? fraction : fraction.padding(toLength: 3, withPad: "0", startingAt: 0)
        return text.dropLast(4) + digits + "Z"
    }
}
