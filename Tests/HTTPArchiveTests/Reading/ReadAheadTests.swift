import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

/// Checks that decoding on several threads has the same result as a single decoder.
@Suite(.limited) struct LookAheadTests {
    private static func settings(threads: Int, partSize: Int) -> ReadAhead.Settings {
        var settings = ReadAhead.Settings()
        settings.threadCount = threads
        settings.partSize = partSize
        settings.minimumFileSize = 0
        return settings
    }

    /// Writes an archive to a file, and reads it in parts on several threads.
    private func outcome(
        of text: [UInt8], threads: Int, partSize: Int, configuration: HARReader.Configuration = .init()
    ) throws -> ReadingOutcome {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.har")
        try Data(text).write(to: url)
        let reader = HARReader(
            file: try InputFile(url: url), configuration: configuration,
            readAhead: Self.settings(threads: threads, partSize: partSize))
        var outcome = ReadingOutcome.reading(reader)
        outcome.context?.file = nil
        return outcome
    }

    /// Returns an archive with several kinds of entries, including entries with text that resembles a boundary.
    private static func archive(entryCount: Int, using generator: inout SeededGenerator) -> [UInt8] {
        let separators = [",", " ,\n  ", ",\n", ",\t\r\n"]
        let separator = separators.randomElement(using: &generator) ?? ","
        let entries = (0..<entryCount).map { index -> String in
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: #"{"startedDateTime":"x","nested":[{"a":1},{"startedDateTime":"y"},{"startedDateTime":{}}]}"#
            case 1: #"{"startedDateTime":"x","text":"},{\"startedDateTime\":1},{"}"#
            case 2: #"{"other":"},{","startedDateTime":"x","n":\#(index)}"#
            case 3: #"{ "startedDateTime" : "é\u00e9\ud83d\ude00", "a" : [ [ ] , { } ] }"#
            case 4: #"{"startedDateTime":"\#(String(repeating: "long ", count: 200))"}"#
            case 5 where index % 3 == 0: [#""stray},{\"startedDateTime\":""#, "17", "[]", "null"][index / 3 % 4]
            default: #"{"startedDateTime":"2026-01-01","request":{"url":"http://a.example/\#(index)"},"n":\#(index)}"#
            }
        }
        return Array(
            (#"{"log":{"version":"1.2","entries":["# + entries.joined(separator: separator)
                + #"],"pages":[{"id":"p"},{"startedDateTime":"p"}],"comment":"c"},"more":[{},{"startedDateTime":1}]}"#)
                .utf8)
    }

    @Test(arguments: 0..<6)
    func `reading an archive in parts does not change the result`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<12 {
            let text = Self.archive(entryCount: .random(in: 0...60, using: &generator), using: &generator)
            let expected = ReadingOutcome.decoding(text)
            #expect(expected.code == nil)
            let size = Int.random(in: 1...2000, using: &generator)
            let threads = Int.random(in: 1...4, using: &generator)
            #expect(try outcome(of: text, threads: threads, partSize: size) == expected)
        }
    }

    @Test func `reading a truncated archive in parts returns the same entries and the same error`() throws {
        let text = Array(#"{"log":{"entries":[{"startedDateTime":"x"}, {"startedDateTime":"y"}]}}"#.utf8)
        for end in 0...text.count {
            let cut = Array(text[..<end])
            #expect(
                try outcome(of: cut, threads: 2, partSize: 8) == ReadingOutcome.decoding(cut), "truncated at \(end)")
        }
    }

    @Test(arguments: 0..<6)
    func `reading a broken archive in parts returns the same entries and the same error`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let marks = Array("\"\\{}[],: x0\n\u{1}".utf8)
        for _ in 0..<40 {
            var text = Self.archive(entryCount: 30, using: &generator)
            if Bool.random(using: &generator) {
                text.removeLast(Int.random(in: 1..<text.count, using: &generator))
            } else {
                let place = Int.random(in: text.indices, using: &generator)
                text[place] = marks[Int.random(in: marks.indices, using: &generator)]
            }
            let expected = ReadingOutcome.decoding(text)
            let size = Int.random(in: 1...1500, using: &generator)
            #expect(try outcome(of: text, threads: 3, partSize: size) == expected)
        }
    }

    @Test func `limits apply to the sum of all parts`() throws {
        var generator = SeededGenerator(seed: 1)
        let text = Self.archive(entryCount: 50, using: &generator)
        var configuration = HARReader.Configuration()
        configuration.maximumEntryCount = 20
        let expected = ReadingOutcome.decoding([text[...]], limits: configuration.limits)
        #expect(expected.code == .limitExceeded)
        #expect(try outcome(of: text, threads: 2, partSize: 300, configuration: configuration) == expected)
        configuration = .init()
        configuration.maximumValueSize = 700
        let tooLarge = ReadingOutcome.decoding([text[...]], limits: configuration.limits)
        #expect(tooLarge.code == .limitExceeded)
        #expect(try outcome(of: text, threads: 2, partSize: 300, configuration: configuration) == tooLarge)
        configuration = .init()
        configuration.maximumDepth = 5
        let tooDeep = ReadingOutcome.decoding([text[...]], limits: configuration.limits)
        #expect(tooDeep.code == .limitExceeded)
        #expect(try outcome(of: text, threads: 2, partSize: 300, configuration: configuration) == tooDeep)
    }

    @Test func `reading complex and small documents in parts does not change the result`() throws {
        for sample in [SampleDocument.everything] + SampleDocument.small {
            let expected = ReadingOutcome.decoding(sample.bytes)
            #expect(try outcome(of: sample.bytes, threads: 2, partSize: 64) == expected, "\(sample)")
        }
    }

    @Test func `canceling the read-ahead ends its threads`() throws {
        var generator = SeededGenerator(seed: 2)
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.har")
        try Data(Self.archive(entryCount: 2000, using: &generator)).write(to: url)
        let file = try InputFile(url: url)
        let head = try #require(try ArchiveHead(of: file, size: file.size ?? 0, limits: .init()))
        let readAhead = try ReadAhead(
            into: file, at: head.bytes.count..<(file.size ?? 0), limits: .init(),
            settings: Self.settings(threads: 3, partSize: 100))
        _ = readAhead.next()
        readAhead.cancel()
        readAhead.waitForThreads()
    }
}
