package import HTTPArchive

extension JSONValue {
    /// Returns a string, or null for nil.
    package static func text(_ text: String?) -> JSONValue { text.map { .string(JSONString($0)) } ?? .null }

    /// Returns an integer, or null for nil.
    package static func integer(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }

    /// Returns a number, or null for nil and for values that JSON cannot represent.
    package static func double(_ value: Double?) -> JSONValue {
        value.flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .null
    }
}
