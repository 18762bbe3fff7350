import Foundation
import HTTPArchive
import Testing

/// Archives with a valid structure and one invalid entry.
@Suite(.limited) struct BrokenEntryTests {
    private static let text = "{\"log\":{\"entries\":[\n{\"n\":1},\n{\"n\":2, \"é\":[1 2]},\n{\"n\":3}]}}"
    private let folder: TemporaryFolder
    private let archive: HARArchive

    init() throws {
        folder = try TemporaryFolder()
        archive = try HARArchive(contentsOf: folder.file("a.har", holding: Self.text))
    }

    private func expectMistake(_ error: HARError?) {
        #expect(error?.code == .malformedJSON)
        #expect(error?.context.file == archive.url.path)
        #expect(error?.context.pointer == JSONPointer(["log", "entries", "1"]))
        #expect(error?.context.line == 3)
        #expect(error?.context.column == 16)
        #expect(error?.message.contains("entry 1") == true)
    }

    @Test func `a valid entry is read, and the error for a broken one has a location`() throws {
        #expect(try archive.entry(at: 2)["n"] == 3)
        expectMistake(#expect(throws: HARError.self) { try archive.entry(at: 1) })
    }

    @Test func `a broken entry is not copied, but others are`() throws {
        let writer = try HARWriter(to: folder.file("b.har"))
        try writer.append(entryAt: 0, of: archive)
        expectMistake(#expect(throws: HARError.self) { try writer.append(entryAt: 1, of: archive) })
        try writer.append(entryAt: 2, of: archive)
        try writer.finish()
        #expect(try HAR.Log(contentsOf: folder.file("b.har")).entries.map { $0["n"] } == [1, 3])
    }

    @Test func `a broken entry is not appended`() throws {
        let other = try folder.file("b.har", holding: #"{"log":{"entries":[]}}"#)
        let writer = try HARWriter(appendingTo: other)
        expectMistake(#expect(throws: HARError.self) { try writer.append(entryAt: 1, of: archive) })
        try writer.append(entryAt: 0, of: archive)
        try writer.finish()
        #expect(try HAR.Log(contentsOf: other).entries.map { $0["n"] } == [1])
    }

    @Test func `a broken entry is not merged`() throws {
        var merger = HARMerger()
        merger.add(archive)
        let writer = try HARWriter(to: folder.file("b.har"))
        expectMistake(#expect(throws: HARError.self) { try merger.write(to: writer) })
    }

    @Test func `the error for an invalid archive contains the location of the first broken entry`() throws {
        expectMistake(#expect(throws: HARError.self) { try archive.validate() })
        let entries = (0..<3000).map { $0 % 1000 == 700 ? "{\"n\":tru}" : "{\"n\":\($0)}" }.joined(separator: ",")
        let large = try HARArchive(contentsOf: folder.file("b.har", holding: "{\"log\":{\"entries\":[\(entries)]}}"))
        let error = #expect(throws: HARError.self) { try large.validate() }
        #expect(error?.context.pointer == JSONPointer(["log", "entries", "700"]))
    }

    @Test func `no index is written for an archive with a broken entry`() throws {
        try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: archive.url.path)
        let archive = try HARArchive(contentsOf: archive.url)
        expectMistake(#expect(throws: HARError.self) { try archive.writeIndex(to: .file(folder.file("index"))) })
        #expect(try folder.names == ["a.har"])
    }

    @Test(arguments: ["\u{B}", "\u{C}"])
    func `whitespace that JSON does not allow is copied as spaces`(space: String) throws {
        let entry = "{\(space)\"n\" :\(space)[1,\(space)\"\\u000b\"]}"
        let file = try folder.file("b.har", holding: "{\"log\":{\"entries\":[\(entry)]}}")
        let copied = try HARArchive(contentsOf: file)
        let writer = try HARWriter(to: folder.file("c.har"))
        try writer.append(entryAt: 0, of: copied)
        try writer.append(copied.entry(at: 0))
        try writer.finish()
        let text = try String(contentsOf: folder.file("c.har"), encoding: .utf8)
        #expect(text.ranges(of: entry.replacing(space, with: " ")).count == 2)
    }

    @Test func `limits apply to entries that are copied`() throws {
        let file = try folder.file("b.har", holding: #"{"log":{"entries":[{"a":[[[[1]]]]}]}}"#)
        var configuration = HARReader.Configuration()
        configuration.maximumDepth = 4
        let deep = try HARArchive(contentsOf: file, configuration: configuration)
        let writer = try HARWriter(to: folder.file("c.har"))
        let error = #expect(throws: HARError.self) { try writer.append(entryAt: 0, of: deep) }
        #expect(error?.code == .limitExceeded)
    }
}
