/// A field of one of HAR's objects, as the specification has it.
struct HARField {
    /// What the value of a field is.
    enum Value {
        case text, boolean, number, date, url, httpVersion, status

        /// A number of bytes, or -1 for one that is unknown.
        case size

        /// A time in milliseconds, which is never negative.
        case time

        /// A time in milliseconds, or -1 for one that does not apply.
        case optionalTime

        case object(HARObjectKind)

        case array(of: HARObjectKind)
    }

    let name: String
    let value: Value

    /// What it is to leave the field out; `nil` where the specification allows it.
    let absence: HARFinding.Severity?

    /// Whether HAR 1.1 does not have the field.
    let isNew: Bool

    /// A field that must be there.
    static func required(_ name: String, _ value: Value, absence: HARFinding.Severity = .error) -> HARField {
        HARField(name: name, value: value, absence: absence, isNew: false)
    }

    /// A field that may be left out.
    static func optional(_ name: String, _ value: Value, isNew: Bool = false) -> HARField {
        HARField(name: name, value: value, absence: nil, isNew: isNew)
    }
}

extension HARField {
    /// The JSON type of the value, with its article.
    var type: String {
        switch value {
        case .text, .date, .url, .httpVersion: "a string"
        case .boolean: "a boolean"
        case .number, .status, .size, .time, .optionalTime: "a number"
        case .object: "an object"
        case .array: "an array"
        }
    }

    /// The rule for a field that says nothing: missing, or null where there should be a value.
    var absenceRule: HARFinding.Rule {
        switch value {
        case .size: .unknownSize
        case .time: .unknownTime
        case .httpVersion: .unknownHTTPVersion
        default: .missingField
        }
    }
}
