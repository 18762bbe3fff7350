package import Foundation
import Synchronization

/// Entries in a temporary file without a name, which are read as an archive while others are appended.
package final class GrowingArchive: Sendable {
    private struct State: ~Copyable {
        let file: FileHandle
        var size = 0
        var entries = EntrySegmentBuilder()

        init() throws(HARError) {
            let file = try Spool.file(for: GrowingArchive.name)
            self.file = FileHandle(fileDescriptor: dup(file.descriptor), closeOnDealloc: true)
        }
    }

    private let state: Mutex<State>
    private let url: URL

    /// The name of the file for errors.
    private static let name = "the exchanges"

    /// The maximum number of entries, after which the archive begins again.
    private static let limit = 200_000

    /// Creates an archive without entries.
    ///
    /// - Parameter url: The location of the archive, whose folder contains the body files of the entries.
    /// - Throws: `unwritableFile`.
    package init(at url: URL) throws(HARError) {
        state = Mutex(try State())
        self.url = url
    }

    /// The number of entries.
    package var count: Int { state.withLock { $0.entries.count } }

    /// The entries so far, as an archive that does not change.
    package var archive: HARArchive {
        state.withLock { state in
            let index = ArchiveIndex(
                table: EntryTable([state.entries.segment]), log: HAR.Log(creator: .relay),
                entriesRange: 0..<state.size, neededLimits: HARReader.Configuration().limits)
            return HARArchive(
                file: InputFile(handle: state.file, name: Self.name), at: url, index: index,
                configuration: HARReader.Configuration(), stamp: nil, opened: Date(), damage: nil)
        }
    }

    /// Appends an entry, unless it cannot be written.
    package func append(_ entry: HAR.Entry) {
        let text = JSONValue.object(entry.fields).data(layout: .compact)
        if count >= Self.limit { removeAll() }
        state.withLock { state in
            do {
                try state.file.seek(toOffset: UInt64(state.size))
                try state.file.write(contentsOf: text)
            } catch {
                return
            }
            state.entries.append(HAREntrySummary(of: entry, at: state.size..<state.size + text.count))
            state.size += text.count
        }
    }

    /// Removes all entries, except from archives that were created before.
    package func removeAll() {
        state.withLock { state in
            // Another file cannot be created if the disk is full.
            if let empty = try? State() { state = empty }
        }
    }
}
