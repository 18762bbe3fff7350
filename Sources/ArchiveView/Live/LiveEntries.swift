import Foundation
import HTTPArchive
import Synchronization

/// The exchanges of a running program, in the order in which they ended.
///
/// Only summaries are kept in memory. The entries are in a temporary file without a name.
final class LiveEntries: ViewedEntries {
    private struct State {
        var file: FileHandle?
        var generation = 0
        var size = 0
        var summaries: [HAREntrySummary] = []
    }

    private let state = Mutex(State())

    let log = HAR.Log(creator: HAR.Creator(name: "Relay", version: ""))
    let files: HAR.BodyFolder?

    /// The maximum number of entries, after which the list begins again.
    private static let limit = 200_000

    private static let empty = HAREntrySummary(of: HAR.Entry(fields: [:]), at: 0..<0)

    /// Creates an empty list.
    ///
    /// - Parameter files: The folder with the body files of recorded entries, or nil for none.
    init(files: HAR.BodyFolder?) { self.files = files }

    var count: Int { state.withLock { $0.summaries.count } }

    var generation: Int { state.withLock { $0.generation } }

    func summary(at index: Int) -> HAREntrySummary {
        // The list may have been emptied after the caller read its count.
        state.withLock { $0.summaries.indices ~= index ? $0.summaries[index] : Self.empty }
    }

    func facts(at index: Int) -> HAREntryFacts {
        HAREntryFacts(of: (try? entry(at: index)) ?? HAR.Entry(fields: [:]))
    }

    func entry(at index: Int) throws(HARError) -> HAR.Entry {
        let data = state.withLock { state -> Data? in
            guard state.summaries.indices ~= index, let file = state.file else { return nil }
            let range = state.summaries[index].byteRange
            try? file.seek(toOffset: UInt64(range.lowerBound))
            return try? file.read(upToCount: range.count)
        }
        guard let data, let fields = try JSONValue(parsing: data).object else {
            throw HARError(.unreadableFile, "The exchange was removed from the list.")
        }
        return HAR.Entry(fields: fields)
    }

    func forEachURL(in indices: Range<Int>, _ body: (_ index: Int, _ url: UnsafeRawBufferPointer) -> Void) {
        for index in indices {
            var url = summary(at: index).url
            url.withUTF8 { body(index, UnsafeRawBufferPointer($0)) }
        }
    }

    /// Appends an entry.
    func append(_ entry: HAR.Entry) {
        let data = JSONValue.object(entry.fields).data(layout: .compact)
        state.withLock { state in
            if state.file == nil || state.summaries.count >= Self.limit {
                state = State(file: Self.makeFile(), generation: state.generation + 1)
            }
            guard let file = state.file else { return }
            do {
                try file.seek(toOffset: UInt64(state.size))
                try file.write(contentsOf: data)
            } catch {
                return
            }
            state.summaries.append(HAREntrySummary(of: entry, at: state.size..<state.size + data.count))
            state.size += data.count
        }
    }

    func removeAll() { state.withLock { $0 = State(generation: $0.generation + 1) } }

    private static func makeFile() -> FileHandle? {
        guard let file = try? Spool.file(for: "the exchanges") else { return nil }
        return FileHandle(fileDescriptor: dup(file.descriptor), closeOnDealloc: true)
    }
}
