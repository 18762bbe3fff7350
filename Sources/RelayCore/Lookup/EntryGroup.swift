/// The entries of one key that have some digests in common, in file order.
struct EntryGroup: Sendable {
    /// The identity of a group among all groups of an archive.
    struct ID: Hashable, Sendable {
        fileprivate let firstOfKey: Int
        fileprivate let path: Int
        fileprivate let start: Int
    }

    /// The indices of the key's entries.
    private let entries: [UInt32]

    /// Indices into ``entries``, sorted so that the group is contiguous; `nil` for file order.
    private let positions: [UInt32]?

    /// The range of the group in `positions`.
    private let range: Range<Int>

    /// The columns in which all entries of the group are equal; `nil` for individually selected entries.
    let path: [Int]?

    /// Creates a group of all entries of a key.
    init(of entries: [UInt32]) {
        self.init(entries: entries, positions: nil, range: 0..<entries.count, path: [])
    }

    private init(entries: [UInt32], positions: [UInt32]?, range: Range<Int>, path: [Int]?) {
        self.entries = entries
        self.positions = positions
        self.range = range
        self.path = path
    }

    var count: Int { range.count }

    /// Whether the entries were selected individually.
    var isPicked: Bool { path == nil }

    /// Returns an entry index by its position in the group.
    subscript(index: Int) -> Int { Int(entries[position(index)]) }

    /// The identity of the group.
    var id: ID {
        ID(
            firstOfKey: entries.first.map(Int.init) ?? 0, path: path?.hashValue ?? positions.hashValue,
            start: path == nil ? -1 : range.lowerBound)
    }

    /// Returns the entries that satisfy a predicate.
    ///
    /// - Returns: The entries, or `nil` if no entry is found.
    func filter(_ isWanted: (_ position: Int, _ entry: Int) -> Bool) -> EntryGroup? {
        let wanted = (0..<count).map(position).filter { isWanted($0, Int(entries[$0])) }
        let positions = wanted.map { UInt32(truncatingIfNeeded: $0) }
        guard !positions.isEmpty else { return nil }
        return EntryGroup(entries: entries, positions: positions, range: 0..<positions.count, path: nil)
    }

    /// Returns the entries that also have a certain digest in another column.
    ///
    /// - Parameters:
    ///   - digest: The digest.
    ///   - column: The column.
    ///   - path: The columns by which `order` is sorted: the columns of this group, followed by `column`.
    ///   - order: All positions, sorted by these columns. Sorting by additional columns moves entries only within their
    ///     groups, so this group has the same range as before.
    /// - Returns: The entries, or `nil` if no entry is found.
    /// - Complexity: O(log *n*) in the size of the group.
    func narrowed(to digest: Digest, in column: DigestColumn, path: [Int], order: [UInt32]) -> EntryGroup? {
        func start(where isBeyond: (Digest) -> Bool) -> Int {
            var (low, high) = (self.range.lowerBound, self.range.upperBound)
            while low < high {
                let middle = low + (high - low) / 2
                if isBeyond(column[Int(order[middle])]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
        let range = start { $0 >= digest }..<start { $0 > digest }
        return range.isEmpty ? nil : EntryGroup(entries: entries, positions: order, range: range, path: path)
    }

    /// Returns the index in ``entries`` for a position in the group.
    private func position(_ index: Int) -> Int {
        positions.map { Int($0[range.lowerBound + index]) } ?? range.lowerBound + index
    }
}
