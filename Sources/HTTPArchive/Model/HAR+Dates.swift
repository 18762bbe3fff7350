public import Foundation

extension HAR {
    /// Parses a time as archives have it: ISO 8601 with any number of fraction digits, `Z` or an offset.
    ///
    /// - Parameter text: The text, such as `2009-04-16T12:07:23.596+02:00`.
    /// - Returns: `nil` when it is no such time, or has no offset.
    public static func date(_ text: String) -> Date? {
        var parser = DateParser(text)
        return parser.date()
    }

    /// Writes a time as HAR wants it: ISO 8601 with milliseconds, in UTC.
    ///
    /// Foundation's style writes years before 1583 in the Julian calendar, which ISO 8601 does not know.
    ///
    /// - Parameter date: The time, which is rounded to the nearest millisecond, and to the years from 0 to 9999.
    /// - Returns: The text, such as `2009-04-16T12:07:23.596Z`.
    public static func text(_ date: Date) -> String {
        DateWriter.text(milliseconds: (date.timeIntervalSince1970 * 1000).rounded())
    }
}

extension HAR.Entry {
    /// The time in ``startedDateTime``; `nil` when the text is none.
    public var startedDate: Date? { HAR.date(startedDateTime) }
}

extension HAR.Page {
    /// The time in ``startedDateTime``; `nil` when the text is none.
    public var startedDate: Date? { HAR.date(startedDateTime) }
}

extension HAR.Cookie {
    /// The time in ``expires``; `nil` for a session cookie, and when the text is no ISO 8601.
    public var expiresDate: Date? { expires.flatMap(HAR.date) }
}
