import Foundation
import HTTPArchive

/// What was recorded, in a file beside the archive, until it takes its place there.
///
/// The file is an archive itself, and locked as long as it is a draft. It is left where it is when the process is killed, or
/// when it cannot take its place.
final class RecordingDraft {
    private let archive: URL
    private let file: URL
    private let origin: RecordingPlan
    private let calls: FileSystemCalls

    /// `nil` as long as nothing is recorded.
    private var writer: HARWriter?

    /// Drafts that others had left when this one was begun.
    private var left = OrphanedDrafts()

    /// For each entry its place in the order in which the requests began.
    private var numbers: [Int] = []

    private var replaced = ReplacedEntries()

    /// Prepares a draft; nothing is written yet.
    convenience init(of archive: URL, settings: RecordingConfiguration) {
        self.init(of: archive, from: RecordingPlan(settings: settings))
    }

    /// Prepares a draft; nothing is written yet.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - origin: The settings of the interceptor.
    ///   - calls: The system calls by which the archive is written; those of the system by default.
    init(of archive: URL, from origin: RecordingPlan, calls: FileSystemCalls = FileSystemCalls()) {
        self.archive = archive
        self.origin = origin
        self.calls = calls
        file = OrphanedDrafts.newName(beside: archive)
    }

    /// Makes the file, and the folder where there is none.
    ///
    /// - Throws: `unwritableFile`.
    func begin() throws(HARError) {
        guard writer == nil else { return }
        let folder = archive.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw HARError(
                .unwritableFile, "The folder cannot be made, so that nothing is recorded.",
                at: .init(file: folder.path), underlying: error)
        }
        let left = OrphanedDrafts(beside: archive)
        var configuration = origin.settings.writer
        configuration.isPrivate = true
        writer = try HARWriter(appendingTo: file, configuration: configuration)
        self.left = left
    }

    /// Writes an entry, after ``begin()``.
    func append(_ entry: HAR.Entry, number: Int, replacing replacement: Replacement) throws(HARError) {
        try writer?.append(entry)
        numbers.append(number)
        replaced.insert(replacement)
    }

    /// Throws the draft away.
    func discard() {
        guard writer != nil else { return }
        try? FileManager.default.removeItem(at: file)
        writer = nil
    }

    /// Puts the entries into the archive, and removes the draft with those that killed processes had left before it.
    ///
    /// The archive is on the disk before: a loss of power must not cost both.
    ///
    /// - Parameter page: The page of the entries; `nil` for none.
    /// - Returns: How many entries were recorded, and how many had to go.
    /// - Throws: `fileInUse` when somebody else writes to the archive; `unwritableFile`, and what reading an archive that is
    ///   there throws. The draft then stays, and can be asked again.
    func takePlace(page: HAR.Page?) throws(HARError) -> RecordingOutput.Counts {
        guard let writer, !numbers.isEmpty else {
            discard()
            return RecordingOutput.Counts()
        }
        try writer.flush()
        let recorded = try HARArchive(contentsOf: file)
        let update = ArchiveUpdate(
            of: archive, adding: recorded, inOrder: order(of: recorded), page: page, from: origin, calls: calls)
        var counts = RecordingOutput.Counts(recorded: recorded.count)
        try RecordedArchives.shared.place(of: archive).takeTurn { oldCount throws(HARError) in
            let (kept, gone) = try update.write(replacing: replaced, ofFirst: oldCount)
            counts.replaced = gone
            oldCount = (oldCount ?? kept + gone) - gone
        }
        discard()
        left.remove()
        return counts
    }

    /// Leaves the draft where it is, because it cannot take its place.
    ///
    /// - Parameter error: Why.
    /// - Returns: The same, with where the draft is and what can be done with it.
    func leave(after error: HARError) -> HARError {
        guard writer.take() != nil, FileManager.default.fileExists(atPath: file.path) else { return error }
        let advice = """
            \(error.message) What was recorded is not in the archive, but in \(file.path), which is an archive itself: \
            record again, which removes it, or make one of both with `har merge`.
            """
        return HARError(error.code, advice, at: error.context, underlying: error)
    }

    /// The places of the entries in the order in which the archive has them.
    private func order(of recorded: HARArchive) -> [Int] {
        let begun = (0..<recorded.count).sorted { numbers[$0] < numbers[$1] }
        guard origin.settings.repeatable?.sortsEntries == true else { return begun }
        return begun.enumerated()
            .map { (summary: recorded.summary(at: $1), rank: $0, place: $1) }
            .sorted { ($0.summary.url, $0.summary.method, $0.rank) < ($1.summary.url, $1.summary.method, $1.rank) }
            .map(\.place)
    }
}

/// The settings of an interceptor that decide what a recording replaces, and how it is written.
struct RecordingPlan: Sendable {
    /// The settings of the recording.
    var settings = RecordingConfiguration()

    /// The matching by which the archive is replayed.
    var matching = RequestMatching.standard

    /// Whether other recordings have the same page, as those of the cases of a parameterized test do.
    var sharesPage = false
}
