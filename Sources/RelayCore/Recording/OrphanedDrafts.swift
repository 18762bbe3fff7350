import Foundation
import HTTPArchive

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The drafts next to an archive that existed before a recording started.
///
/// A process that is killed leaves its draft behind. The draft is removed when a later recording has been moved into
/// the archive. Drafts of running processes are locked and therefore kept.
struct OrphanedDrafts {
    private static let ending = ".recording"

    private var files: [URL] = []

    init() {}

    /// Finds all drafts next to an archive, from any process.
    init(beside archive: URL) {
        let folder = archive.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let start = archive.lastPathComponent + "."
        files = names.filter { name in
            name.hasPrefix(start) && name.hasSuffix(Self.ending)
                && UInt32(name.dropFirst(start.count).dropLast(Self.ending.count), radix: 16) != nil
        }.map { folder.appendingPathComponent($0) }
    }

    /// Returns a URL with a random name for a new draft.
    static func newName(beside archive: URL) -> URL {
        let id = String(UInt32.random(in: 0 ... .max), radix: 16)
        return archive.deletingLastPathComponent().appendingPathComponent(
            "\(archive.lastPathComponent).\(id)\(ending)")
    }

    /// Removes the drafts that are not locked.
    func remove() {
        let calls = FileSystemCalls.current
        for file in files {
            let descriptor = calls.open(file.path, O_RDONLY | O_NONBLOCK, 0)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = calls.remove(file.path) }
            _ = calls.close(descriptor)
        }
    }
}
