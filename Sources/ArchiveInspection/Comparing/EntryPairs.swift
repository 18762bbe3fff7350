import Foundation
package import HTTPArchive

/// The pairs of entries of two archives that have the same request, and the entries that only one archive has.
package struct EntryPairs: Sendable {
    /// The indices of two entries with the same request in the first and in the second archive.
    package typealias Pair = (first: Int, second: Int)

    /// A line of a comparison.
    package enum Step: Sendable {
        /// Two entries to compare.
        case pair(Pair)

        /// An entry that only the first archive has.
        case removed(Int)

        /// An entry that only the second archive has.
        case added(Int)
    }

    /// The pairs, in the order of the first archive.
    package private(set) var pairs: [Pair] = []

    /// The indices of entries that only the first archive has, in ascending order.
    package private(set) var removed: [Int] = []

    /// The indices of entries that only the second archive has, in ascending order.
    package private(set) var added: [Int] = []

    /// Whether neither archive has an entry to report.
    package var isEmpty: Bool { pairs.isEmpty && removed.isEmpty && added.isEmpty }

    /// Pairs the entries of two archives.
    ///
    /// Entries with the same method and normalized URL are paired. Among several, those with the same literal URL and
    /// the same request body are paired first, and then those with the same operation of GraphQL or JSON-RPC. Entries
    /// with equal requests are paired in order. If one archive has more of them, those with equal responses are paired
    /// first. Of the remaining entries, two are paired if no others have the same method and the same URL without
    /// volatile values, or without its query.
    ///
    /// - Parameters:
    ///   - first: The first archive.
    ///   - second: The second archive.
    ///   - volatile: The query items and the values in bodies to leave out.
    /// - Throws: An error if an entry cannot be read.
    /// - Complexity: O(*n* log *n*) in the number of entries.
    package init(
        of first: ComparedArchive, and second: ComparedArchive, without volatile: VolatileFields
    ) throws(HARError) {
        var unpaired = Unpaired(
            first: RequestHashes.ofEntries(in: first, without: volatile),
            second: RequestHashes.ofEntries(in: second, without: volatile))
        pairs = unpaired.take(onlySingle: true, by: \.request)
        let shared = Set(unpaired.first.map(\.request)).intersection(unpaired.second.map(\.request))
        if !shared.isEmpty {
            try unpaired.first.addBodies(from: first, for: shared, without: volatile)
            try unpaired.second.addBodies(from: second, for: shared, without: volatile)
            pairs += try unpaired.takeEqualResponses(of: first, and: second, without: volatile) {
                RequestHashes.combined($0.request, $0.url, $0.body)
            }
            pairs += unpaired.take { RequestHashes.combined($0.request, $0.url, $0.body) }
            pairs += unpaired.take { RequestHashes.combined($0.request, $0.body) }
            pairs += unpaired.take { RequestHashes.combined($0.request, $0.operation) }
            pairs += unpaired.take { RequestHashes.combined($0.request, $0.url) }
            pairs += unpaired.take(by: \.request)
        }
        pairs += unpaired.take(onlySingle: true, by: \.stable)
        pairs += unpaired.take(onlySingle: true, by: \.resource)
        pairs.sort { $0.first < $1.first }
        removed = unpaired.first.map { Int($0.index) }
        added = unpaired.second.map { Int($0.index) }
        guard let inFirst = first.selected, let inSecond = second.selected else { return }
        pairs.removeAll { !inFirst.contains($0.first) && !inSecond.contains($0.second) }
        removed.removeAll { !inFirst.contains($0) }
        added.removeAll { !inSecond.contains($0) }
    }

    /// All pairs and entries in the order of the second archive.
    ///
    /// An entry that only the first archive has follows the pair before it in the first archive.
    package var steps: [Step] {
        var steps: [(position: Int, isRemoved: Int, index: Int, step: Step)] = []
        steps.reserveCapacity(pairs.count + removed.count + added.count)
        var rest = removed[...]
        var last = -1
        for pair in pairs {
            while let index = rest.first, index < pair.first {
                steps.append((last, 1, index, .removed(index)))
                rest.removeFirst()
            }
            steps.append((pair.second, 0, pair.first, .pair(pair)))
            last = pair.second
        }
        for index in rest { steps.append((last, 1, index, .removed(index))) }
        for index in added { steps.append((index, 0, index, .added(index))) }
        steps.sort { ($0.position, $0.isRemoved, $0.index) < ($1.position, $1.isRemoved, $1.index) }
        return steps.map(\.step)
    }
}

