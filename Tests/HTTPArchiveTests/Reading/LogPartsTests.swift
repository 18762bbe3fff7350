import ArchiveChecking
import Foundation
import Testing

@testable import HTTPArchive

/// The parts of a file other than entries, in any order.
@Suite(.limited) struct LogPartsTests {
    @Test func `fields before and after the entries are part of the log`() throws {
        let log = try HAR.Log(
            data: Data(
                #"""
                {"log":{"version":"1.2","entries":[{"time":1}],"comment":"after","creator":{"name":"n","version":"v"},
                 "browser":{"name":"b"},"pages":[{"id":"p"},7,{"id":"q"}],"_x":[1]}}
                """#.utf8))
        #expect(log.version == "1.2")
        #expect(log.comment == "after")
        #expect(log.creator?.version == "v")
        #expect(log.browser?.name == "b")
        #expect(log.pages?.map(\.id) == ["p", "q"])
        #expect(log["_x"] == [1])
        #expect(log.entries.map(\.time) == [1])
        #expect(
            log.fields.members.map(\.name.text)
                == ["version", "entries", "comment", "creator", "browser", "pages", "_x"])
    }

    @Test func `each part of a file is an event, in file order`() throws {
        let outcome = ReadingOutcome.decoding(
            #"{"a":1,"log":{"b":[2],"entries":[{},3,null,{"x":4}],"c":{}},"d":"e"}"#.utf8)
        #expect(
            outcome.events == [
                .field(.init(name: "a", value: 1)), .beginLog, .field(.init(name: "b", value: [2])), .beginEntries,
                .entry(HAR.Entry(fields: [:])), .unexpectedValue(3), .unexpectedValue(nil),
                .entry(HAR.Entry(fields: ["x": 4])),
                .endEntries,
                .field(.init(name: "c", value: [:])), .endLog, .field(.init(name: "d", value: "e")),
            ])
    }

    @Test func `a second log and a second list of entries are ordinary fields`() throws {
        let outcome = ReadingOutcome.decoding(
            #"{"log":{"entries":[{"n":1}],"entries":[{"n":2}]},"log":{"entries":[{"n":3}]}}"#.utf8)
        #expect(outcome.code == nil)
        #expect(outcome.entries.map { $0["n"] } == [1])
        #expect(outcome.events.last == .field(.init(name: "log", value: ["entries": [["n": 3]]])))
        #expect(outcome.events.contains(.field(.init(name: "entries", value: [["n": 2]]))))
    }

    @Test(arguments: [
        ("null", "null"), ("{}", "an object"), ("7", "a number"), ("\"x\"", "a string"), ("true", "a boolean"),
        ("{\"0\":{\"request\":{}}}", "an object"), (nil, "no such field"),
    ])
    func `every reader rejects a log whose entries are not an array, after its fields`(
        entries: String?, found: String
    ) async throws {
        let text = "{\"log\":{\(entries.map { "\"entries\":\($0)," } ?? "")\"version\":\"1.2\"}}"
        let data = Data(text.utf8)
        func check(_ error: HARError?) {
            #expect(error?.code == .notAnArchive)
            #expect(error?.message.contains("found \(found). Repair the file with `har repair`.") == true)
            #expect(error?.context.pointer == JSONPointer(entries == nil ? ["log"] : ["log", "entries"]))
            #expect(error?.context.byteOffset == (entries == nil ? nil : 18))
        }
        let reader = HARReader(data: data)
        check(#expect(throws: HARError.self) { while try reader.nextEvent() != nil {} })
        #expect(reader.log.version == "1.2")
        check(#expect(throws: HARError.self) { try HAR.Log(data: data) })
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: text)
        check(#expect(throws: HARError.self) { try HARArchive(contentsOf: file) })
        check(#expect(throws: HARError.self) { try HARArchive(contentsOf: file, index: .keep()) })
        let chunks = AsyncStream<[UInt8]> { continuation in
            continuation.yield([UInt8](data))
            continuation.finish()
        }
        let stream = HARAsyncReader(chunks)
        await check(#expect(throws: HARError.self) { while try await stream.nextEvent() != nil {} })
        var findings: [HARFinding] = []
        try HARChecker.check(contentsOf: file) { findings.append($0) }
        #expect(findings.contains { $0.severity == .error && $0.message.contains("`entries`") })
    }

    @Test func `the names log and entries can contain escape sequences`() throws {
        let log = try HAR.Log(data: Data(#"{"\u006cog":{"entri\u0065s":[{"n":1}]}}"#.utf8))
        #expect(log.entries.map { $0["n"] } == [1])
    }

    @Test func `names that only look like log and entries are different`() throws {
        for name in ["Log", "log ", "lo\\u0000g", "l\\u00f3g", "log\\ud800"] {
            #expect(ReadingOutcome.decoding("{\"\(name)\":{\"entries\":[{}]}}".utf8).code == .notAnArchive)
            #expect(ReadingOutcome.decoding("{\"log\":{\"\(name)\":[{}]}}".utf8).entries.isEmpty)
        }
    }

    @Test func `the log is filled in while the archive is read`() throws {
        let reader = HARReader(data: Data(#"{"x":1,"log":{"version":"1.1","entries":[{}],"comment":"c"},"y":2}"#.utf8))
        while let event = try reader.nextEvent() {
            if event == .endEntries { break }
        }
        while try reader.nextEvent() != nil {}
        #expect(reader.log.version == "1.1")
        #expect(reader.log.comment == "c")
        #expect(reader.log.documentFields == ["x": 1, "log": [:], "y": 2])
        #expect(reader.log.fields == ["version": "1.1", "entries": [], "comment": "c"])
    }

    @Test func `a log with only an empty array of entries is an archive`() throws {
        let log = try HAR.Log(data: Data(#"{"log":{"entries":[]}}"#.utf8))
        #expect(log.entries.isEmpty)
        #expect(log.version == "1.1")
        #expect(log.creator == nil)
        #expect(log.pages == nil)
    }
}
