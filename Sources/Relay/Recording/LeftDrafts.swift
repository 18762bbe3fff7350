import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Drafts beside an archive that were there before a recording began.
///
/// A process that is killed leaves its draft. It is kept until a recording that began after it is in the archive; then it
/// goes the way of the draft of a test that failed. Drafts of processes that live are locked, and stay.
struct LeftDrafts {
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
