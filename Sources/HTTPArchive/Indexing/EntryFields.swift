/// Fields of an entry that an index keeps, and the objects on the way to them.
enum EntryField {
    case startedDateTime, time, resourceType, request, response
    case method, url
    case status, content
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
        ("_resourceType", .resourceType),
    ]
    private static let requestFields: [(name: StaticString, field: EntryField)] = [("method", .method), ("url", .url)]
    private static let responseFields: [(name: StaticString, field: EntryField)] = [
        ("status", .status), ("content", .content),
    ]
    private static let contentFields: [(name: StaticString, field: EntryField)] = [
        ("size", .size), ("mimeType", .mimeType),
    ]
}

extension HAREntrySummary {
    /// Takes the value of a field; the last of several counts, whatever it is.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - value: The text of a scalar; empty for an object or an array.
    mutating func take(_ field: EntryField, _ value: UnsafeRawBufferPointer) {
        switch field {
        case .startedDateTime: startedDateTime = Self.string(value) ?? ""
        case .time: time = Self.number(value)?.double.flatMap { $0 < 0 ? nil : $0 }
        case .resourceType: resourceType = Self.string(value)
        case .request: (method, url) = ("", "")
        case .method: method = Self.string(value) ?? ""
        case .url: url = Self.string(value) ?? ""
        case .response: (status, size, mimeType) = (0, nil, "")
        case .status: status = Self.number(value)?.int ?? 0
        case .content: (size, mimeType) = (nil, "")
        case .size: size = Self.number(value)?.int.flatMap { $0 < 0 ? nil : $0 }
        case .mimeType: mimeType = Self.string(value) ?? ""
        }
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
