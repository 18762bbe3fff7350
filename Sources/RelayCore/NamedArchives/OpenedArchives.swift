package import Foundation
package import HTTPArchive
import Synchronization

/// The archives that were opened last, so that the next one who plays the same need not open them.
///
/// An archive that was changed meanwhile is opened again. Who asks for one that is just being opened waits for it.
package final class OpenedArchives: Sendable {
    private struct Key: Hashable {
        let path: String
        let reader: HARReader.Configuration
        let index: HARArchive.IndexUse
    }

    /// The place of one archive, with a lock of its own, so that opening one keeps nobody from another.
    private final class Place: Sendable {
        let opened = Mutex<(archive: HARArchive, entries: ReplaySource)?>(nil)
    }

    private struct State {
        var places: [Key: Place] = [:]

        /// The keys in the order of their last use.
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

    /// Those of the process.
    package static let shared = OpenedArchives(limit: 16)

    private let limit: Int
    private let state = Mutex(State())

    /// Keeps archives open.
    ///
    /// - Parameter limit: How many, at least 1.
    init(limit: Int) { self.limit = limit }

    /// The entries of an archive, to be played.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: Says how it is opened.
    /// - Returns: The entries.
    /// - Throws: `unreadableFile`, `malformedJSON`, `notAnArchive` or `limitExceeded`.
    /// - Complexity: O(1) for an archive that is open, else O(*n*) in the size of the file.
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
