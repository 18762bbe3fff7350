import Foundation
import HTTPArchive

/// What was recorded, in a file beside the archive, until it takes its place there.
///
/// The file is an archive itself. It is left where it is when the process is killed, or when it cannot take its place.
final class RecordingDraft {
    private let archive: URL
    private let file: URL
    private let configuration: HARWriter.Configuration

    /// `nil` as long as nothing is recorded.
    private var writer: HARWriter?

    /// For each entry its place in the order in which the requests began.
    private var numbers: [Int] = []

    private var replaced = ReplacedEntries()

    /// Prepares a draft; nothing is written yet.
    init(of archive: URL, configuration: HARWriter.Configuration) {
        self.archive = archive
        self.configuration = configuration
        let id = String(UInt32.random(in: 0 ... .max), radix: 16)
        file = archive.deletingLastPathComponent().appendingPathComponent("\(archive.lastPathComponent).\(id).part")
    }

    /// Writes an entry.
    func append(_ entry: HAR.Entry, number: Int, replacing replacement: Replacement) throws(HARError) {
        let writer = try self.writer ?? begin()
        try writer.append(entry)
        numbers.append(number)
        replaced.insert(replacement)
    }

    private func begin() throws(HARError) -> HARWriter {
        do {
            let folder = archive.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw HARError(
                .unwritableFile, "The folder of the archive cannot be made.", at: .init(file: archive.path),
                underlying: error)
        }
        let writer = try HARWriter(appendingTo: file, configuration: configuration)
        self.writer = writer
        return writer
    }

    /// Throws the draft away.
    func discard() {
        guard let writer = writer.take() else { return }
        try? writer.finish()
        try? FileManager.default.removeItem(at: file)
    }

    /// Puts the entries into the archive, in the order in which their requests began.
    ///
    /// - Parameter page: The page of the entries; `nil` for none.
    /// - Throws: `unwritableFile`, and what reading an archive that is there throws; the archive then stays as it was, and
    ///   the draft where it is.
    func takePlace(page: HAR.Page?) throws(HARError) -> RecordingOutput.Counts {
        guard let writer = writer.take() else { return RecordingOutput.Counts() }
        try writer.finish()
        let recorded = try HARArchive(contentsOf: file)
        let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
        var counts = RecordingOutput.Counts(recorded: order.count)
        try RecordedArchives.shared.place(of: archive).takeTurn { oldCount throws(HARError) in
            let isThere = FileManager.default.fileExists(atPath: archive.path)
            let old = isThere ? try HARArchive(contentsOf: archive) : nil
            let kept = try entries(of: old, before: oldCount ?? old?.count ?? 0)
            counts.replaced = (old?.count ?? 0) - kept.count
            oldCount = (oldCount ?? old?.count ?? 0) - counts.replaced
        }
        try? FileManager.default.removeItem(at: file)
        return counts
    }

    /// The entries of the archive that stay.
    private func entries(of archive: HARArchive?, before oldCount: Int) throws(HARError) -> [Int] {
        guard let archive else { return [] }
        guard !replaced.isEmpty else { return Array(0..<archive.count) }
        var kept: [Int] = []
        for index in 0..<archive.count {
            if try index >= oldCount || !replaced.contains(index, of: archive) { kept.append(index) }
        }
        return kept
    }
}
