import Foundation
import HTTPArchive

/// What was recorded, in a file beside the archive, until it takes its place there.
///
/// The file is an archive itself. It is left where it is when the process is killed, or when it cannot take its place.
final class RecordingDraft {
    private let archive: URL
    private let file: URL
    private let settings: Interceptor.Recording

    /// `nil` as long as nothing is recorded.
    private var writer: HARWriter?

    /// For each entry its place in the order in which the requests began.
    private var numbers: [Int] = []

    private var replaced = ReplacedEntries()

    /// Prepares a draft; nothing is written yet.
    init(of archive: URL, settings: Interceptor.Recording) {
        self.archive = archive
        self.settings = settings
        let id = String(UInt32.random(in: 0 ... .max), radix: 16)
        file = archive.deletingLastPathComponent().appendingPathComponent("\(archive.lastPathComponent).\(id).part")
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
        writer = try HARWriter(appendingTo: file, configuration: settings.writer)
    }

    /// Writes an entry, after ``begin()``.
    func append(_ entry: HAR.Entry, number: Int, replacing replacement: Replacement) throws(HARError) {
        try writer?.append(entry)
        numbers.append(number)
        replaced.insert(replacement)
    }

    /// Throws the draft away.
    func discard() {
        guard let writer = writer.take() else { return }
        try? writer.finish()
        try? FileManager.default.removeItem(at: file)
    }

    /// Puts the entries into the archive.
    ///
    /// - Parameter page: The page of the entries; `nil` for none.
    /// - Returns: How many entries were recorded, and how many had to go.
    /// - Throws: `unwritableFile`, and what reading an archive that is there throws; the archive then stays as it was, and
    ///   the draft where it is.
    func takePlace(page: HAR.Page?) throws(HARError) -> RecordingOutput.Counts {
        guard let writer = writer.take() else { return RecordingOutput.Counts() }
        try writer.finish()
        guard !numbers.isEmpty else {
            try? FileManager.default.removeItem(at: file)
            return RecordingOutput.Counts()
        }
        let recorded = try HARArchive(contentsOf: file)
        let update = ArchiveUpdate(of: archive, adding: recorded, inOrder: order(of: recorded), page: page)
        var counts = RecordingOutput.Counts(recorded: recorded.count)
        try RecordedArchives.shared.place(of: archive).takeTurn { oldCount throws(HARError) in
            let (kept, gone) = try update.write(replacing: replaced, ofFirst: oldCount)
            counts.replaced = gone
            oldCount = (oldCount ?? kept + gone) - gone
        }
        try? FileManager.default.removeItem(at: file)
        return counts
    }

    /// The places of the entries in the order in which the archive has them.
    private func order(of recorded: HARArchive) -> [Int] {
        let begun = (0..<recorded.count).sorted { numbers[$0] < numbers[$1] }
        guard settings.repeatable?.sortsEntries == true else { return begun }
        return begun.enumerated()
            .map { (summary: recorded.summary(at: $1), rank: $0, place: $1) }
            .sorted { ($0.summary.url, $0.summary.method, $0.rank) < ($1.summary.url, $1.summary.method, $1.rank) }
            .map(\.place)
    }
}
