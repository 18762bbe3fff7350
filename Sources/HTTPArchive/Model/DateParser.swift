import Foundation

/// Parses the times of archives (ISO 8601, https://www.rfc-editor.org/rfc/rfc3339#section-5.6).
///
/// Foundation's style takes the 31st of February and text behind the time, and refuses more than nine fraction digits.
struct DateParser {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = ArraySlice(text.utf8)
    }

    /// The time; `nil` when the text is none.
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

    /// A dot and the digits behind it; 0 without a dot.
    private mutating func fraction() -> Double? {
        guard take(".") else { return 0 }
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        rest = rest.dropFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits, as: UTF8.self))
    }

    /// `Z`, or hours and minutes east of UTC, in seconds.
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

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        // Years that begin in March have their leap day at the end.
        let years = month > 2 ? year : year - 1
        let months = month > 2 ? month - 3 : month + 9
        let leapDays = years >= 0 ? years / 4 - years / 100 + years / 400 : -1
        return years * 365 + leapDays + (153 * months + 2) / 5 + day - 1 - 719_468
    }
}
