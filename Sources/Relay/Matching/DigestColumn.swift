/// A digest for each of several entries, in the room of one where all are equal.
struct DigestColumn: Sendable {
    private var first: Digest?
    private var each: [Digest] = []
    private(set) var count = 0

    /// The digest that all entries have; `nil` when they differ.
    var common: Digest? { each.isEmpty ? first : nil }

    subscript(position: Int) -> Digest { each.isEmpty ? first ?? .unknown : each[position] }

    mutating func append(_ digest: Digest) {
        if each.isEmpty, let first, first != digest {
            each = [Digest](repeating: first, count: count)
        }
        if !each.isEmpty { each.append(digest) }
        if first == nil { first = digest }
        count += 1
    }

    /// Appends the digests of another column.
    mutating func append(_ other: DigestColumn) {
        for position in 0..<other.count { append(other[position]) }
    }
}
