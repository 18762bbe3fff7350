public import Foundation
public import HTTPArchive

/// Where recorded entries are written.
enum RecordingOutput {
    /// The archive itself: each entry is in it at once.
    case archive(HARWriter, count: Int)

    /// A file beside it, which takes its place in the archive at the end.
    case draft(RecordingDraft)

    /// How many entries a recording has changed.
    struct Counts {
        var recorded = 0
        var replaced = 0
    }

    /// Makes sure that there is something to write to, and a folder for the files of bodies.
    ///
    /// - Throws: `unwritableFile`; `fileInUse`.
    func begin() throws(HARError) {
        if case .draft(let draft) = self { try draft.begin() }
    }

    /// Writes an entry, after ``begin()``.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - number: Its place in the order in which the requests began.
    ///   - replacement: What it takes the place of, in an archive that is written anew.
    /// - Throws: As the writer does.
    mutating func append(
        _ entry: HAR.Entry, number: Int, replacing replacement: Replacement
    ) throws(HARError) {
        switch self {
        case .archive(let writer, let count):
            try writer.append(entry)
            self = .archive(writer, count: count + 1)
        case .draft(let draft): try draft.append(entry, number: number, replacing: replacement)
        }
    }

    /// Gives what was recorded its place in the archive.
    ///
    /// - Parameter page: The page of the entries; `nil` for none.
    /// - Returns: What that has changed.
    /// - Throws: `fileInUse`, after which it can be asked again; else as the writer does.
    func finish(page: HAR.Page?) throws(HARError) -> Counts {
        switch self {
        case .archive(let writer, let count):
            if count > 0, let page { try writer.append(page) }
            try writer.finish()
            return Counts(recorded: count)
        case .draft(let draft): return try draft.takePlace(page: page)
        }
    }

    /// Leaves what was recorded where it is, because it cannot get its place.
    ///
    /// - Parameter error: Why.
    /// - Returns: The same, with where it is.
    func leave(after error: HARError) -> HARError {
        if case .draft(let draft) = self { draft.leave(after: error) } else { error }
    }

    /// Forgets what was recorded; what is in the archive already stays.
    func discard() {
        switch self {
        case .archive(let writer, _): try? writer.finish()
        case .draft(let draft): draft.discard()
        }
    }
}

/// What was recorded, and what could not be.
public struct RecordingReport: Sendable {
    /// The archive.
    public let archive: URL

    /// How many exchanges are in the archive that were not there before.
    public let recordedCount: Int

    /// How many entries of the archive they took the place of.
    public let replacedCount: Int

    /// Why exchanges were not recorded, or not in full; the first ten reasons.
    ///
    /// The requests themselves were answered all the same.
    public let failures: [HARError]
}
