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

    /// The cache shared by the whole process.
    package static let shared = OpenedArchives(limit: 16)

    private let places: Mutex<LRUCache<Key, Place>>

    /// Creates a cache.
    ///
    /// - Parameter limit: The maximum number of cached archives, at least 1.
    init(limit: Int) { places = Mutex(LRUCache(limit: limit)) }

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
        let place = places.withLock { places in
            if let place = places.value(of: key) { return place }
            let place = Place()
            places.keep(place, size: 1, of: key)
            return place
        }
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
