import Foundation
import HTTPArchive

/// The entries that a player plays: of a file, or in memory.
struct PlayedEntries: Sendable {
    /// What messages call them.
    let name: String

    /// The number of entries.
    let count: Int

    /// Where bodies in files of their own are; `nil` for entries in memory that have none.
    let folder: HAR.BodyFolder?

    /// The file; `nil` for entries in memory.
    let archive: HARArchive?

    /// The errors that requests get in place of an entry's answer.
    let failures: [Int: any Error]

    /// The method and URL of an entry.
    let request: @Sendable (Int) -> (method: String, url: String)

    /// An entry.
    let entry: @Sendable (Int) throws(HARError) -> HAR.Entry

    /// What finds the entries of a key, for each rule; copies share it.
    let indexes = KeyIndexes()

    private let hosts = KnownHosts()

    /// Entries of any kind.
    init(
        name: String, count: Int, folder: HAR.BodyFolder? = nil,
        request: @escaping @Sendable (Int) -> (method: String, url: String),
        entry: @escaping @Sendable (Int) throws(HARError) -> HAR.Entry
    ) {
        self.name = name
        self.count = count
        self.folder = folder
        archive = nil
        failures = [:]
        self.request = request
        self.entry = entry
    }

    /// The entries of a file, each read when it is asked for.
    init(of archive: HARArchive) {
        name = archive.url.path
        count = archive.count
        folder = archive.bodyFolder
        self.archive = archive
        failures = [:]
        request = { index in
            let summary = archive.summary(at: index)
            return (summary.method, summary.url)
        }
        entry = { index throws(HARError) in try archive.entry(at: index) }
    }

    /// Entries in memory.
    init(_ entries: [HAR.Entry], name: String, folder: HAR.BodyFolder? = nil, failures: [Int: any Error] = [:]) {
        self.name = name
        count = entries.count
        self.folder = folder
        archive = nil
        self.failures = failures
        request = { index in
            let request = entries[index].request
            return (request.method, request.url)
        }
        entry = { index throws(HARError) in entries[index] }
    }

    /// The key of an entry; `nil` for one that no request of HTTP could ask for.
    func key(at index: Int, rule: KeyRule) -> RequestKey? {
        let (method, text) = request(index)
        let url = NormalizedURL(HARRedactor.withoutKeys(text))
        return url.isHTTP ? RequestKey(method: method, url: url, rule: rule) : nil
    }

    /// Whether an entry has a URL of a host.
    ///
    /// - Complexity: O(*n*) in the number of entries for the first call, then O(1).
    func knows(_ host: RequestHost) -> Bool { hosts.contains(host, ofFirst: count) { request($0).url } }

    /// The index by a rule, made where there is none.
    ///
    /// - Complexity: O(*n*) in the number of entries, O(1) when it was made before.
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
