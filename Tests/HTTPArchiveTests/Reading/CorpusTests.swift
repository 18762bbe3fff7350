import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

/// Archives from real tools, in the folder named by the environment variable `RELAY_HAR_CORPUS`.
///
/// The tests are skipped if the variable is not set or empty.
enum Corpus {
    static let folder = ProcessInfo.processInfo.environment["RELAY_HAR_CORPUS"].flatMap { $0.isEmpty ? nil : $0 }

    static let files: [URL] = {
        guard let folder else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".har") }.sorted()
            .map { URL(fileURLWithPath: folder).appendingPathComponent($0) }
    }()

    static let jsonp = files.filter { isJSONP($0.lastPathComponent) }

    /// The files that contain an archive.
    static let archives = files.filter { !isJSONP($0.lastPathComponent) && !isInvalid($0.lastPathComponent) }

    static let isThere: Comment = "RELAY_HAR_CORPUS is not set to a folder with HAR files"

    /// Whether a file is not JSON, or a log without entries.
    private static func isInvalid(_ name: String) -> Bool { name == "not-json.har" || name == "not-valid.har" }

    private static func isJSONP(_ name: String) -> Bool {
        name == "jsonp.har" || (1...9).contains { name == "\($0).har" }
    }
}

@Suite(.limited, .enabled(if: Corpus.folder != nil, Corpus.isThere)) struct CorpusTests {
    @Test func `the corpus is complete`() {
        #expect(Corpus.archives.count == 43)
        #expect(Corpus.jsonp.count == 10)
    }

    @Test(arguments: Corpus.archives)
    func `a file is read completely and copied without loss, with its entries byte for byte`(file: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        let reference = try ReferenceJSON(parsing: bytes)
        let reader = try HARReader(contentsOf: file)
        let folder = try TemporaryFolder()
        let writer = try HARWriter(to: folder.file("copy.har"))
        var entries: [HAR.Entry] = []
        while let event = try reader.nextEvent() {
            if case .entry(let entry) = event { entries.append(entry) }
            try writer.write(event)
        }
        try writer.finish()
        #expect(entries.map(\.fields.byteRange) == reference.entries.map(\.range))
        let copy = [UInt8](try Data(contentsOf: folder.file("copy.har")))
        let copied = try ReferenceJSON(parsing: copy)
        #expect(copied == reference)
        #expect(copied.entries.map { copy[$0.range] } == reference.entries.map { bytes[$0.range] })
    }

    @Test(arguments: Corpus.archives)
    func `structural indexing of a file returns the parser's index`(file: URL) throws {
        let parsed = try ArchiveIndex(parsing: InputFile(url: file), configuration: .init())
        let found = try ArchiveIndex.byStructure(of: InputFile(url: file), configuration: .init())
        let structure = try #require(found)
        #expect(structure.log == parsed.log)
        #expect(structure.entriesRange == parsed.entriesRange)
        #expect(structure.table.count == parsed.table.count)
        for index in 0..<min(structure.table.count, parsed.table.count) {
            #expect(structure.table[index] == parsed.table[index], "entry \(index)")
        }
    }

    @Test(arguments: Corpus.archives)
    func `the entries of a file equal those that Foundation's parser finds`(file: URL) throws {
        var data = try Data(contentsOf: file)
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { data.removeFirst(3) }
        // Foundation may reject lone surrogates. Another test compares such files with the reference parser.
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { return }
        let log = object["log"] as? [String: Any]
        let entries = log?["entries"] as? [[String: Any]] ?? []
        let read = try HAR.Log(contentsOf: file).entries
        #expect(read.count == entries.count)
        let urls = entries.map { ($0["request"] as? [String: Any])?["url"] as? String ?? "" }
        #expect(read.map(\.request.url) == urls)
        let statuses = entries.map { (($0["response"] as? [String: Any])?["status"] as? NSNumber)?.intValue ?? 0 }
        #expect(read.map(\.response.status) == statuses)
    }

    @Test(arguments: Corpus.archives)
    func `compact and pretty copies, which decode every object, have the same values as the file`(file: URL) throws {
        let bytes = try Data(contentsOf: file)
        guard bytes.count < 300_000 else { return }
        let reference = try ReferenceJSON(parsing: bytes)
        for layout in [JSONLayout.compact, .pretty] {
            let copy = try Copying.copy(bytes, layout: layout, in: TemporaryFolder())
            #expect(try ReferenceJSON(parsing: copy) == reference)
        }
    }

    @Test(arguments: Corpus.archives)
    func `reading a file truncated at a random offset fails after its complete entries`(file: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        let ends = try ReferenceJSON(parsing: bytes).entries.map(\.range.upperBound)
        let last = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        var generator = SeededGenerator(seed: UInt64(bytes.count))
        for _ in 0..<max(1, min(40, 2_000_000 / bytes.count)) {
            let cut = Int.random(in: 0...last, using: &generator)
            let outcome = ReadingOutcome.decoding(bytes[..<cut])
            #expect(outcome.code != nil, "truncated at \(cut)")
            #expect(outcome.entryRanges.count == ends.count { $0 <= cut }, "truncated at \(cut)")
        }
    }

    @Test(arguments: Corpus.archives)
    func `decoding a file in chunks gives the same result`(file: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        let whole = ReadingOutcome.decoding(bytes)
        for size in [1000, 65_536, 65_537] {
            let outcome = ReadingOutcome.decoding(Splitting.size(size, of: bytes).pieces)
            #expect(outcome.entryRanges == whole.entryRanges)
            #expect(outcome.code == nil)
        }
    }

    @Test(arguments: Corpus.jsonp)
    func `JSONP is detected`(file: URL) throws {
        let error = #expect(throws: HARError.self) { _ = try HAR.Log(contentsOf: file) }
        #expect(error?.code == .notAnArchive)
        #expect(error?.message.contains("JSONP") == true)
        #expect(error?.context.file == file.path)
    }

    @Test func `reading broken JSON fails with a location`() throws {
        let folder = try #require(Corpus.folder)
        let file = URL(fileURLWithPath: folder).appendingPathComponent("not-json.har")
        let error = #expect(throws: HARError.self) { _ = try HAR.Log(contentsOf: file) }
        #expect(error?.code == .malformedJSON)
        #expect(error?.context.byteOffset != nil)
        #expect(error?.context.line != nil)
        #expect(error?.context.column != nil)
    }
}
