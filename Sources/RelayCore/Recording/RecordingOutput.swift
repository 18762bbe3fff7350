public import Foundation
public import HTTPArchive
import Synchronization

/// The destination of recorded entries.
enum RecordingOutput {
    /// The archive itself, with each entry written immediately.
    case archive(HARWriter, count: Int)

    /// The archive of the current request, with each entry written immediately.
    case requests(RequestArchive, RecordingConfiguration)

    /// A file next to the archive, merged into it at the end.
    case draft(RecordingDraft)

    /// The number of entries that a recording has added and replaced.
    struct Counts {
        var recorded = 0
        var replaced = 0
    }

    /// Prepares the output file and the folder for body files.
    ///
    /// - Throws: `unwritableFile` or `fileInUse`.
    func begin() throws(HARError) {
        if case .draft(let draft) = self { try draft.begin() }
    }

    /// Appends an entry, after ``begin()``.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - number: The number of its request, in the order in which requests began.
    ///   - replacement: The entries that it replaces when the archive is rewritten.
    /// - Throws: Any error from the writer.
    mutating func append(
        _ entry: HAR.Entry, number: Int, replacing replacement: Replacement
    ) throws(HARError) {
        switch self {
        case .archive(let writer, let count):
            try writer.append(entry)
            self = .archive(writer, count: count + 1)
        case .requests(let target, let settings):
            try target.opened.append(entry, to: target.archive, settings: settings)
        case .draft(let draft): try draft.append(entry, number: number, replacing: replacement)
        }
    }

    /// Moves the recorded entries into the archive.
    ///
    /// - Parameter page: The page of the entries, or nil for no page.
    /// - Returns: The number of entries added and replaced.
    /// - Throws: `fileInUse`, after which the call can be repeated, or any error from the writer.
    func finish(page: HAR.Page?) throws(HARError) -> Counts {
        switch self {
        case .archive(let writer, let count):
            if count > 0, let page { try writer.append(page) }
            try writer.finish()
            return Counts(recorded: count)
        case .requests: return Counts()
        case .draft(let draft): return try draft.takePlace(page: page)
        }
    }

    /// Keeps the recorded entries in their file because they cannot be moved into the archive.
    ///
    /// - Parameter error: The reason.
    /// - Returns: The error with the path of the file added.
    func leave(after error: HARError) -> HARError {
        if case .draft(let draft) = self { draft.leave(after: error) } else { error }
    }

    /// Discards the recorded entries, except those already in the archive.
    func discard() {
        switch self {
        case .archive(let writer, _): try? writer.finish()
        case .requests: break
        case .draft(let draft): draft.discard()
        }
    }
}

/// The archive that the current request is recorded into, which may differ for the next request.
package final class RequestArchive: Sendable {
    /// The archives that are kept open.
    let opened: OpenArchives

    private let current: Mutex<URL>

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - archive: The archive, which need not exist.
    ///   - opened: The archives that are kept open, also for other requests.
    package init(_ archive: URL, keepingOpen opened: OpenArchives) {
        current = Mutex(archive)
        self.opened = opened
    }

    /// The archive.
    var archive: URL { current.withLock { $0 } }

    /// Changes the archive, after the last request was recorded and before the next one.
    ///
    /// - Throws: `unwritableFile` if permissions forbid writing the archive or its folder.
    package func change(to archive: URL) throws(HARError) {
        if let refusal = ArchivePermissions.refusal(ofRecordingInto: archive) { throw refusal }
        current.withLock { $0 = archive }
    }
}

/// The result of a recording.
public struct RecordingReport: Sendable {
    /// The archive.
    public let archive: URL

    /// The number of exchanges added to the archive.
    public let recordedCount: Int

    /// The number of entries that they replaced.
    public let replacedCount: Int

    /// The reasons that exchanges were not recorded or not completely; at most ten.
    ///
    /// The requests themselves were answered.
    public let failures: [HARError]
}
