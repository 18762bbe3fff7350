public import Foundation

/// The object types in an HTTP archive, named as in HAR 1.2.
///
/// Each type is a view of a JSON object. Properties read their fields leniently, and setting a property changes only
/// its field. ``HARObject/fields`` also contains the fields without a property. HAR 1.1 has fewer fields.
///
/// Source: http://www.softwareishard.com/blog/har-12-spec/
public enum HAR {}

extension HAR {
    /// A browser, which has the same fields as a creator.
    public typealias Browser = Creator

    /// The names of all fields of HAR 1.2.
    ///
    /// Error messages may include only these names, because other names may contain secrets.
    package static let fieldNames: Set<String> = [
        "version", "creator", "browser", "pages", "entries", "comment", "name", "startedDateTime", "id", "title",
        "pageTimings", "onContentLoad", "onLoad", "pageref", "time", "request", "response", "cache", "timings",
        "serverIPAddress", "connection", "method", "url", "httpVersion", "cookies", "headers", "queryString",
        "postData", "headersSize", "bodySize", "status", "statusText", "content", "redirectURL", "value", "path",
        "domain", "expires", "httpOnly", "secure", "mimeType", "params", "text", "fileName", "contentType", "size",
        "compression", "encoding", "beforeRequest", "afterRequest", "lastAccess", "eTag", "hitCount", "blocked",
        "dns", "connect", "send", "wait", "receive", "ssl",
    ]

    /// Parses a date from an archive: ISO 8601 with any number of fraction digits, and `Z` or an offset.
    ///
    /// - Parameter text: The text, such as `2009-04-16T12:07:23.596+02:00`.
    /// - Returns: The date, or `nil` if the text is not a valid date or has no offset.
    public static func date(_ text: String) -> Date? {
        RecordedTime(text).date
    }

    /// Formats a date for an archive: ISO 8601 with milliseconds, in UTC.
    ///
    /// Foundation's format style is not used, because it writes years before 1583 in the Julian calendar, contrary to
    /// ISO 8601.
    ///
    /// - Parameter date: The date, which is rounded to the nearest millisecond and clamped to the years 0 through 9999.
    /// - Returns: The text, such as `2009-04-16T12:07:23.596Z`.
    public static func text(_ date: Date) -> String {
        ISO8601Writer.text(milliseconds: (date.timeIntervalSince1970 * 1000).rounded())
    }
}

extension HAR.Entry {
    /// The date in ``startedDateTime``, or `nil` if the text is not a valid date.
    public var startedDate: Date? { HAR.date(startedDateTime) }

    /// Returns the time from the start of the entry to a message.
    ///
    /// Chromium records seconds since 1970. Other tools record a smaller unit, a date, or seconds since the start of
    /// the entry. The recorded time is in the first of these for which the message is at most a week after the start, which
    /// may be rounded to a millisecond.
    ///
    /// - Parameter time: The recorded time.
    /// - Returns: The time in seconds, or nil if it is unknown.
    package func secondsElapsed(at time: JSONValue) -> Double? {
        let date = time.text.flatMap(HAR.date)
        guard let time = date?.timeIntervalSince1970 ?? time.writtenNumber?.double,
            let start = startedDate?.timeIntervalSince1970
        else { return nil }
        let candidates = [1, 1e3, 1e6, 1e9].map { time / $0 - start } + [time]
        return candidates.first { -0.001...604_800 ~= $0 }.map { max(0, $0) }
    }
}

extension HAR.Page {
    /// The date in ``startedDateTime``, or `nil` if the text is not a valid date.
    public var startedDate: Date? { HAR.date(startedDateTime) }
}

extension HAR.Cookie {
    /// The date in ``expires``, or `nil` for a session cookie or an invalid ISO 8601 date.
    public var expiresDate: Date? { expires.flatMap(HAR.date) }
}

/// An object in an HTTP archive, with typed access to its JSON.
///
/// Two objects are equal if their JSON is equal, including unknown fields and the order of fields.
public protocol HARObject: Hashable, Sendable {
    /// The object as JSON, including unknown fields.
    var fields: JSONObject { get set }

    /// Creates an object from JSON.
    ///
    /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
    init(fields: JSONObject)
}

extension HARObject {
    /// A comment by the user or the recording tool, or `nil` if it is missing.
    ///
    /// Since HAR 1.2.
    public var comment: String? {
        get { fields.text("comment") }
        set { fields["comment"] = newValue.map { .string(JSONString($0)) } }
    }

    /// The value of any field, including custom fields such as `_initiator`.
    ///
    /// - Parameter name: The name of the field.
    public subscript(name: String) -> JSONValue? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    /// Returns the object in a field, or `nil` if the field is not an object.
    func part<Part: HARObject>(_ name: StaticString) -> Part? {
        fields.object(name).map(Part.init(fields:))
    }

    /// Returns the objects in an array field, skipping values of other types, or `nil` if the field is not an array.
    func list<Part: HARObject>(_ name: StaticString) -> [Part]? {
        fields.objects(name, Part.init(fields:))
    }

    /// Returns a size in bytes, or `nil` if it is missing or negative.
    ///
    /// In HAR, -1 means that the size is unknown.
    func size(_ name: StaticString) -> Int? {
        fields.int(name).flatMap { $0 < 0 ? nil : $0 }
    }

    /// Returns a duration in milliseconds, or `nil` if it is missing or negative.
    ///
    /// In HAR, -1 means that the duration is unknown or does not apply.
    func milliseconds(_ name: StaticString) -> Double? {
        fields.double(name).flatMap { $0 < 0 ? nil : $0 }
    }
}

extension JSONValue {
    /// Returns the JSON number for a duration, or -1 if the duration is unknown.
    package static func milliseconds(_ value: Double?) -> JSONValue {
        .number(value.flatMap { JSONNumber($0) } ?? JSONNumber(-1))
    }
}

extension JSONObject {
    /// Returns an object with a name and a value, as each header field has.
    static func pair(_ name: String, _ value: String) -> JSONObject {
        // A dictionary literal would create a second array.
        JSONObject(members: [
            Member(name: "name", value: .string(JSONString(name))),
            Member(name: "value", value: .string(JSONString(value))),
        ])
    }
}
