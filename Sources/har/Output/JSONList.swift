import ArchiveInspection
import Foundation
import HTTPArchive

/// Writes a JSON array element by element, one per line, without keeping it in memory.
struct JSONList {
    private let output: StandardOutput
    private let isMember: Bool
    private var isEmpty = true

    /// Writes the start of an array.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - name: The name of the object member that holds the array, or `nil` for an array without an object.
    /// - Throws: `unwritableFile`.
    init(to output: StandardOutput, as name: String? = nil) throws(HARError) {
        self.output = output
        isMember = name != nil
        try output.write(Data((name.map { "{\"\($0)\":[" } ?? "[").utf8))
    }

    /// Writes an element.
    mutating func append(_ element: JSONValue) throws(HARError) {
        try output.write(Data((isEmpty ? "\n" : ",\n").utf8))
        try output.write(json: element.data())
        isEmpty = false
    }

    /// Writes the end of the array and the start of the next array in the same object.
    ///
    /// - Parameter name: The name of the member that holds the next array.
    /// - Throws: `unwritableFile`.
    mutating func beginNext(_ name: String) throws(HARError) {
        try output.write(Data(((isEmpty ? "]" : "\n]") + ",\"\(name)\":[").utf8))
        isEmpty = true
    }

    /// Writes the end of the array and of its object.
    ///
    /// - Parameter fields: The members of the object after the array; none by default.
    /// - Throws: `unwritableFile`.
    func finish(_ fields: JSONObject = [:]) throws(HARError) {
        try output.write(Data((isEmpty ? "]" : "\n]").utf8))
        if isMember {
            let rest = JSONValue.object(fields).data().dropFirst()
            try output.write(json: Data((fields.members.isEmpty ? "" : ",").utf8) + rest)
        }
        try output.line()
    }
}

extension JSONValue {
    /// Returns a duration in seconds, or null for nil.
    ///
    /// It is rounded to microseconds, because differences of dates are not more precise.
    static func seconds(_ duration: Double?) -> JSONValue {
        .double(duration.map { ($0 * 1_000_000).rounded() / 1_000_000 })
    }
}

/// Counts and byte totals by name.
struct Tally {
    private var counts: [String: (count: Int, bytes: Int)] = [:]

    /// The sum of all counts.
    private(set) var total = 0

    /// Adds one to the count of a name.
    mutating func add(_ name: String, bytes: Int = 0) {
        let (count, sum) = counts[name, default: (0, 0)]
        counts[name] = (count + 1, sum.adding(clamping: bytes))
        total += 1
    }

    /// The counts in descending order.
    var rows: [(name: String, count: Int, bytes: Int)] {
        counts.map { (name: $0.key, count: $0.value.count, bytes: $0.value.bytes) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// Returns the counts as a JSON array.
    ///
    /// - Parameters:
    ///   - key: The key for the name in each object.
    ///   - hasBytes: Whether to include bytes; `false` by default.
    /// - Returns: An array with one object per name.
    func json(_ key: String, hasBytes: Bool = false) -> JSONValue {
        .array(
            rows.map { row in
                var object: JSONObject = [key: .text(row.name), "count": .integer(row.count)]
                if hasBytes { object["bytes"] = .integer(row.bytes) }
                return .object(object)
            })
    }
}
