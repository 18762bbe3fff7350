import Foundation
import HTTPArchive

/// Writes a JSON array element by element, each on a line of its own, without holding it.
struct JSONList {
    private let output: StandardOutput
    private let isMember: Bool
    private var isEmpty = true

    /// Begins an array.
    ///
    /// - Parameters:
    ///   - output: Where it goes.
    ///   - name: The member of an object that the array is; `nil` for an array by itself.
    /// - Throws: What standard output throws.
    init(to output: StandardOutput, as name: String? = nil) throws(HARError) {
        self.output = output
        isMember = name != nil
        try output.write(Data((name.map { "{\"\($0)\":[" } ?? "[").utf8))
    }

    /// Writes an element.
    mutating func append(_ element: JSONValue) throws(HARError) {
        try output.write(Data((isEmpty ? "\n" : ",\n").utf8))
        try output.write(element.data())
        isEmpty = false
    }

    /// Ends the array, and the object that it is a member of.
    ///
    /// - Parameter fields: The members that follow in the object; none by default.
    /// - Throws: What standard output throws.
    func finish(_ fields: JSONObject = [:]) throws(HARError) {
        try output.write(Data((isEmpty ? "]" : "\n]").utf8))
        if isMember {
            let rest = JSONValue.object(fields).data().dropFirst()
            try output.write(Data((fields.members.isEmpty ? "" : ",").utf8) + rest)
        }
        try output.line()
    }
}

extension JSONValue {
    /// The text, or `null` where there is none.
    static func text(_ text: String?) -> JSONValue { text.map { .string(JSONString($0)) } ?? .null }

    /// The integer, or `null` where there is none.
    static func integer(_ value: Int?) -> JSONValue { value.map { .number(JSONNumber($0)) } ?? .null }

    /// The number, or `null` where there is none.
    static func double(_ value: Double?) -> JSONValue {
        value.flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .null
    }
}
