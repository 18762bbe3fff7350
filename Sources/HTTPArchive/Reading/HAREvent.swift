/// An event that a reader returns for a part of an archive.
///
/// Events are returned in file order. A writer that receives all events of a file writes an equivalent file, with the
/// same values and the same order of members.
public enum HAREvent: Hashable, Sendable {
    /// The start of the `log` object; fields before it and after ``endLog`` are members of the document.
    case beginLog

    /// The end of the `log` object.
    case endLog

    /// The start of the `entries` array.
    case beginEntries

    /// The end of the `entries` array.
    case endEntries

    /// A member of the current object, such as `version` or `pages`.
    case field(JSONObject.Member)

    /// An entry.
    case entry(HAR.Entry)

    /// A value in `entries` that is not an object.
    case unexpectedValue(JSONValue)
}

extension HAREvent {
    /// The kind of event, for error messages.
    var kind: String {
        switch self {
        case .beginLog: "the start of the log"
        case .endLog: "the end of the log"
        case .beginEntries: "the start of the entries"
        case .endEntries: "the end of the entries"
        case .field: "a field"
        case .entry: "an entry"
        case .unexpectedValue: "a value that is not an entry"
        }
    }
}
