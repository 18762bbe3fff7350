import HTTPArchive

/// The differences between two entries.
struct EntryDifference: Sendable {
    /// The differences that are not ignored, in the order of the exchange, up to the limit of the report.
    var fields: [FieldDifference] = []

    /// The number of other differences that are not ignored.
    var omittedCount = 0

    /// The fields that differ but are ignored.
    var ignored: Set<VolatileField> = []

    /// Whether all differences are ignored.
    var isEmpty: Bool { fields.isEmpty && omittedCount == 0 }
}

/// A field that differs between two entries but is ignored.
struct VolatileField: Hashable, Sendable {
    /// The name of query items that have no name.
    static let unnamed = "*"

    /// The part of the entry, such as `request header`.
    let part: String

    /// The name of the field, or the JSON pointer in which `*` replaces array indices.
    let name: String
}

/// A difference in one field of two entries.
///
/// The values are safe to print: placeholders replace secrets.
struct FieldDifference: Sendable {
    /// The location of a difference in a part.
    enum Location: Sendable {
        case name(String)
        case pointer(JSONPointer)
        case line(Int)
    }

    /// The part of the entry, such as `status` or `request body`.
    let part: String

    /// The location in the part, or nil for the whole part.
    var location: Location?

    /// The value in the first archive, or nil if it is missing there.
    let first: JSONValue?

    /// The value in the second archive, or nil if it is missing there.
    let second: JSONValue?
}

extension FieldDifference {
    /// The difference as a JSON object, with complete values.
    var json: JSONValue {
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

    /// The difference as a line of text, with shortened values.
    var line: String {
        let label: String
        switch location {
        case .name(let name): label = "\(part) \(name.printable):"
        case .pointer(let pointer):
            label = "\(part) \(pointer.components.isEmpty ? "" : pointer.description.printable):"
        case .line(let number): label = "\(part) line \(number):"
        case nil: label = part
        }
        switch (first.map(text), second.map(text)) {
        case (let first?, let second?) where first == second:
            // A secret in Base64 has no visible placeholder.
            let offset = Self.secretOffset(in: first) ?? 0
            let start = first.utf8.count > Self.width ? max(0, offset - Self.context) : 0
            return "\(label) \(Self.excerpt(of: first, from: start)) (only a secret differs)"
        case (let first?, let second?):
            let (first, second) = Self.excerpts(of: first, and: second)
            return "\(label) \(first) → \(second)"
        case (let first?, nil): return "- \(label) \(Self.excerpt(of: first))"
        case (nil, let second?): return "+ \(label) \(Self.excerpt(of: second))"
        case (nil, nil): return label
        }
    }

    /// Returns the offset of the first placeholder in bytes, or nil if the text has none.
    private static func secretOffset(in text: String) -> Int? {
        (text.firstRange(of: MessageRedactor.mask) ?? text.firstRange(of: "REDACTED")).map {
            text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
        }
    }

    /// The maximum length of a value, in characters.
    private static let width = 80

    /// The number of equal characters before the first difference that remain in a shortened value.
    private static let context = 20

    /// Returns the values, shortened so that the first difference is visible.
    private static func excerpts(of first: String, and second: String) -> (String, String) {
        let common = commonSize(first, second)
        let isLong = max(first.utf8.count, second.utf8.count) > width
        let start = isLong && common > width / 2 ? common - context : 0
        return (excerpt(of: first, from: start), excerpt(of: second, from: start))
    }

    /// Returns the number of equal bytes at the start of two texts.
    private static func commonSize(_ first: String, _ second: String) -> Int {
        var (first, second) = (first, second)
        return first.withUTF8 { first in
            second.withUTF8 { second in
                let size = min(first.count, second.count)
                return (0..<size).first { first[$0] != second[$0] } ?? size
            }
        }
    }

    /// Returns the printable start of a text.
    ///
    /// - Parameters:
    ///   - text: The text, which can be long.
    ///   - offset: The number of bytes to skip; 0 by default.
    /// - Returns: At most as many characters as the maximum length of a value.
    private static func excerpt(of text: String, from offset: Int = 0) -> String {
        var start = text.utf8.index(text.startIndex, offsetBy: offset)
        while start.samePosition(in: text.unicodeScalars) == nil { start = text.utf8.index(before: start) }
        var end = text.utf8.index(start, offsetBy: 8 * width, limitedBy: text.endIndex) ?? text.endIndex
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        let part = text[start..<end]
        return offset > 0 ? "…" + part.printable(upTo: width - 1) : part.printable(upTo: width)
    }

    /// Returns the text of a value: JSON for a value in a JSON body, and otherwise the value itself.
    private func text(of value: JSONValue) -> String {
        if case .pointer = location { return String(decoding: value.data(), as: UTF8.self) }
        if let size = value["size"]?.int, value["captured"] == .bool(false) {
            return "\(size.of("byte", "bytes")), not captured"
        }
        if let digest = value["sha256"]?.text, let size = value["size"]?.int {
            let facts = [value["fileName"]?.text, value["mimeType"]?.text, size.of("byte", "bytes")].compactMap(\.self)
            return "\(facts.joined(separator: ", ")) (SHA-256 \(digest.prefix(12))…)"
        }
        return value.text ?? String(decoding: value.data(), as: UTF8.self)
    }
}
