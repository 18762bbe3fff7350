import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct KeptIndexTests {
    private func expectEqualAfterKeeping(_ bytes: some Sequence<UInt8>, _ comment: Comment) throws {
        let archive = try KeptArchive(bytes)
        guard let opened = try? archive.opened() else { return }
        try archive.keep()
        let kept = try #require(try archive.kept(), comment)
        #expect(kept == opened.indexed, comment)
    }

    @Test func `a saved index of a complex or small document equals the original`() throws {
        for sample in [SampleDocument.everything] + SampleDocument.small {
            try expectEqualAfterKeeping(sample.bytes, "\(sample)")
        }
    }

    private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("HARSamples")

    @Test(arguments: ["chromium-embed.har", "chromium-omit.har", "firefox.har", "mitmproxy.har"])
    func `a saved index of a capture from a real tool equals the original`(name: String) throws {
        try expectEqualAfterKeeping(try Data(contentsOf: Self.samples.appendingPathComponent(name)), "\(name)")
    }

    @Test(.enabled(if: Corpus.folder != nil, Corpus.isThere), arguments: Corpus.archives)
    func `a saved index of a file in the corpus equals the original`(file: URL) throws {
        try expectEqualAfterKeeping(try Data(contentsOf: file), "\(file.lastPathComponent)")
    }

    @Test func `entries can be read with a saved index`() throws {
        let archive = try KeptArchive(SampleDocument.everything.bytes)
        try archive.keep()
        let opened = try archive.opened()
        let kept = try HARArchive(contentsOf: archive.url, index: .use(in: .file(archive.index)))
        #expect(kept.count == opened.count)
        #expect(kept.log == opened.log)
        for index in 0..<opened.count { #expect(try kept.entry(at: index) == opened.entry(at: index)) }
    }

    @Test(arguments: [0o622, 0o602, 0o620, 0o666]) func `an index that other users can write to is not used`(mode: Int)
        throws
    {
        let archive = try KeptArchive(SampleDocument.everything.bytes)
        try archive.keep()
        #expect(try archive.kept() != nil)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: archive.index.path)
        #expect(try archive.kept() == nil)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: archive.index.path)
        #expect(try archive.kept() != nil)
    }

    @Test(.enabled(if: geteuid() == 0)) func `an index that belongs to another user is not used`() throws {
        let archive = try KeptArchive(SampleDocument.everything.bytes)
        try archive.keep()
        #expect(chown(archive.index.path, 65534, 65534) == 0)
        #expect(try archive.kept() == nil)
    }

    @Test func `a loaded index can be saved again`() throws {
        for text in [#"{"log":{"entries":[{},{}]}}"#, #"{"log":{"entries":[{},7]}}"#] {
            let archive = try KeptArchive(text)
            let first = try archive.keep()
            let copy = archive.folder.file("copy.harindex")
            try HARArchive(contentsOf: archive.url, index: .use(in: .file(archive.index))).writeIndex(to: .file(copy))
            #expect(try [UInt8](Data(contentsOf: copy)) == first)
        }
    }

    /// Returns an index with the given summaries and range of entries.
    private func index(_ segments: [[HAREntrySummary]], place: Range<Int>) -> ArchiveIndex {
        let table = EntryTable(
            segments.map { summaries in
                var collector = EntrySegmentBuilder()
                for summary in summaries { collector.append(summary) }
                return collector.finish()
            })
        return ArchiveIndex(table: table, log: HAR.Log(fields: [:]), entriesRange: place, neededLimits: .none)
    }

    @Test func `several segments and chunks, and summaries that do not fit into a row, are saved`() throws {
        let start = #"{"log":{"entries":["#
        let archive = try KeptArchive(start + String(repeating: " ", count: 300_000) + "]}}")
        let first = start.utf8.count
        var summaries = (0..<2 * EntrySegment.chunkSize + 9).map { number in
            HAREntrySummary(
                byteRange: first + 30 * number..<first + 30 * number + 29, method: "M\(number % 7)", url: "/\(number)",
                status: number,
                started: RecordedTime(number % 3 == 1 ? "at \(number)" : "2026-01-31T08:09:10.\(number)+01:00"),
                time: number % 3 == 0 ? nil : Double(number),
                mimeType: "type/\(number % 300)", size: number % 5 == 0 ? nil : number,
                resourceType: number % 4 == 0 ? nil : "", pageref: number % 2 == 0 ? nil : "page \(number)",
                isFailed: number % 11 == 1, isFromCache: number % 13 == 1)
        }
        for number in [0, 1, 4_095, 4_096, 8_200] { summaries[number].status = .max - number }
        summaries[2].startedDateTime = String(repeating: "é", count: 300)
        summaries[3].startedDateTime = String(repeating: "é", count: 40_000)
        summaries[8_200].time = nil
        let made = index(
            [Array(summaries[..<10]), [], Array(summaries[10..<6_000]), Array(summaries[6_000...])],
            place: first..<first + 300_000)
        let file = try InputFile(url: archive.url)
        try made.write(to: archive.index, of: file, stamp: #require(file.stamp))
        let kept = try #require(try archive.kept())
        #expect(kept.table.segments.count == 4)
        #expect(kept.table.count == summaries.count)
        for (index, summary) in summaries.enumerated() where kept.table[index] != summary {
            #expect(kept.table[index] == summary)
        }
    }

    @Test func `an index is rejected if entries are out of order or outside the brackets`() throws {
        let start = #"{"log":{"entries":["#
        let archive = try KeptArchive(start + String(repeating: " ", count: 100) + "]}}")
        let first = start.utf8.count
        let file = try InputFile(url: archive.url)
        let ranges = [[20..<30, 15..<19], [20..<30, 29..<31], [-5..<3], [98..<101], [0..<10, 10..<100]]
        for (number, ranges) in ranges.enumerated() {
            for status in [200, Int.max] {
                let summaries = ranges.map {
                    HAREntrySummary(byteRange: first + $0.lowerBound..<first + $0.upperBound, status: status)
                }
                let made = index([summaries], place: first..<first + 100)
                try made.write(to: archive.index, of: file, stamp: #require(file.stamp))
                #expect(try (archive.kept() != nil) == (number == 4))
            }
        }
    }
}
