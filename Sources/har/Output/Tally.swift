import HTTPArchive

/// Counts and byte totals by name.
struct Tally {
    private var counts: [String: (count: Int, bytes: Int)] = [:]

    /// The sum of all counts.
    private(set) var total = 0

    /// Adds one to the count of a name.
    mutating func add(_ name: String, bytes: Int = 0) {
        let (count, sum) = counts[name, default: (0, 0)]
        counts[name] = (count + 1, sum &+ bytes)
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
