public import Foundation

/// The objects of an HTTP archive, under the names of HAR 1.2 (and 1.1, which has fewer).
///
/// Each is a value over the JSON that it was read from: a property reads the field of its name, leniently, and setting
/// it replaces that field alone. What a property does not know stays in ``HARObject/fields``.
///
/// Source: http://www.softwareishard.com/blog/har-12-spec/
public enum HAR {}

extension HAR {
    /// A browser, described like every other program.
    public typealias Browser = Creator
}

extension HAR {
    /// The names of all fields of HAR 1.2, which error messages may contain: other names may hold secrets.
    static let fieldNames: Set<String> = [
        "version", "creator", "browser", "pages", "entries", "comment", "name", "startedDateTime", "id", "title",
        "pageTimings", "onContentLoad", "onLoad", "pageref", "time", "request", "response", "cache", "timings",
        "serverIPAddress", "connection", "method", "url", "httpVersion", "cookies", "headers", "queryString",
        "postData", "headersSize", "bodySize", "status", "statusText", "content", "redirectURL", "value", "path",
        "domain", "expires", "httpOnly", "secure", "mimeType", "params", "text", "fileName", "contentType", "size",
        "compression", "encoding", "beforeRequest", "afterRequest", "lastAccess", "eTag", "hitCount", "blocked",
        "dns", "connect", "send", "wait", "receive", "ssl",
    ]
}

extension HAR {
    /// Parses a time as archives have it: ISO 8601 with any number of fraction digits, `Z` or an offset.
    ///
    /// - Parameter text: The text, such as `2009-04-16T12:07:23.596+02:00`.
    /// - Returns: `nil` when it is no such time, or has no offset.
    public static func date(_ text: String) -> Date? {
        var parser = ISO8601Parser(text)
        return parser.date()
    }

    /// Writes a time as HAR wants it: ISO 8601 with milliseconds, in UTC.
    ///
    /// Foundation's style writes years before 1583 in the Julian calendar, which ISO 8601 does not know.
    ///
    /// - Parameter date: The time, which is rounded to the nearest millisecond, and to the years from 0 to 9999.
    /// - Returns: The text, such as `2009-04-16T12:07:23.596Z`.
    public static func text(_ date: Date) -> String {
        ISO8601Writer.text(milliseconds: (date.timeIntervalSince1970 * 1000).rounded())
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