/// The entries of two archives that are not paired yet, in the order of the archives.
private struct Unpaired {
    var first: [RequestHashes]
    var second: [RequestHashes]

    /// Removes and returns pairs of entries with equal keys, in order.
    ///
    /// - Parameters:
    ///   - onlySingle: Whether to pair only keys that each archive has once; `false` by default.
    ///   - key: A closure that returns the key of an entry.
    /// - Returns: The pairs.
    mutating func take(onlySingle: Bool = false, by key: (RequestHashes) -> Int) -> [EntryPairs.Pair] {
        guard !first.isEmpty, !second.isEmpty else { return [] }
        var positions: [(Int, Int)] = []
        forEachGroup(by: key) { left, right in
            if !onlySingle || left.count == 1 && right.count == 1 {
                positions += zip(left, right).map { ($0.position, $1.position) }
            }
        }
        return take(positions)
    }

    /// Removes and returns pairs of entries with equal keys and equal responses, in order, for each key that one archive
    /// has more often than the other.
    ///
    /// - Parameters:
    ///   - archive: The first archive.
    ///   - other: The second archive.
    ///   - volatile: The values in bodies to leave out.
    ///   - key: A closure that returns the key of an entry.
    /// - Returns: The pairs.
    /// - Throws: An error if an entry cannot be read.
    mutating func takeEqualResponses(
        of archive: ComparedArchive, and other: ComparedArchive, without volatile: VolatileFields,
        by key: (RequestHashes) -> Int
    ) throws(HARError) -> [EntryPairs.Pair] {
        var positions: [(Int, Int)] = []
        try forEachGroup(by: key) { left, right throws(HARError) in
            if left.count == right.count { return }
            let (left, right) = (left.map(\.position), right.map(\.position))
            let hashes = (
                try first.responseHashes(at: left, in: archive, without: volatile),
                try second.responseHashes(at: right, in: other, without: volatile)
            )
            for step in Alignment(hashes.0, hashes.1).steps(includesEqual: true) {
                guard let one = step.first, let other = step.second, hashes.0[one] == hashes.1[other] else { continue }
                positions.append((left[one], right[other]))
            }
        }
        return take(positions)
    }

    /// Removes and returns pairs of entries.
    private mutating func take(_ positions: [(Int, Int)]) -> [EntryPairs.Pair] {
        if positions.isEmpty { return [] }
        var isPaired = ([Bool](repeating: false, count: first.count), [Bool](repeating: false, count: second.count))
        let pairs = positions.map { one, other in
            isPaired.0[one] = true
            isPaired.1[other] = true
            return (first: Int(first[one].index), second: Int(second[other].index))
        }
        first = zip(first, isPaired.0).lazy.filter { !$0.1 }.map(\.0)
        second = zip(second, isPaired.1).lazy.filter { !$0.1 }.map(\.0)
        return pairs
    }

    /// Calls a closure for each key that both archives have, with the entries that have it.
    private func forEachGroup<Failure: Error>(
        by key: (RequestHashes) -> Int,
        _ body: (_ left: ArraySlice<Key>, _ right: ArraySlice<Key>) throws(Failure) -> Void
    ) throws(Failure) {
        let keys = (Self.sorted(first, by: key), Self.sorted(second, by: key))
        var (one, other) = (0, 0)
        while one < keys.0.count, other < keys.1.count {
            let value = keys.0[one].key
            guard value == keys.1[other].key else {
                if value < keys.1[other].key { one += 1 } else { other += 1 }
                continue
            }
            let groups = (keys.0[one...].prefix { $0.key == value }, keys.1[other...].prefix { $0.key == value })
            try body(groups.0, groups.1)
            (one, other) = (groups.0.endIndex, groups.1.endIndex)
        }
    }

    private typealias Key = (key: Int, position: Int)

    private static func sorted(_ entries: [RequestHashes], by key: (RequestHashes) -> Int) -> [Key] {
        entries.enumerated().map { (key($1), $0) }.sorted { $0 < $1 }
    }
}

