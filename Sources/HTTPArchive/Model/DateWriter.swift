/// Writes the times of archives (ISO 8601, https://www.rfc-editor.org/rfc/rfc3339#section-5.6).
enum DateWriter {
    private static let millisecondsOfDay = 86_400_000

    /// The first and the last millisecond that four digits of a year can tell, counted from 1970.
    private static let range = -62_167_219_200_000.0...253_402_300_799_999.0

    /// The text of a time in UTC, with milliseconds.
    ///
    /// - Parameter milliseconds: The whole number of milliseconds since 1970.
    /// - Returns: The text, with the nearest year that has four digits.
    static func text(milliseconds: Double) -> String {
        let whole = Int(milliseconds.isNaN ? 0 : min(max(milliseconds, range.lowerBound), range.upperBound))
        let timeOfDay = (whole % millisecondsOfDay + millisecondsOfDay) % millisecondsOfDay
        let (year, month, day) = civil(daysSince1970: (whole - timeOfDay) / millisecondsOfDay)
        let (minutes, seconds) = (timeOfDay / 60_000, timeOfDay / 1000)
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(minutes / 60, 2)):"
            + "\(digits(minutes % 60, 2)):\(digits(seconds % 60, 2)).\(digits(timeOfDay % 1000, 3))Z"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// The date of a day in the Gregorian calendar, which repeats every 146,097 days or 400 years.
    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        // Years that begin in March have their leap day at the end; day 0 is the 1st of March of the year -400.
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
