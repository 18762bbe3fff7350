public import Foundation

/// A lossless JSON value.
///
/// Numbers keep their text, and objects keep the order of members and duplicate names. Two values are equal if their
/// texts differ only in whitespace and escape sequences. `1` and `1.0` are not equal, and neither are objects whose
/// members are in a different order.
public enum JSONValue: Hashable, Sendable {
    /// `null`
    case null

    /// `true` or `false`
    case bool(Bool)

    /// A number, as written.
    case number(JSONNumber)

    /// A string.
    case string(JSONString)

    /// An array.
    case array([JSONValue])

    /// An object.
    case object(JSONObject)
}

extension JSONValue {
    /// The boolean, or nil for any other value.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, or nil for any other value.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The number as an integer, or nil for any other value, including fractions.
    public var int: Int? { number?.int }

    /// The number as a `Double`, or nil for any other value.
    public var double: Double? { number?.double }

    /// The number, or the number in a string, or nil for any other value.
    var writtenNumber: JSONNumber? { number ?? text.flatMap { JSONNumber(string: $0.utf8) } }

    /// The text of a string, or nil for any other value.
    public var text: String? {
        if case .string(let value) = self { value.text } else { nil }
    }

    /// The elements of an array, or nil for any other value.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, or nil for any other value.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value of an object's last member with the given name.
    ///
    /// - Parameter name: The name of the member.
    /// - Returns: The member's value, or nil if the member is missing or this value is not an object.
    public subscript(name: String) -> JSONValue? { object?[name] }

    /// An element of an array.
    ///
    /// - Parameter index: The index, counted from 0.
    /// - Returns: The element, or nil if the index is out of range or this value is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension JSONValue {
    /// Returns the same value with the members of its objects decoded.
    ///
    /// - Parameter depth: The depth up to which objects and arrays are decoded.
    /// - Returns: The value.
    func decoded(depth: Int) -> JSONValue {
        switch self {
        case .object(let object) where depth > 0: .object(object.decoded(depth: depth))
        case .array(let elements) where depth > 0: .array(elements.map { $0.decoded(depth: depth - 1) })
        default: self
        }
    }

    /// The kind of the value with an indefinite article, as in "found a string".
    package var kindTitle: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }

    /// Creates a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }

    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(JSONString(value)) }

    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Creates an object with the members of the literal, in order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(members: elements.map { JSONObject.Member(name: JSONString($0), value: $1) }))
    }
}

extension JSONValue {
    /// Parses a JSON document.
    ///
    /// The value's objects refer to a copy of the text and are decoded on demand.
    ///
    /// - Parameter data: The text in UTF-8.
    /// - Throws: `malformedJSON` with the offset, line and column, or `limitExceeded` if the document is larger than
    ///   256 MiB (each token counts as 24 bytes) or nested more than 512 levels deep.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    public init(parsing data: Data) throws(HARError) {
        self = try JSONSource.parsing(data).root.value
    }

    /// Parses a JSON document.
    ///
    /// - Parameter text: The text.
    /// - Throws: `malformedJSON` with the offset, line and column, or `limitExceeded` if the document is larger than
    ///   256 MiB (each token counts as 24 bytes) or nested more than 512 levels deep.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    public init(parsing text: String) throws(HARError) {
        try self.init(parsing: Data(text.utf8))
    }
}
