import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct CopiedEntryTests {
    private static let first = #"{ "a" : 1.50,  "\u0061":"\ud800" , "a":[ ] }"#
    private let folder: TemporaryFolder
    private let archive: HARArchive

    init() throws {
        folder = try TemporaryFolder()
        let text = #"{"log":{"entries":[ \#(Self.first) ,{"n":2}]}}"#
        archive = try HARArchive(contentsOf: folder.file("a.har", holding: text))
    }

    private func copy(_ indices: [Int], layout: JSONLayout = .unchanged) throws -> String {
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        let writer = try HARWriter(to: folder.file("b.har"), configuration: configuration)
        for index in indices { try writer.append(entryAt: index, of: archive) }
        try writer.finish()
        return try String(contentsOf: folder.file("b.har"), encoding: .utf8)
    }

    @Test func `an entry is copied byte for byte`() throws {
        let text = try copy([1, 0, 0])
        #expect(text.ranges(of: Self.first).count == 2)
        #expect(try HAR.Log(data: Data(text.utf8)).entries == [1, 0, 0].map { try archive.entry(at: $0) })
    }

    @Test(arguments: [JSONLayout.compact, .pretty])
    func `an entry can be reformatted`(layout: JSONLayout) throws {
        let text = try copy([0], layout: layout)
        #expect(!text.contains(Self.first))
        #expect(try HAR.Log(data: Data(text.utf8)).entries == [try archive.entry(at: 0)])
    }

    @Test func `copying an entry fails after the writer has ended the entries`() throws {
        let writer = try HARWriter(to: folder.file("b.har"))
        try writer.write(.beginLog)
        try writer.write(.beginEntries)
        try writer.write(.endEntries)
        let error = #expect(throws: HARError.self) { try writer.append(entryAt: 0, of: archive) }
        #expect(error?.code == .invalidOrder)
    }

    @Test func `copying an entry from a truncated file fails`() throws {
        let handle = try FileHandle(forWritingTo: archive.url)
        try handle.truncate(atOffset: 20)
        let writer = try HARWriter(to: folder.file("b.har"))
        let error = #expect(throws: HARError.self) { try writer.append(entryAt: 0, of: archive) }
        #expect(error?.code == .unreadableFile)
    }
}
