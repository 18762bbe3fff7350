/// The edit distance and similarity of strings, used to suggest corrections for unknown names.
package enum EditDistance {
    /// The maximum number of bytes to compare.
    ///
    /// The rest of a longer string is ignored.
    private static let longest = 256

    /// Returns the minimum number of insertions, deletions, replacements and swaps of adjacent bytes that turn one
    /// string into another.
    ///
    /// - Parameters:
    ///   - first: A string.
    ///   - second: Another string.
    /// - Returns: The distance between the first 256 bytes of each string.
    /// - Complexity: O(*n* · *m*), where *n* and *m* are the lengths of the strings.
    package static func distance(_ first: some StringProtocol, _ second: some StringProtocol) -> Int {
        let (first, second) = (Array(first.utf8.prefix(longest)), Array(second.utf8.prefix(longest)))
        if first == second { return 0 }
        var beforeLast = [Int](repeating: 0, count: second.count + 1)
        var last = Array(0...second.count)
        for (row, byte) in first.enumerated() {
            var current = [row + 1]
            current.reserveCapacity(second.count + 1)
            for (column, other) in second.enumerated() {
                var best = min(last[column] + (byte == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, byte == second[column - 1], first[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }

    /// Returns the similarity of two strings, from 0 for strings without common bytes to 1 for equal strings.
    ///
    /// - Complexity: O(*n* · *m*), where *n* and *m* are the lengths of the strings.
    package static func similarity(_ first: some StringProtocol, _ second: some StringProtocol) -> Double {
        let longer = min(max(first.utf8.count, second.utf8.count), longest)
        return longer == 0 ? 1 : 1 - Double(distance(first, second)) / Double(longer)
    }

    /// Returns the name that is most similar to an unknown name, or nil if no name is a likely correction.
    ///
    /// - Parameters:
    ///   - name: The name that was not found.
    ///   - names: The names that exist.
    /// - Returns: A name that differs from `name` in at most a third of its bytes, or in one byte if `name` is shorter
    ///   than three bytes, ignoring case. Returns nil if no name qualifies.
    package static func nearest(to name: String, in names: some Sequence<String>) -> String? {
        let lowercase = name.lowercased()
        return names.map { ($0, distance(lowercase, $0.lowercased())) }.min { ($0.1, $0.0) < ($1.1, $1.0) }
            .flatMap { $0.1 * 3 <= max(name.utf8.count, 3) ? $0.0 : nil }
    }
}
