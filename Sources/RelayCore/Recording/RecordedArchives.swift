import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The archives that this process has recorded into, and whose turn it is to do so.
///
/// Several interceptors may record one archive, as the tests of a suite do. Each puts what it recorded into the archive when
/// it is its turn, and none takes away what another one of the process has put there.
final class RecordedArchives: Sendable {
    /// One archive, with a lock of its own.
    final class Place: Sendable {
        private let oldCount = Mutex<Int?>(nil)

        /// Whether something was recorded into it.
        var isRecorded: Bool { oldCount.withLock { $0 != nil } }

        /// Does something to the archive while nobody else of the process does.
        ///
        /// - Parameter body: Is given the number of entries that were there before the process recorded any, which stand in
        ///   front of the others; `nil` as long as it did not. It changes that number.
        /// - Throws: What `body` throws.
        func takeTurn<Failure: Error>(_ body: (inout Int?) throws(Failure) -> Void) throws(Failure) {
            try oldCount.withLock { count throws(Failure) in try body(&count) }
        }
    }

    /// Those of the process.
    static let shared = RecordedArchives()

    private let places = Mutex<[String: Place]>([:])

    /// The place of an archive, which need not be there.
    func place(of archive: URL) -> Place {
        let path = archive.resolvingSymlinksInPath().standardizedFileURL.path
        return places.withLock { places in
            let place = places[path] ?? Place()
            places[path] = place
            return place
        }
    }
}

/// Drafts beside an archive that were there before a recording began.
///
/// A process that is killed leaves its draft. It is kept until a recording that began after it is in the archive; then it
/// goes the way of the draft of a test that failed. Drafts of processes that live are locked, and stay.
struct OrphanedDrafts {
    private static let ending = ".recording"

    private var files: [URL] = []

    /// None.
    init() {}

    /// Those that are beside an archive now, of whatever process.
    init(beside archive: URL) {
        let folder = archive.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let start = archive.lastPathComponent + "."
        files = names.filter { name in
            name.hasPrefix(start) && name.hasSuffix(Self.ending)
                && UInt32(name.dropFirst(start.count).dropLast(Self.ending.count), radix: 16) != nil
        }.map { folder.appendingPathComponent($0) }
    }

    /// A name for a draft that nobody else has.
    static func newName(beside archive: URL) -> URL {
        let id = String(UInt32.random(in: 0 ... .max), radix: 16)
        return archive.deletingLastPathComponent().appendingPathComponent(
            "\(archive.lastPathComponent).\(id)\(ending)")
    }

    /// Removes those that nobody has locked.
    func remove() {
        for file in files {
            let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(file.path) }
            close(descriptor)
        }
    }
}
