import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The archives that this process has recorded into, each with a lock that serializes its updates.
///
/// Several interceptors may record one archive, as the tests of a suite do. Each merges its entries while holding the
/// lock, and never replaces entries that another recording of this process has added.
final class RecordedArchives: Sendable {
    /// The state of one archive, with a separate lock.
    final class Place: Sendable {
        private let oldCount = Mutex<Int?>(nil)

        /// Whether this process has recorded into the archive.
        var isRecorded: Bool { oldCount.withLock { $0 != nil } }

        /// Runs a closure while no other code of this process updates the archive.
        ///
        /// - Parameter body: Receives and updates the number of entries from before the first recording of this
        ///   process, which precede all others; nil before that recording.
        /// - Throws: Any error that `body` throws.
        func takeTurn<Failure: Error>(_ body: (inout Int?) throws(Failure) -> Void) throws(Failure) {
            try oldCount.withLock { count throws(Failure) in try body(&count) }
        }
    }

    /// The archives of the process.
    static let shared = RecordedArchives()

    private let places = Mutex<[String: Place]>([:])

    /// Returns the state of an archive, which need not exist.
    func place(of archive: URL) -> Place {
        let path = archive.resolvingSymlinksInPath().standardizedFileURL.path
        return places.withLock { places in
            let place = places[path] ?? Place()
            places[path] = place
            return place
        }
    }
}

/// Drafts next to an archive that existed before a recording began.
///
/// A killed process leaves its draft. The draft is kept until a later recording is in the archive, and is then removed
/// like the draft of a failed test. Drafts of running processes are locked and are kept.
struct OrphanedDrafts {
    private static let ending = ".recording"

    private var files: [URL] = []

    init() {}

    /// Finds the drafts of all processes that currently exist next to an archive.
    init(beside archive: URL) {
        let folder = archive.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let start = archive.lastPathComponent + "."
        files = names.filter { name in
            name.hasPrefix(start) && name.hasSuffix(Self.ending)
                && UInt32(name.dropFirst(start.count).dropLast(Self.ending.count), radix: 16) != nil
        }.map { folder.appendingPathComponent($0) }
    }

    /// Returns an unused file name for a draft.
    static func newName(beside archive: URL) -> URL {
        let id = String(UInt32.random(in: 0 ... .max), radix: 16)
        return archive.deletingLastPathComponent().appendingPathComponent(
            "\(archive.lastPathComponent).\(id)\(ending)")
    }

    /// Removes the drafts that are not locked.
    func remove() {
        for file in files {
            let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(file.path) }
            close(descriptor)
        }
    }
}
