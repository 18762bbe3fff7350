/// A part of an archive, in the order of the file.
///
/// A file is `beginLog`, its fields and entries, `endLog`. Writing the events of a file results in the same file: equal
/// in every value, and in the order of members.
public enum HAREvent: Hashable, Sendable {
    /// The `log` object begins; fields before it and after ``endLog`` are members of the document.
    case beginLog

    /// The `log` object ends.
    case endLog

    /// The array `entries` begins.
    case beginEntries

    /// The array `entries` ends.
    case endEntries

    /// A member of the current object, such as `version` or `pages`.
    case field(JSONObject.Member)

    /// The next entry.
    case entry(HAR.Entry)

    /// A value in `entries` that is not an object, and therefore not an entry.
    case unexpectedValue(JSONValue)
}

extension HAREvent {
    /// The kind of part, for error messages.
    var kind: String {
        switch self {
        case .beginLog: "the begin of the log"
        case .endLog: "the end of the log"
        case .beginEntries: "the begin of the entries"
        case .endEntries: "the end of the entries"
        case .field: "a field"
        case .entry: "an entry"
        case .unexpectedValue: "a value that is no entry"
        }
    }
}
