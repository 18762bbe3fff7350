import Foundation
package import HTTPArchive
import Synchronization

/// The entries to replay, from a file or in memory.
package struct ReplaySource: Sendable {
    /// The name of the source, as shown in messages.
    let name: String

    /// The number of entries.
    let count: Int

    /// The folder of the body files; `nil` for entries in memory without body files.
    private(set) var folder: HAR.BodyFolder?

    /// The archive file, or `nil` for entries in memory.
    private(set) var archive: HARArchive?

    /// The errors to deliver instead of recorded responses, by entry index.
    private(set) var failures: [Int: any Error] = [:]

    /// A closure that returns the method and URL of an entry.
    let request: @Sendable (Int) -> (method: String, url: String)

    /// A closure that returns an entry.
    let entry: @Sendable (Int) throws(HARError) -> HAR.Entry

    /// The indexes of the entries by key, shared by all copies of this source.
    let indexes = KeyIndexes()

    private let hosts = OnFirstUse<Set<RequestHost>>()
}

extension ReplaySource {
    /// Creates a source from an archive file.
    ///
    /// Its entries are read on demand.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - name: The name in messages, or nil (the default) for the path.
    ///   - folder: The folder of the body files, or nil (the default) for the folder of the archive.
    package init(of archive: HARArchive, named name: String? = nil, in folder: HAR.BodyFolder? = nil) {
        self.init(
            name: name ?? archive.url.path, count: archive.count, folder: folder ?? archive.bodyFolder,
            archive: archive,
            request: { index in
                let summary = archive.summary(at: index)
                return (summary.method, summary.url)
            },
            entry: { index throws(HARError) in try archive.entry(at: index) })
    }

    /// Creates a source from entries in memory.
    package init(_ entries: [HAR.Entry], name: String, folder: HAR.BodyFolder? = nil, failures: [Int: any Error] = [:])
    {
        self.init(
            name: name, count: entries.count, folder: folder, failures: failures,
            request: { index in
                let request = entries[index].request
                return (request.method, request.url)
            },
            entry: { index throws(HARError) in entries[index] })
    }

    /// Reads an entry, without the body of its response if the body is large and can be read in parts.
    ///
    /// - Parameter index: The entry index.
    /// - Returns: The entry, and the body of its response, or nil if the body must be read with the entry.
    /// - Throws: The errors of reading the entry.
    func entryWithStoredBody(_ index: Int) throws(HARError) -> (entry: HAR.Entry, body: StoredBody?) {
        let (entry, body) =
            if let archive { try archive.entryWithStoredBody(at: index) } else { (try self.entry(index), nil) }
        // Errors are reported when the body is read with the entry.
        return (entry, body ?? folder.flatMap { try? entry.response.storedBody(in: $0) })
    }

    /// Reads an entry, without the body of its response if the body is large.
    ///
    /// - Parameter index: The entry index.
    /// - Returns: The entry. The text of a large body is arbitrary.
    /// - Throws: The errors of reading the entry.
    func entryWithoutBody(_ index: Int) throws(HARError) -> HAR.Entry {
        if let archive { try archive.entryWithoutBody(at: index) } else { try entry(index) }
    }

    /// The least size of an entry that ``byteCount(of:)`` returns.
    static let leastByteCount = 64

    /// Returns the size of an entry with its body, in bytes.
    ///
    /// - Returns: The size, at most 1 GB; ``leastByteCount`` for an entry in memory.
    func byteCount(of index: Int) -> Int {
        guard let summary = archive?.summary(at: index) else { return Self.leastByteCount }
        return min(max(summary.byteRange.count, summary.size ?? 0, Self.leastByteCount), 1 << 30)
    }

    /// Calls a closure with the index and the URL of each entry in a range.
    ///
    /// - Parameters:
    ///   - indices: The entry indices.
    ///   - body: A closure that receives an entry index and the URL in UTF-8. The buffer is valid only during the call.
    func forEachURL(in indices: Range<Int>, _ body: (_ index: Int, _ url: UnsafeRawBufferPointer) -> Void) {
        if let archive { return archive.forEachURL(in: indices, body) }
        for index in indices {
            var url = request(index).url
            url.withUTF8 { body(index, UnsafeRawBufferPointer($0)) }
        }
    }

    /// Returns the key of an entry, or `nil` if its URL is neither an HTTP nor a WebSocket URL.
    func key(at index: Int, rule: KeyRule) -> RequestKey? {
        let (method, text) = request(index)
        let url = NormalizedURL(HARRedactor.withoutKeys(text))
        return url.isHTTP || url.isWebSocket ? RequestKey(method: method, url: url, rule: rule) : nil
    }

    /// Whether any entry has a URL with this host.
    ///
    /// - Complexity: O(*n*) in the number of entries for the first call, then O(1).
    func knows(_ host: RequestHost) -> Bool { hosts.value(collectHosts).contains(host) }

