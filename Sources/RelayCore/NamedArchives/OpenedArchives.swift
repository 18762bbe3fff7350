package import Foundation
package import HTTPArchive
import Synchronization

/// A cache of recently opened archives.
///
/// An archive is opened again if its file has changed. Callers wait while another thread opens the same archive.
package final class OpenedArchives: Sendable {
    private struct Key: Hashable {
        let path: String
        let reader: HARReader.Configuration
        let index: HARArchive.IndexUse
    }

    /// The cached state of one archive, with a separate lock so that opening an archive does not delay another.
    private final class Place: Sendable {
        let opened = Mutex<(archive: HARArchive, entries: ReplaySource)?>(nil)
    }

    private struct State {
        var places: [Key: Place] = [:]

        /// The keys, least recently used first.
        var keys: [Key] = []

        mutating func place(of key: Key, limit: Int) -> Place {
            keys.removeAll { $0 == key }
            keys.append(key)
            if keys.count > limit { places[keys.removeFirst()] = nil }
            let place = places[key] ?? Place()
            places[key] = place
            return place
        }
    }

    /// The cache shared by the whole process.
    package static let shared = OpenedArchives(limit: 16)

    private let limit: Int
    private let state = Mutex(State())

    /// Creates a cache.
    ///
    /// - Parameter limit: The maximum number of cached archives, at least 1.
    init(limit: Int) { self.limit = limit }

    /// Returns the entries of an archive for replay.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings for opening the archive.
    /// - Returns: The entries.
    /// - Throws: `unreadableFile`, `malformedJSON`, `notAnArchive` or `limitExceeded`.
    /// - Complexity: O(1) for a cached archive, otherwise O(*n*) in the size of the file.
    package func entries(of url: URL, configuration: Interceptor.Configuration) throws(HARError) -> ReplaySource {
        let key = Key(path: url.path, reader: configuration.reader, index: configuration.index)
        let place = state.withLock { $0.place(of: key, limit: limit) }
        return try place.opened.withLock { opened throws(HARError) in
            if let opened, opened.archive.isUnchanged { return opened.entries }
            opened = nil
            let archive = try HARArchive(contentsOf: url, configuration: key.reader, index: key.index)
            let entries = ReplaySource(of: archive)
            opened = (archive, entries)
            return entries
        }
    }
}
