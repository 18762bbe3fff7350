package import HTTPArchive

/// The differences between two entries.
package struct EntryDifference: Sendable {
    /// The differences that are not ignored, in the order of the exchange, up to the limit of the report.
    package internal(set) var fields: [FieldDifference] = []

    /// The number of other differences that are not ignored.
    package internal(set) var omittedCount = 0

    /// The fields that differ but are ignored.
    package internal(set) var ignored: Set<VolatileField> = []

    /// Creates a difference without fields.
    package init() {}

    /// Whether all differences are ignored.
    package var isEmpty: Bool { fields.isEmpty && omittedCount == 0 }
}

/// A field that differs between two entries but is ignored.
package struct VolatileField: Hashable, Sendable {
    /// The name of query items that have no name.
    package static let unnamed = "*"

    /// The part of the entry, such as `request header`.
    package let part: String

    /// The name of the field, or the JSON pointer in which `*` replaces array indices.
    package let name: String
}

/// A difference in one field of two entries.
///
/// The values are safe to print: placeholders replace secrets.
package struct FieldDifference: Sendable {
    /// The location of a difference in a part.
    package enum Location: Sendable {
        case name(String)
        case pointer(JSONPointer)
        case line(Int)
    }

    /// The part of the entry, such as `status` or `request body`.
    package let part: String

    /// The location in the part, or nil for the whole part.
    package let location: Location?

    /// The value in the first archive, or nil if it is missing there.
    package let first: JSONValue?

    /// The value in the second archive, or nil if it is missing there.
    package let second: JSONValue?
}

extension FieldDifference {
    /// The difference as a JSON object, with complete values.
    package var json: JSONValue {
        var object: JSONObject = ["part": .text(part)]
        switch location {
        case .name(let name): object["name"] = .text(name)
        case .pointer(let pointer): object["pointer"] = .text(pointer.description)
        case .line(let number): object["line"] = .integer(number)
        case nil: break
        }
        if let first { object["a"] = first }
        if let second { object["b"] = second }
        return .object(object)
    }

    /// The name of a field, a JSON pointer or a line such as `line 3`; nil for the whole part.
    package var name: String? {
        switch location {
        case .name(let name): name
        case .pointer(let pointer): pointer.description
        case .line(let number): "line \(number)"
        case nil: nil
        }
    }

    /// The complete value in the first archive as text, or nil if it is missing there.
    ///
    /// Both texts are equal if only a secret differs.
    package var firstText: String? { first.map(text) }

    /// The complete value in the second archive as text, or nil if it is missing there.
    package var secondText: String? { second.map(text) }

    /// Returns the text of a value: JSON for a value in a JSON body, and otherwise the value itself.
    private func text(of value: JSONValue) -> String {
        if case .pointer = location { return String(decoding: value.data(), as: UTF8.self) }
        if let size = value["size"]?.int, value["captured"] == .bool(false) {
            return "\(Self.size(size)), not captured"
        }
        if let digest = value["sha256"]?.text, let size = value["size"]?.int {
            let facts = [value["fileName"]?.text, value["mimeType"]?.text, Self.size(size)].compactMap(\.self)
            return "\(facts.joined(separator: ", ")) (SHA-256 \(digest.prefix(12))…)"
        }
        return value.text ?? String(decoding: value.data(), as: UTF8.self)
    }

    private static func size(_ count: Int) -> String { "\(count) \(count == 1 ? "byte" : "bytes")" }
}
