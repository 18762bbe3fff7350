import Foundation
import Synchronization

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
            let pieces = URLPieces(url)
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
