import HTTPArchive

/// Counts by name, with bytes.
struct Tally {
    /// What was counted under a name.
    struct Row {
        let name: String
        let count: Int
        let bytes: Int
    }

    private var counts: [String: (count: Int, bytes: Int)] = [:]

    /// The number counted under all names.
    private(set) var total = 0

    /// Counts one.
    mutating func add(_ name: String, bytes: Int = 0) {
        let (count, sum) = counts[name, default: (0, 0)]
        counts[name] = (count + 1, sum &+ bytes)
        total += 1
    }

    /// The names with their counts, the largest count first.
    var rows: [Row] {
        counts.map { Row(name: $0.key, count: $0.value.count, bytes: $0.value.bytes) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// The counts as a JSON array.
    ///
    /// - Parameters:
    ///   - key: What the name is called.
    ///   - hasBytes: Whether the bytes are of interest.
    /// - Returns: An object for each name.
    func json(_ key: String, hasBytes: Bool = false) -> JSONValue {
        .array(
            rows.map { row in
                var object: JSONObject = [key: .text(row.name), "count": .integer(row.count)]
                if hasBytes { object["bytes"] = .integer(row.bytes) }
                return .object(object)
            })
    }
}
