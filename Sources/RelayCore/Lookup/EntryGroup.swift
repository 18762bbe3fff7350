/// Entries of one key that have some digests in common, in the order of the file.
struct EntryGroup: Sendable {
    /// What stands for a group among all groups of an archive.
    struct ID: Hashable, Sendable {
        fileprivate let firstOfKey: Int
        fileprivate let path: Int
        fileprivate let start: Int
    }

    /// The numbers of the key's entries.
    private let entries: [UInt32]

    /// The places in ``entries``, ordered so that the group stands together; `nil` for the order of the file.
    private let positions: [UInt32]?

    /// Where the group stands among the positions.
    private let range: Range<Int>

    /// The columns in which all entries of the group are equal; `nil` for entries picked one by one.
    let path: [Int]?

    /// All entries of a key.
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

    /// Whether the entries were picked one by one.
    var isPicked: Bool { path == nil }

    /// The number of an entry, by its place in the group.
    subscript(place: Int) -> Int { Int(entries[position(place)]) }

    /// The group's place in dictionaries.
    var id: ID {
        ID(
            firstOfKey: entries.first.map(Int.init) ?? 0, path: path?.hashValue ?? positions.hashValue,
            start: path == nil ? -1 : range.lowerBound)
    }

    /// Those entries of which something is true.
    ///
    /// - Returns: `nil` when there is none.
    func filter(_ isWanted: (_ position: Int, _ entry: Int) -> Bool) -> EntryGroup? {
        let wanted = (0..<count).map(position).filter { isWanted($0, Int(entries[$0])) }
        let positions = wanted.map { UInt32(truncatingIfNeeded: $0) }
        guard !positions.isEmpty else { return nil }
        return EntryGroup(entries: entries, positions: positions, range: 0..<positions.count, path: nil)
    }

    /// Those entries that have a digest in one more column.
    ///
    /// - Parameters:
    ///   - digest: The digest.
    ///   - column: The column.
    ///   - path: The columns by which `order` is sorted: those of this group, and then `column`.
    ///   - order: All positions, sorted by these columns. Sorting by more columns moves entries only within their groups,
    ///     so this group has its old range in it.
    /// - Returns: `nil` when there is none.
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

    /// The place in ``entries`` of one of the group.
    private func position(_ place: Int) -> Int {
        positions.map { Int($0[range.lowerBound + place]) } ?? range.lowerBound + place
    }
}
