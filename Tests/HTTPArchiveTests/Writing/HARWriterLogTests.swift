import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HARWriterLogTests {
    @Test func `a log is written with the entries of an archive`() throws {
        let folder = try TemporaryFolder()
        let text = #"{"a":1,"log":{"b":2,"entries":[{"n":0},{"n":1},7,{"n":2}],"c":3,"entries":[]},"log":4}"#
        let archive = try HARArchive(contentsOf: folder.file("a.har", holding: text))
        let file = folder.file("b.har")
        let writer = try HARWriter(to: file)
        try writer.write(archive.log) { () throws(HARError) in
            for index in [2, 0] { try writer.append(archive.entry(at: index)) }
        }
        try writer.finish()
        let expected = #"{"a":1,"log":{"b":2,"entries":[{"n":2},{"n":0}],"c":3,"entries":[]},"log":4}"#
        #expect(try JSONValue(parsing: String(contentsOf: file, encoding: .utf8)) == JSONValue(parsing: expected))
    }

    @Test func `the log's own entries are written first`() throws {
        let folder = try TemporaryFolder()
        let log = HAR.Log(fields: ["entries": [["n": 0]]])
        let writer = try HARWriter(to: folder.file("a.har"))
        try writer.write(log) { () throws(HARError) in try writer.append(HAR.Entry(fields: ["n": 1])) }
        try writer.finish()
        #expect(try HAR.Log(contentsOf: folder.file("a.har")).entries.map { $0["n"]?.int } == [0, 1])
    }

    @Test func `an error from the closure that appends entries is rethrown`() throws {
        let folder = try TemporaryFolder()
        let writer = try HARWriter(to: folder.file("a.har"))
        let error = #expect(throws: HARError.self) {
            try writer.write(HAR.Log(fields: [:])) { () throws(HARError) in throw HARError(.unreadableFile, "gone") }
        }
        #expect(error?.code == .unreadableFile)
    }
}
