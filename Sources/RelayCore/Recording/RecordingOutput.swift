package import Foundation
package import HTTPArchive
import Synchronization

/// The destination for recorded entries.
enum RecordingOutput {
    /// The archive itself. Each entry is written immediately.
    case archive(HARWriter, count: Int)

    /// The archive of the current request. Each entry is written immediately.
    case requests(RequestArchive, HARWriter.Configuration)

    /// A file next to the archive. Its entries are moved into the archive when the recording ends.
    case draft(RecordingDraft)

    /// An array in memory. No file is written.
    case memory([HAR.Entry])

    /// An entry to append.
    struct NewEntry {
        let entry: HAR.Entry

        /// The text of the entry, if entries are appended to a file as text.
        let text: [UInt8]

        /// The request number of the entry.
        ///
        /// Requests are numbered in the order in which they started.
        let number: Int

        /// The entries that the entry replaces when the archive is rewritten.
        let replacement: Replacement

        /// The number of redacted secrets in the entry.
        let placeholderCount: Int
    }

    /// Whether several entries are written at once, so that either all or none of them are written.
    var writesTogether: Bool { if case .archive = self { true } else { false } }

    /// The numbers of entries that a recording has added and replaced.
    struct Counts {
        var recorded = 0
        var replaced = 0
    }

    /// Creates the output file and its folder, if necessary.
    ///
    /// - Throws: `unwritableFile` or `fileInUse`.
    func begin() throws(HARError) {
        if case .draft(let draft) = self { try draft.begin() }
    }

    /// The layout of the texts of entries, or nil if entries are not appended to a file as text.
    var layout: JSONLayout? {
        switch self {
        case .archive(let writer, _): writer.layout
        case .draft(let draft): draft.layout
        case .requests, .memory: nil
        }
    }

    /// Appends entries.
    ///
    /// Call ``begin()`` first.
    ///
    /// - Throws: Any error from the writer.
    mutating func append(_ entries: [NewEntry]) throws(HARError) {
        switch self {
        case .archive(let writer, let count):
            try writer.append(appendable: entries.dropFirst().reduce(into: entries.first?.text ?? []) { $0 += $1.text })
            self = .archive(writer, count: count + entries.count)
        case .requests(let target, let configuration):
            for new in entries { try target.opened.append(new.entry, to: target.archive, configuration: configuration) }
        case .draft(let draft):
            for new in entries { try draft.append(new.text, number: new.number, replacing: new.replacement) }
        case .memory(var known):
            // Makes the array uniquely referenced, so that appending does not copy it.
            self = .memory([])
            known += entries.map(\.entry)
            self = .memory(known)
        }
    }

    /// Moves the recorded entries into the archive.
    ///
    /// - Parameter page: The page of the entries, or nil for no page.
    /// - Returns: The numbers of entries added and replaced.
    /// - Throws: `fileInUse` or any error from the writer. The call can be repeated after `fileInUse`.
    func finish(page: HAR.Page?) throws(HARError) -> Counts {
        switch self {
        case .archive(let writer, let count):
            if count > 0, let page { try writer.append(page) }
            try writer.finish()
            return Counts(recorded: count)
        case .requests: return Counts()
        case .memory(let entries): return Counts(recorded: entries.count)
        case .draft(let draft): return try draft.takePlace(page: page)
        }
    }

    /// Keeps the recorded entries in their file because they cannot be moved into the archive.
    ///
    /// - Parameter error: The reason.
    /// - Returns: The error, with the path of the file added to its message.
    func leave(after error: HARError) -> HARError {
        if case .draft(let draft) = self { draft.leave(after: error) } else { error }
    }

    /// Discards the recorded entries, except those already in the archive.
    func discard() {
        switch self {
        case .archive(let writer, _): try? writer.finish()
        case .requests, .memory: break
        case .draft(let draft): draft.discard()
        }
    }
}

/// The archive in which the current request is recorded.
///
/// It can be different for each request.
package final class RequestArchive: Sendable {
    /// The archives that are kept open.
    let opened: OpenArchives

    private let current: Mutex<URL>

    /// Creates a target for recordings.
    ///
    /// - Parameters:
    ///   - archive: The archive, which need not exist.
    ///   - opened: The archives that are kept open, including archives of other requests.
    package init(_ archive: URL, keepingOpen opened: OpenArchives) {
        current = Mutex(archive)
        self.opened = opened
    }

    /// The archive.
    var archive: URL { current.withLock { $0 } }

    /// Changes the archive for the next request.
    ///
    /// Call this method only after the recording of the previous request has ended.
    ///
    /// - Throws: `unwritableFile` if the permissions of the archive or its folder do not allow writing.
    package func change(to archive: URL) throws(HARError) {
        if let refusal = ArchivePermissions.refusal(ofRecordingInto: archive) { throw refusal }
        current.withLock { $0 = archive }
    }
}
