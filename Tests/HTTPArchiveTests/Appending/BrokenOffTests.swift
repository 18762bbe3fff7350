import Foundation
import TestSupport
import Testing

@testable import HTTPArchive

/// Processes that exit after writing any number of bytes, and files truncated at any byte.
///
/// The archives are tested at a sample of offsets, or at every byte if all cases are run.
@Suite(.limited) struct BrokenOffTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("a.har")
    }

    /// Returns the offsets to test.
    private static func tried(_ places: [Int], of recording: Recording) -> [Int] {
        let step = Cases.areAll ? 1 : recording.isTriedAtEveryByte ? 5 : 41
        return stride(from: 0, to: places.count, by: step).map { places[$0] }
    }

    /// The initial content of an archive and how the test appends to it.
    struct Recording: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var layout = JSONLayout.unchanged
        var flushing = HARWriter.Flushing.eachEntry
        var pages = false

        /// Whether all entries are appended in one step.
        var isTogether = false

        /// The approximate length of a string in each entry.
        var entrySize = 6
        var isTriedAtEveryByte = false
    }

    static let recordings = [
        Recording(testDescription: "new archive", text: "", isTriedAtEveryByte: true),
        Recording(testDescription: "new archive, compact", text: "", layout: .compact),
        Recording(
            testDescription: "existing archive with trailing blank lines",
            text: "{\n  \"log\": {\n    \"entries\": [\n      {\"n\": 1}\n    ]\n  }\n}\n\n\n", layout: .compact),
        Recording(
            testDescription: "existing archive with fields after the entries",
            text: #"{"log":{"entries":[{"n":1}],"pages":[{"id":"p"},{"id":"q"}]},"z":1}"#),
        Recording(testDescription: "existing archive without entries", text: #"{"log":{"entries":[ ] , "_x":[[[]]]}}"#),
        Recording(testDescription: "new archive with pages", text: "", flushing: .eachEntryOnDisk, pages: true),
        Recording(testDescription: "new archive, buffered", text: "", flushing: .atEnd),
        Recording(testDescription: "new archive, entries together", text: "", isTogether: true),
        Recording(testDescription: "new archive, large entries", text: "", entrySize: 80_000),
        Recording(
            testDescription: "existing archive with fields after the entries, entries together",
            text: #"{"log":{"entries":[{"n":1}],"pages":[{"id":"p"}]}}"#, isTogether: true),
    ]

    /// Appends entries and pages until a system call fails, and returns how many were acknowledged.
    private func record(_ recording: Recording, _ calls: FileSystemCalls) -> (
        entries: Int, pages: Int, isFinished: Bool
    ) {
        var done = (entries: 0, pages: 0, isFinished: false)
        do {
            let writer = try HARWriter(
                appendingTo: file, calls: calls, flushing: recording.flushing, layout: recording.layout)
            if recording.isTogether {
                try writer.append(together: (0..<3).map { .numbered($0, size: recording.entrySize) })
                done.entries = 3
            }
            for number in 0..<3 where !recording.isTogether {
                try writer.append(.numbered(number, size: recording.entrySize))
                if recording.flushing != .atEnd { done.entries += 1 }
                if recording.pages {
                    try writer.append(HAR.Page(startedDateTime: "", id: "\(number)", title: ""))
                    done.pages += 1
                }
            }
            try writer.finish()
            done = (3, done.pages, true)
        } catch {}
        return done
    }

    private func begin(_ recording: Recording) throws -> HAR.Log? {
        // Other Foundation functions that write files also sync them, which is slow.
        _ = FileManager.default.createFile(atPath: file.path, contents: Data(recording.text.utf8))
        return recording.text.isEmpty ? nil : try HAR.Log(data: Data(recording.text.utf8))
    }

    @Test(arguments: recordings)
    func `a process that exits after any byte loses no acknowledged entries`(recording: Recording) throws {
        for place in try places(of: recording) {
            let old = try begin(recording)
            let budget = ByteBudget()
            budget.left = place
            budget.isOver = true
            let done = record(recording, budget.calls)
            try expectAll(old, done, readable(in: file), "at byte \(place)")
            if done.entries > 0 { try expectAll(old, done, playable(in: file), "at byte \(place)") }
            try HARWriter(appendingTo: file).finish()
            let log = try HAR.Log(contentsOf: file)
            try expectAll(old, done, log.entries.map(\.request.url), "after repair, at byte \(place)")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(contentsOf: file)) }
            let ids = (log.pages ?? []).map(\.id).filter { Int($0) != nil }
            #expect(ids.count >= done.pages && ids.count <= done.pages + 1, "pages at byte \(place)")
            if let old {
                #expect(log.fields == old.fields, "at byte \(place)")
                #expect(log.documentFields == old.documentFields, "at byte \(place)")
            }
        }
    }

    /// Returns offsets at which a recording can end early.
    private func places(of recording: Recording) throws -> [Int] {
        _ = try begin(recording)
        let total = ByteBudget()
        #expect(record(recording, total.calls).isFinished)
        return Self.tried(total.places, of: recording)
    }

    /// Expects the old and acknowledged entries, and at most one entry that was not acknowledged.
    private func expectAll(
        _ old: HAR.Log?, _ done: (entries: Int, pages: Int, isFinished: Bool), _ found: [String], _ comment: String
    ) throws {
        let expected = (old?.entries.map(\.request.url) ?? []) + urls(0..<3)
        let count = (old?.entries.count ?? 0) + done.entries
        #expect(found.starts(with: expected.prefix(count)), "\(comment)")
        #expect(expected.starts(with: found), "\(comment)")
    }

    @Test(arguments: recordings.filter(\.isTogether))
    func `either all or none of the entries that are appended together are written`(recording: Recording) throws {
        for place in try places(of: recording) {
            let old = try begin(recording)
            let budget = ByteBudget()
            let writer = try HARWriter(appendingTo: file, calls: budget.calls)
            budget.left = place
            let entries = (0..<3).map { HAR.Entry.numbered($0, size: recording.entrySize) }
            let isWritten = (try? writer.append(together: entries)) != nil
            let kept = (old?.entries.map(\.request.url) ?? []) + (isWritten ? urls(0..<3) : [])
            #expect(readable(in: file) == kept, "at byte \(place)")
            budget.left = .max
            try writer.append(together: [.numbered(3)])
            #expect(try urls(in: file) == kept + urls(3..<4), "at byte \(place)")
            try writer.finish()
        }
    }

    @Test(arguments: recordings.filter { !$0.isTogether })
    func `a write that fails at any byte loses no entries, and the writer can continue`(recording: Recording) throws {
        guard recording.flushing != .atEnd else { return }
        for place in try places(of: recording) {
            let old = try begin(recording)
            let budget = ByteBudget()
            let writer = try HARWriter(
                appendingTo: file, calls: budget.calls, flushing: recording.flushing, layout: recording.layout)
            budget.left = place
            var count = 0
            while count < 3, (try? writer.append(.numbered(count, size: recording.entrySize))) != nil { count += 1 }
            try expectAll(old, (count, 0, false), readable(in: file), "at byte \(place)")
            budget.left = .max
            for number in count..<3 { try writer.append(.numbered(number, size: recording.entrySize)) }
            try expectAll(old, (3, 0, false), HAR.Log(contentsOf: file).entries.map(\.request.url), "at byte \(place)")
            try writer.finish()
        }
    }

    @Test(arguments: recordings.filter { $0.entrySize == 6 })
    func `a file truncated at any byte keeps the complete entries before that byte`(recording: Recording) throws {
        _ = try begin(recording)
        #expect(record(recording, FileSystemCalls()).isFinished)
        let text = try [UInt8](Data(contentsOf: file))
        let whole = try ReferenceJSON(parsing: text).entries.map(\.range.upperBound)
        let log = try #require(text.firstRange(of: Array("\"log\"".utf8))).upperBound + 8
        let cuts = (0..<text.count).filter { recording.text.isEmpty || $0 == 0 || $0 >= log }
        for cut in Self.tried(cuts, of: recording) {
            _ = FileManager.default.createFile(atPath: file.path, contents: Data(text[..<cut]))
            let count = whole.count { $0 <= cut }
            #expect(readable(in: file).count == count, "truncated at \(cut)")
            if count > 0 { #expect(try playable(in: file).count == count, "truncated at \(cut)") }
            try HARWriter(appendingTo: file).append(.numbered(9))
            let new = try [UInt8](Data(contentsOf: file))
            #expect(new.starts(with: text[..<(count > 0 ? whole[count - 1] : 0)]), "truncated at \(cut)")
            #expect(try HAR.Log(contentsOf: file).entries.count == count + 1, "truncated at \(cut)")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(new)) }
        }
    }
}

extension HARWriter {
    /// Appends entries in a single step.
    fileprivate func append(together entries: [HAR.Entry]) throws {
        try append(appendable: entries.flatMap { Self.appendableText(of: $0, layout: layout) })
    }
}
