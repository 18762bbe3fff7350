/// An event that a reader returns, in file order.
///
/// A file's events are `beginLog`, the fields and entries, and `endLog`. A writer that receives these events writes an
/// equivalent file, with the same values and with members in the same order.
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