    private func collectHosts() -> Set<RequestHost> {
        var hosts: Set<RequestHost> = []
        // Most archives contain only a few authorities, and comparing their bytes is cheaper than normalizing them.
        var seen: Set<Substring> = []
        for index in 0..<count {
            let url = request(index).url
            let components = LiteralURL(url)
            guard !seen.contains(components.authority) else { continue }
            // The copy prevents the set from retaining whole URLs.
            seen.insert(Substring(String(components.authority)))
            guard let scheme = components.scheme, URL.networkSchemes.contains(scheme.lowercased()),
                let host = RequestHost(of: url)
            else { continue }
            hosts.insert(host)
        }
        return hosts
    }

    /// Returns the index for a rule, and creates it if necessary.
    ///
    /// - Complexity: O(*n*) in the number of entries for the first call per rule, then O(1).
    func index(by rule: KeyRule) -> KeyIndex {
        indexes.index(by: rule) {
            var hasRedactedKeys = false
            var index = KeyIndex(count: count) { number in
                if !hasRedactedKeys { hasRedactedKeys = HARRedactor.isRedacted(request(number).url) }
                return key(at: number, rule: rule)
            }
            index.hasRedactedKeys = hasRedactedKeys
            return index
        }
    }
}

/// The identity of an entry, which does not change when its archive is rewritten.
struct EntryIdentity: Hashable, Sendable {
    let method: String
    let url: String
    let startedDateTime: String

    /// The page, which distinguishes entries that different tests recorded for the same request.
    ///
    /// In repeatable recordings, these entries have the same start time.
    let pageref: String?
}

extension EntryIdentity {
    /// Creates the identity of an entry.
    init(of entry: HAR.Entry) {
        let request = entry.request
        self.init(
            method: request.method, url: request.url, startedDateTime: entry.startedDateTime, pageref: entry.pageref)
    }
}

/// An index that finds the entries of a key in constant time.
///
/// The index is a hash table of entry indices and uses at most 16 bytes per entry. It does not store keys. They are
/// recomputed for comparisons.
struct KeyIndex: Sendable {
    /// The first entry index of each chain, plus 1; 0 for an empty chain.
    private var first: [UInt32]

    /// The next entry index in the same chain, plus 1; 0 at the end.
    private var next: [UInt32]

    private var hashes: [UInt32]

    /// Whether any key is redacted.
    ///
    /// If so, a request without a matching entry must also be looked up by its redacted key.
    var hasRedactedKeys = false

    /// Creates an index.
    ///
    /// - Parameters:
    ///   - count: The number of entries.
    ///   - key: A closure that returns the key of an entry, or `nil` if the entry matches no request.
    init(count: Int, key: (Int) -> RequestKey?) {
        var size = 1
        while size < count { size *= 2 }
        first = [UInt32](repeating: 0, count: size)
        next = [UInt32](repeating: 0, count: count)
        hashes = [UInt32](repeating: 0, count: count)
        // Inserting in reverse keeps each chain in file order.
        for index in (0..<count).reversed() {
            guard let key = key(index) else { continue }
            let hash = UInt32(truncatingIfNeeded: key.hashValue)
            let slot = Int(hash) & (size - 1)
            hashes[index] = hash
            next[index] = first[slot]
            first[slot] = UInt32(truncatingIfNeeded: index + 1)
        }
    }

    /// Returns the entries of a key, in file order.
    ///
    /// - Parameters:
    ///   - wanted: The key.
    ///   - limit: The maximum number of entries to return.
    ///   - key: A closure that returns the key of an entry, as in ``init(count:key:)``.
    /// - Returns: The entry indices.
    func entries(of wanted: RequestKey, upTo limit: Int = .max, key: (Int) -> RequestKey?) -> [Int] {
        let hash = UInt32(truncatingIfNeeded: wanted.hashValue)
        var entries: [Int] = []
        var link = first[Int(hash) & (first.count - 1)]
        while link != 0, entries.count < limit {
            let index = Int(link) - 1
            if hashes[index] == hash, key(index) == wanted { entries.append(index) }
            link = next[index]
        }
        return entries
    }
}

/// A small cache of indexes by different rules for the same entries.
final class KeyIndexes: Sendable {
    private static let limit = 4

    private let indexes = Mutex<[KeyRule: KeyIndex]>([:])

    /// Returns the index for a rule, creating it if necessary.
    ///
    /// Other callers wait in the meantime.
    func index(by rule: KeyRule, make: () -> KeyIndex) -> KeyIndex {
        indexes.withLock { indexes in
            if let index = indexes[rule] { return index }
            if indexes.count == Self.limit { indexes.removeAll() }
            let index = make()
            indexes[rule] = index
            return index
        }
    }
}