/// The hashes of a request, which are equal for requests that can be paired.
///
/// The hashes are valid only in this process.
struct RequestHashes: Sendable {
    /// The number of entries whose hashes are computed together.
    private static let blockSize = 4096

    /// The index of the entry.
    let index: Int32

    /// The hash of the method and the normalized URL, without volatile query items.
    let request: Int

    /// The hash of the literal URL.
    let url: Int

    /// The hash of the method and the normalized URL, without volatile values of query items with any name.
    let stable: Int

    /// The hash of the method and the normalized URL without its query.
    let resource: Int

    /// The hash of the request body, or 0 if bodies are not compared.
    var body = 0

    /// The hash of the operation in the request body, or 0 if the body selects no operation.
    var operation = 0

    /// Returns the hashes of the entries of an archive.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - volatile: The query items to leave out.
    /// - Returns: The hashes, in the order of the archive.
    static func ofEntries(in archive: ComparedArchive, without volatile: VolatileFields) -> [Self] {
        let count = archive.archive.count
        let blocks = stride(from: 0, to: count, by: blockSize).map { $0..<min($0 + blockSize, count) }
        let hashes = blocks.concurrentMap { block in
            block.map { RequestHashes(of: archive.archive.summary(at: $0), at: $0, volatile) }
        }
        return Array(hashes.joined())
    }

    private init(of entry: HAREntrySummary, at index: Int, _ volatile: VolatileFields) {
        self.index = Int32(truncatingIfNeeded: index)
        let normalized = NormalizedURL(entry.url)
        let items = normalized.queryItems.map { item in
            (text: item, name: FormEncoding.name(of: item), value: FormEncoding.literalParts(of: item).value)
        }.filter { !volatile.ignores(queryItem: $0.name, values: [$0.value]) }.sorted { $0.text < $1.text }
        var hasher = Hasher()
        hasher.combine(entry.method.uppercased())
        hasher.combine(normalized.origin)
        hasher.combine(normalized.path)
        var (whole, stable) = (hasher, hasher)
        resource = hasher.finalize()
        for item in items {
            whole.combine(item.text)
            stable.combine(VolatileValue.isVolatile(String(item.value)) ? item.name : String(item.text))
        }
        request = whole.finalize()
        self.stable = stable.finalize()
        url = entry.url.hashValue
    }

    /// Returns a hash of several hashes.
    static func combined(_ hashes: Int...) -> Int {
        var hasher = Hasher()
        for hash in hashes { hasher.combine(hash) }
        return hasher.finalize()
    }
}

extension [RequestHashes] {
    /// Adds the hashes of request bodies.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - requests: The hashes of the requests whose bodies are needed.
    ///   - volatile: The values in bodies to leave out.
    /// - Throws: An error if an entry cannot be read.
    mutating func addBodies(
        from archive: ComparedArchive, for requests: Set<Int>, without volatile: VolatileFields
    ) throws(HARError) {
        let positions = indices.filter { position in
            guard requests.contains(self[position].request) else { return false }
            return !["GET", "HEAD"].contains(archive.archive.summary(at: Int(self[position].index)).method)
        }
        let bodies = try positions.map { Int(self[$0].index) }.concurrentMap { index throws(HARError) in
            let request = try archive.archive.entry(at: index).request
            let body = request.comparedBody(in: archive.folder, ofEntry: index)
            return (body?.hash(without: volatile) ?? 1, body?.operationHash ?? 0)
        }
        for (position, hashes) in zip(positions, bodies) { (self[position].body, self[position].operation) = hashes }
    }

    /// Returns the hashes of the responses of some entries.
    ///
    /// - Parameters:
    ///   - positions: The positions of the entries in this array.
    ///   - archive: The archive.
    ///   - volatile: The values in bodies to leave out.
    /// - Returns: The hashes of statuses and bodies.
    /// - Throws: An error if an entry cannot be read.
    func responseHashes(
        at positions: [Int], in archive: ComparedArchive, without volatile: VolatileFields
    ) throws(HARError) -> [Int] {
        try positions.map { Int(self[$0].index) }.concurrentMap { index throws(HARError) in
            let response = try archive.archive.entry(at: index).response
            let body = response.comparedBody(in: archive.folder, ofEntry: index)?.hash(without: volatile) ?? 1
            return RequestHashes.combined(response.status, body)
        }
    }
}
