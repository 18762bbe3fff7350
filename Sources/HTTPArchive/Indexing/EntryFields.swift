/// Fields of an entry that an index keeps, and the objects on the way to them.
enum EntryField {
    case startedDateTime, time, resourceType, pageref, error, request, response
    case method, url
    case status, responseError, failureText, content
    case size, mimeType

    /// The field of that name in an object that an index looks into; `nil` for every other.
    static func named(_ name: UnsafeRawBufferPointer, in object: EntryObject) -> EntryField? {
        if name.contains(UInt8(ascii: "\\")) {
            return Array(JSONString(source: name).text.utf8).withUnsafeBytes { field(named: $0, in: object) }
        }
        return field(named: name, in: object)
    }

    /// The object that a field is, if an index looks into it.
    var object: EntryObject? {
        switch self {
        case .request: .request
        case .response: .response
        case .content: .content
        default: nil
        }
    }

    private static func field(named name: UnsafeRawBufferPointer, in object: EntryObject) -> EntryField? {
        object.fields.first { field in
            field.name.utf8CodeUnitCount == name.count
                && UnsafeRawBufferPointer(start: field.name.utf8Start, count: name.count).elementsEqual(name)
        }?.field
    }
}

/// The objects of an entry that an index looks into.
enum EntryObject {
    case entry, request, response, content

    fileprivate var fields: [(name: StaticString, field: EntryField)] {
        switch self {
        case .entry: Self.entryFields
        case .request: Self.requestFields
        case .response: Self.responseFields
        case .content: Self.contentFields
        }
    }

    private static let entryFields: [(name: StaticString, field: EntryField)] = [
        ("startedDateTime", .startedDateTime), ("time", .time), ("request", .request), ("response", .response),
        ("_resourceType", .resourceType), ("pageref", .pageref), ("_error", .error),
    ]
    private static let requestFields: [(name: StaticString, field: EntryField)] = [("method", .method), ("url", .url)]
    private static let responseFields: [(name: StaticString, field: EntryField)] = [
        ("status", .status), ("content", .content), ("_error", .responseError), ("_failureText", .failureText),
    ]
    private static let contentFields: [(name: StaticString, field: EntryField)] = [
        ("size", .size), ("mimeType", .mimeType),
    ]
}

/// The summary of an entry while its fields come.
struct EntryDraft {
    private(set) var summary = HAREntrySummary(byteRange: 0..<0)

    // Whether the fields that say why a request was not answered hold text.
    private var hasError = false
    private var hasResponseError = false
    private var hasFailureText = false

    /// Begins with the next entry.
    init(from start: Int) { summary.byteRange = start..<start }

    /// The summary of an entry that ends at a place.
    ///
    /// `isFailed` follows the rule of ``HAR/Entry/failure``.
    func finished(at end: Int) -> HAREntrySummary {
        var summary = summary
        summary.byteRange = summary.byteRange.lowerBound..<end
        let hasReason = hasError || hasResponseError || hasFailureText
        summary.isFailed = (hasReason || summary.status <= 0) && ![204, 205, 304].contains(summary.status)
        return summary
    }

    /// Takes the value of a field; the last of several counts, whatever it is.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - value: The text of a scalar; empty for an object or an array.
    mutating func take(_ field: EntryField, _ value: UnsafeRawBufferPointer) {
        switch field {
        case .startedDateTime: summary.startedDateTime = Self.string(value) ?? ""
        case .time: summary.time = Self.number(value)?.double.flatMap { $0 < 0 ? nil : $0 }
        case .resourceType: summary.resourceType = Self.string(value)
        case .pageref: summary.pageref = Self.string(value)
        case .error: hasError = Self.hasText(value)
        case .request: (summary.method, summary.url) = ("", "")
        case .method: summary.method = Self.string(value) ?? ""
        case .url: summary.url = Self.string(value) ?? ""
        case .response:
            (summary.status, summary.size, summary.mimeType) = (0, nil, "")
            (hasResponseError, hasFailureText) = (false, false)
        case .status: summary.status = Self.number(value)?.int ?? 0
        case .responseError: hasResponseError = Self.hasText(value)
        case .failureText: hasFailureText = Self.hasText(value)
        case .content: (summary.size, summary.mimeType) = (nil, "")
        case .size: summary.size = Self.number(value)?.int.flatMap { $0 < 0 ? nil : $0 }
        case .mimeType: summary.mimeType = Self.string(value) ?? ""
        }
    }

    /// Whether a value is a string that is not empty.
    private static func hasText(_ value: UnsafeRawBufferPointer) -> Bool {
        value.first == UInt8(ascii: "\"") && value.count > 2
    }

    private static func string(_ value: UnsafeRawBufferPointer) -> String? {
        guard value.first == UInt8(ascii: "\"") else { return nil }
        return JSONString(source: UnsafeRawBufferPointer(rebasing: value.dropFirst().dropLast())).text
    }

    private static func number(_ value: UnsafeRawBufferPointer) -> JSONNumber? {
        guard JSONText.isNumber(value) else { return nil }
        return JSONNumber(accepted: String(decoding: value, as: UTF8.self))
    }
}
