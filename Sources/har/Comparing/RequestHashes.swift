import Foundation
import HTTPArchive

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
