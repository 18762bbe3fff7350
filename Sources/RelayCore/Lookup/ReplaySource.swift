import Foundation
package import HTTPArchive
import Synchronization

/// The entries that a player plays: of a file, or in memory.
package struct ReplaySource: Sendable {
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
    package init(_ entries: [HAR.Entry], name: String, folder: HAR.BodyFolder? = nil, failures: [Int: any Error] = [:])
    {
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

/// The hosts of an archive's entries, collected when they are first needed.
final class KnownHosts: Sendable {
    private let hosts = Mutex<Set<RequestHost>?>(nil)

    /// Whether an entry has a host.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - count: The number of entries.
    ///   - url: Returns the URL of an entry.
    /// - Returns: Whether one of the entries has a URL of this host.
    /// - Complexity: O(*n*) in the number of entries for the first call, then O(1).
    func contains(_ host: RequestHost, ofFirst count: Int, url: (Int) -> String) -> Bool {
        hosts.withLock { hosts in
            if let hosts { return hosts.contains(host) }
            let collected = Self.collect(ofFirst: count, url: url)
            hosts = collected
            return collected.contains(host)
        }
    }

    private static func collect(ofFirst count: Int, url: (Int) -> String) -> Set<RequestHost> {
        var hosts: Set<RequestHost> = []
        // Most entries share few authorities, and comparing their bytes is cheaper than normalizing them.
        var seen: Set<Substring> = []
        for index in 0..<count {
            let url = url(index)
            let pieces = RawURLComponents(url)
            guard !seen.contains(pieces.authority) else { continue }
            // A copy, so that the set does not keep whole URLs.
            seen.insert(Substring(String(pieces.authority)))
            guard let scheme = pieces.scheme, URL.networkSchemes.contains(scheme.lowercased()),
                let host = RequestHost(of: url)
            else { continue }
            hosts.insert(host)
        }
        return hosts
    }
}

/// What tells an entry from the others of its archive, also when the archive was written anew.
struct EntryIdentity: Hashable, Sendable {
    let method: String
    let url: String
    let startedDateTime: String

    /// The page, which tells the entries of tests apart that have the same request and, if repeatable, the same time.
    let pageref: String?
}

extension EntryIdentity {
    /// The identity of an entry that was read.
    init(of entry: HAR.Entry) {
        let request = entry.request
        self.init(
            method: request.method, url: request.url, startedDateTime: entry.startedDateTime, pageref: entry.pageref)
    }
}
