import Foundation
import Testing

@testable import HTTPArchive

/// Opening and repairing truncated archives.
@Suite(.limited) struct DamagedArchiveTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a truncated archive keeps its complete entries and reports the damage`() throws {
        let file = try folder.file("a.har", holding: #"{"log":{"version":"1.2","entries":[{"n":1},{"n":2},{"n":"#)
        let archive = try HARArchive(contentsOf: file, index: .keep(in: .folder(folder.file("indices"))))
        #expect(archive.count == 2)
        #expect(archive.log.version == "1.2")
        #expect(try archive.entry(at: 1)["n"] == 2)
        #expect(archive.damage?.code == .malformedJSON)
        #expect(archive.damage?.message.contains("after 2 complete entries") == true)
        #expect(throws: HARError.self) { try archive.writeIndex(to: .file(folder.file("index"))) }
        #expect(try folder.names == ["a.har"])
    }

    @Test func `a complete archive has no damage`() throws {
        #expect(try HARArchive(contentsOf: folder.file("a.har", holding: #"{"log":{"entries":[]}}"#)).damage == nil)
    }

    @Test(arguments: [
        #"{"log":{"entries":[{"n":1},x,{"n":3}]}}"#, #"{"log":{"entries":[{"n":1}]}}]"#, #"{"log":{"version":"1."#,
        #"{"log":{"entries":[{"n":1}]},"a":}"#, #"{"log":{"entries":[{"n":1} {"n":2}]}}"#,
    ])
    func `an archive with damage other than truncation cannot be opened`(text: String) throws {
        let file = try folder.file("a.har", holding: text)
        let error = #expect(throws: HARError.self) { try HARArchive(contentsOf: file) }
        #expect(error?.code == .malformedJSON)
    }

    @Test(arguments: [
        (#"{"log":{"entries":[{"n":1},{"n":2},{"n""#, "{\"log\":{\"entries\":[{\"n\":1},{\"n\":2}\n]}}\n", 2),
        (#"{"log":{"entries":[{"n":1}],"pages":[{"#, "{\"log\":{\"entries\":[{\"n\":1}]}}\n", 1),
        (#"{"log":{"entries":[]},"z":1,"y":"#, "{\"log\":{\"entries\":[]},\"z\":1}\n", 0),
        (#"{"log":{"version":"1.2","cre"#, "{\"log\":{\"version\":\"1.2\",\"entries\":[\n]}}\n", 0),
        ("{\"log\":{\"entries\":[{\"n\":1},\n   ]}}", "{\"log\":{\"entries\":[{\"n\":1}\n]}}\n", 1),
        (#"{"log":{"a":[1]}"x"#, "{\"log\":{\"a\":[1]}}\n", 0),
        ("{\"log\":{\"entries\":[{\"n\":1}\0\0\0", "{\"log\":{\"entries\":[{\"n\":1}\n]}}\n", 1),
    ])
    func `repair removes incomplete parts`(text: String, expected: String, entries: Int) throws {
        let file = try folder.file("a.har", holding: text)
        let index = try LockedFile(url: file, creates: false).repair(.init(), requiresEntries: false)
        #expect(index.table.count == entries)
        #expect(try String(contentsOf: file, encoding: .utf8) == expected)
        let again = try LockedFile(url: file, creates: false).repair(.init(), requiresEntries: false)
        #expect(again.table.count == entries)
    }
}
