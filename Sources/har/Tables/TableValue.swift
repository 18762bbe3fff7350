/// A value in a table.
enum TableValue {
    case null
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)

    /// The header fields by lowercase name, in the order of their first occurrence.
    case map([(name: String, value: String)])
}

extension TableValue {
    /// Returns text, or null for nil.
    static func optional(_ text: String?) -> TableValue { text.map(TableValue.text) ?? .null }

    /// Returns text, or null for nil and empty text.
    static func nonempty(_ text: String?) -> TableValue { text.flatMap { $0.isEmpty ? nil : .text($0) } ?? .null }

    /// Returns an integer, or null for nil.
    static func optional(_ integer: Int?) -> TableValue { integer.map(TableValue.integer) ?? .null }

    /// Returns a number, or null for nil and for infinity.
    static func optional(_ number: Double?) -> TableValue {
        number.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
    }
}
