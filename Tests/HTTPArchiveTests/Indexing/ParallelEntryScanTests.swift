import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

@Suite(.limited) struct DividedPassageTests {
    private func expectSameAsUndivided(
        _ text: [UInt8], configuration: HARReader.Configuration = .init(), _ comment: Comment
    ) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.har")
        try Data(text).write(to: url)
        let file = try InputFile(url: url)
        let whole = try ArchiveIndex.byStructure(
            of: file, configuration: configuration, division: .init(threadCount: 1, chunkSize: 1 << 18))
        let parsed = try? ArchiveIndex(parsing: InputFile(url: url), configuration: configuration)
        for (partSize, chunkSize) in [(50, 64), (300, 128), (1_000, 1 << 18), (5_000, 1_024)] {
            let division = ParallelEntryScan.Division(
                threadCount: 3, minimumPartSize: partSize, chunkSize: chunkSize, partsPerThread: 30)
            let divided = try ArchiveIndex.byStructure(of: file, configuration: configuration, division: division)
            #expect((divided == nil) == (whole == nil), comment)
            guard let divided, let whole else { continue }
            #expect(divided.log == whole.log, comment)
            #expect(summaries(divided) == summaries(whole), comment)
            if let parsed { #expect(summaries(divided) == summaries(parsed), comment) }
        }
    }

    private func summaries(_ index: ArchiveIndex) -> [HAREntrySummary] {
        (0..<index.table.count).map { index.table[$0] }
    }

    /// Returns an archive whose bodies, fields and whitespace resemble the boundaries of entries.
    private func archive(seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let key = ["url", ",{", "request", "", "},{"].randomElement(using: &generator) ?? ""
        let spaces = ["", " ", "\n", "\r\n  ", String(repeating: " ", count: 100)]
        func space() -> String { spaces.randomElement(using: &generator) ?? "" }
        func entry(_ number: Int) -> String {
            let text = #"{"log":{"entries":[{"\#(key)":1},{"\#(key)":2},\n {"\#(key)":3}]}}"#
            let body = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let fields = [
                #""_entries":[{"\#(key)":1},{"\#(key)":{}},{"\#(key)":[]} , {"\#(key)":0}]"#,
                #""response":{"status":\#(number),"content":{"mimeType":"a/b","size":\#(number),"text":"\#(body)"}}"#,
                #""request":{"method":"GET","url":"http://a.example/\#(number)","_x":[{"a":1},{"\#(key)":2}]}"#,
                #""a":"},{\#(space().filter { $0 == " " })","\#(key)":2"#, #""pageref":"page \#(number % 3)""#,
                #""time":\#(number).5"#, #""_\#(String(repeating: "x", count: number % 7 * 20))":"}""#,
            ].shuffled(using: &generator).prefix(Int.random(in: 0...7, using: &generator))
            let first = number % 13 == 5 ? [] : [#""\#(key)":\#(number)"#]
            return "{" + space() + (first + fields).joined(separator: space() + "," + space()) + space() + "}"
        }
        let entries = (0..<60).map { entry($0) + space() }.joined(separator: "," + space())
        let field = #""_x":[{"\#(key)":1},{"\#(key)":2}],"pages":[]"#
        return Array(#"{"log":{\#(field),"entries":[\#(space())\#(entries)],"_y":[{"a":1},{"\#(key)":2}]}}"#.utf8)
    }

    @Test(arguments: 0..<20)
    func `guessing the boundaries of parts does not change the result`(seed: UInt64) throws {
        try expectSameAsUndivided(archive(seed: seed), "seed \(seed)")
    }

    @Test(arguments: 0..<8)
    func `scanning a broken archive in parts produces the same result`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let text = archive(seed: seed)
        let marks = Array("\"\\{}[],: x".utf8)
        for round in 0..<12 {
            var changed = text
            if round % 4 == 0 {
                changed.removeLast(Int.random(in: 1..<text.count, using: &generator))
            } else {
                let place = Int.random(in: text.indices, using: &generator)
                if round % 4 == 1 { changed.remove(at: place) }
                if round % 4 > 1 { changed[place] = marks.randomElement(using: &generator) ?? 0 }
            }
            try expectSameAsUndivided(changed, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: [59, 60, 61])
    func `the entry limit applies to the sum of all parts`(limit: Int) throws {
        var configuration = HARReader.Configuration()
        configuration.maximumEntryCount = limit
        for seed: UInt64 in 0..<4 {
            try expectSameAsUndivided(archive(seed: seed), configuration: configuration, "limit \(limit), seed \(seed)")
        }
    }

    @Test func `an object is assumed to be an entry if it follows another one and starts with the same key`() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.har")
        let text = #" {"id":1,"a":"},{\"id\":2"},[{"id":3}],{"ie":4},{"id":5}  ,  {  "id":6}"#
        try Data(text.utf8).write(to: url)
        let file = try InputFile(url: url)
        let boundary = try #require(try EntryBoundary(in: file, firstFrom: 0))
        let last = try #require(text.utf8.lastIndex(of: UInt8(ascii: "{")))
        let place = text.utf8.distance(from: text.startIndex, to: last)
        let before = try #require(text.range(of: #"{"id":5"#)).lowerBound
        #expect(try boundary.find(from: 0) == text.utf8.distance(from: text.startIndex, to: before))
        #expect(try boundary.find(from: place - 8) == place)
        #expect(try boundary.find(from: place) == place)
        #expect(try boundary.find(from: place + 1) == nil)
    }

    @Test(arguments: ["", "{}", "[1]", "{1", #"{"a\u0041":1}"#, #"{"a"#])
    func `no boundary is guessed if the first entry has no usable key`(text: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.har")
        try Data(text.utf8).write(to: url)
        #expect(try EntryBoundary(in: InputFile(url: url), firstFrom: 0) == nil)
    }

    @Test func `a small file is scanned as one part, and a large file in a few parts per thread`() {
        let division = ParallelEntryScan.Division(threadCount: 2)
        #expect(division.partCount(for: 3 << 20) == 1)
        #expect(division.partCount(for: 5 << 20) == 2)
        #expect(division.partCount(for: 1 << 30) == 8)
        #expect(ParallelEntryScan.Division(threadCount: 1).partCount(for: 1 << 30) == 1)
    }
}
