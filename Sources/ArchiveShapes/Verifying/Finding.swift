import HTTPArchive

/// A difference between recorded and current responses.
package struct Finding: Sendable {
    /// The properties by which equal findings of several entries are merged.
    package struct Key: Hashable, Sendable {
        /// The endpoint, such as `GET /items/{id}`.
        package let endpoint: String

        /// The part of the response: `status`, `header`, `body` or `value`.
        package let part: String

        /// The difference and its location.
        package let difference: Shape.Difference
    }

    /// The finding without its entries.
    package let key: Key

    /// The indices of the first entries with the finding.
    package private(set) var entries: [Int]

    /// The number of entries with the finding.
    package private(set) var count = 1

    init(_ key: Key, entry: Int) {
        self.key = key
        entries = [entry]
    }

    /// The severity.
    package var grade: Shape.Difference.Grade { key.difference.grade }

    mutating func add(entry: Int) {
        count += 1
        if entries.count < 100 { entries.append(entry) }
    }
}

/// Findings, without repetition.
package struct Findings: Sendable {
    /// The findings, in the order in which they occurred.
    package private(set) var all: [Finding] = []

    private var indices: [Finding.Key: Int] = [:]

    /// Returns the differences at locations without findings.
    func unreported(_ differences: [Shape.Difference], in part: String, of endpoint: Endpoint) -> [Shape.Difference] {
        if differences.isEmpty { return [] }
        let known = all.lazy.filter { $0.key.endpoint == endpoint.title && $0.key.part == part }
        let pointers = Set(known.map(\.key.difference.pointer))
        return differences.filter { !pointers.contains($0.pointer) }
    }

    /// Adds differences of an entry.
    ///
    /// - Parameters:
    ///   - differences: The differences.
    ///   - part: The part of the response.
    ///   - endpoint: The endpoint of the entry.
    ///   - entry: The index of the entry.
    package mutating func add(
        _ differences: [Shape.Difference], in part: String, of endpoint: Endpoint, entry: Int
    ) {
        for difference in differences {
            let key = Finding.Key(endpoint: endpoint.title, part: part, difference: difference)
            if let index = indices[key] {
                all[index].add(entry: entry)
            } else {
                indices[key] = all.count
                all.append(Finding(key, entry: entry))
            }
        }
    }
}
