import Foundation
import HTTPArchive

/// A file next to the archive that stores recorded entries until they are moved into the archive.
///
/// The file is a valid archive and is locked during the recording. It is kept if the process is killed or the entries
/// cannot be moved.
final class RecordingDraft {
    private let archive: URL
    private let file: URL
    private let origin: RecordingPlan
    private let calls = FileSystemCalls.current

    /// The writer of the draft, or nil before the first recorded entry.
    private var writer: HARWriter?

    /// The drafts of other recordings that existed before this draft was created.
    private var left = OrphanedDrafts()

    /// The request number of each entry.
    ///
    /// Requests are numbered in the order in which they started.
    private var numbers: [Int] = []

    private var replaced = ReplacedEntries()

    /// Prepares a draft without writing a file.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - origin: The interceptor's settings for the recording.
    init(of archive: URL, from origin: RecordingPlan) {
        self.archive = archive
        self.origin = origin
        file = OrphanedDrafts.newName(beside: archive)
    }

    /// Creates the file, and the folder if necessary.
    ///
    /// - Throws: `unwritableFile`.
    func begin() throws(HARError) {
        guard writer == nil else { return }
        try SharedArchive.createFolder(of: archive)
        let left = OrphanedDrafts(beside: archive)
        var configuration = origin.settings.writer(reading: origin.reader)
        configuration.isPrivate = true
        writer = try HARWriter(appendingTo: file, configuration: configuration)
        self.left = left
    }

    /// The layout of the texts of entries.
    var layout: JSONLayout { origin.settings.layout }

    /// Appends an entry.
    ///
    /// Call ``begin()`` first.
    func append(_ text: [UInt8], number: Int, replacing replacement: Replacement) throws(HARError) {
        try writer?.append(appendable: text)
        numbers.append(number)
        replaced.insert(replacement)
    }

    /// Deletes the draft.
    func discard() {
        guard writer != nil else { return }
        _ = calls.remove(file.path)
        writer = nil
    }

    /// Moves the entries into the archive, and then removes this draft and older drafts of killed processes.
    ///
    /// The archive is flushed to disk before the draft is removed, so that a power failure cannot destroy both files.
    ///
    /// - Parameter page: The page of the entries, or nil for no page.
    /// - Returns: The number of entries recorded and the number of entries replaced.
    /// - Throws: `fileInUse` if another writer has locked the archive; `unwritableFile`; or any error from reading the
    ///   existing archive. The draft is kept, and the call can be repeated.
    func takePlace(page: HAR.Page?) throws(HARError) -> RecordingOutput.Counts {
        guard let writer, !numbers.isEmpty else {
            discard()
            return RecordingOutput.Counts()
        }
        try writer.flush()
        let recorded = try HARArchive(contentsOf: file, configuration: origin.reader)
        let update = ArchiveUpdate(
            archive: archive, added: recorded, order: order(of: recorded), page: page, origin: origin)
        var counts = RecordingOutput.Counts(recorded: recorded.count)
        try SharedArchive.at(archive).takeTurn { oldCount throws(HARError) in
            let (kept, gone) = try update.write(replacing: replaced, ofFirst: oldCount)
            counts.replaced = gone
            oldCount = (oldCount ?? kept + gone) - gone
        }
        discard()
        left.remove()
        return counts
    }

    /// Keeps the draft because its entries cannot be moved into the archive.
    ///
    /// - Parameter error: The reason.
    /// - Returns: The error, with the path of the draft and advice added to its message.
    func leave(after error: HARError) -> HARError {
        guard writer.take() != nil, FileManager.default.fileExists(atPath: file.path) else { return error }
        let advice = """
            \(error.message) The recorded entries are not in \(archive.lastPathComponent) but in \(file.path), which \
            is a valid archive. To keep them, combine the two files with `har merge`. Recording again deletes that file.
            """
        return HARError(error.code, advice, at: error.context, underlying: error)
    }

    /// Returns the indexes of the recorded entries in writing order.
    private func order(of recorded: HARArchive) -> [Int] {
        let inRequestOrder = (0..<recorded.count).sorted { numbers[$0] < numbers[$1] }
        guard origin.settings.repeatable?.sortsEntries == true else { return inRequestOrder }
        return inRequestOrder.map { (summary: recorded.summary(at: $0), index: $0) }
            .sorted { ($0.summary.url, $0.summary.method) < ($1.summary.url, $1.summary.method) }
            .map(\.index)
    }
}

/// The settings of an interceptor that determine how a recording is written and which entries it replaces.
struct RecordingPlan: Sendable {
    /// The settings of the recording.
    var settings = RecordingConfiguration()

    /// The limits for reading the archive.
    var reader = HARReader.Configuration()

    /// The rules for selecting entries when the archive is replayed.
    var matching = RequestMatching.standard

    /// Whether other recordings use the same page, such as the other cases of a parameterized test.
    var sharesPage = false
}

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
