import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct LogTests {
    private func written(_ log: HAR.Log, layout: JSONLayout = .unchanged) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        try log.write(to: folder.file("a.har"), configuration: configuration)
        return [UInt8](try Data(contentsOf: folder.file("a.har")))
    }

    @Test(
        arguments: [
            #"{"log":{"version":"1.2","entries":[{"n":1},{"n":2}],"comment":"after"}}"#,
            #"{"a":1,"log":{"entries":[],"b":2},"c":{"log":{}}}"#,
            #"{"log":{"entries":[{"n":1}],"entries":[]}}"#, #"{"log":{"entries":[{"n":1}],"entries":[{"n":2}]}}"#,
            #"{"log":{"entries":[]},"log":{}}"#,
            #"{"log":7,"log":{"entries":[{}]}}"#,
            #"{"log":{"entries":{},"entries":[{"n":1.50}]}}"#, #"{"log":{"\ud800":1,"entries":[{"\ud801":"\udfff"}]}}"#,
        ])
    func `a log is written as it was read`(text: String) throws {
        let log = try HAR.Log(data: Data(text.utf8))
        for layout in [JSONLayout.unchanged, .compact, .pretty] {
            #expect(try ReferenceJSON(parsing: written(log, layout: layout)) == ReferenceJSON(parsing: text))
        }
        #expect(try HAR.Log(data: Data(written(log))) == log)
    }

    @Test func `entries that are not objects are omitted`() throws {
        let log = try HAR.Log(data: Data(#"{"log":{"entries":[1,{"n":1},null,{"n":2}]}}"#.utf8))
        #expect(
            try ReferenceJSON(parsing: written(log))
                == ReferenceJSON(parsing: #"{"log":{"entries":[{"n":1},{"n":2}]}}"#))
    }

    @Test func `a file is read and written`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: FullArchive.text)
        var log = try HAR.Log(contentsOf: file)
        log.entries.append(log.entries[0])
        try log.write(to: file)
        #expect(try HAR.Log(contentsOf: file) == log)
        #expect(try folder.names == ["a.har"])
    }

    @Test func `a log created in code has all fields that HAR 1.2 requires`() throws {
        let entry = HAR.Entry(
            startedDateTime: "2009-04-16T12:07:23.596Z", request: .init(url: "http://example.com/"),
            response: .init(status: 204, content: .init(size: 0, mimeType: "")))
        let log = HAR.Log(
            creator: .init(name: "n", version: "v"), browser: .init(name: "b", version: "w"),
            pages: [.init(startedDateTime: "d", id: "i", title: "t")], entries: [entry])
        let copy = try HAR.Log(data: Data(written(log)))
        #expect(copy.fields.members.map(\.name) == ["version", "creator", "browser", "pages", "entries"])
        #expect(copy.version == "1.2")
        #expect(copy.entries == [entry])
        #expect(copy.pages?.first?.fields.members.map(\.name) == ["startedDateTime", "id", "title", "pageTimings"])
    }

    @Test(
        arguments: [
            #"{"log":{}}"#, #"{"log":{"version":"1.2"}}"#, #"{"log":{"entries":null}}"#,
            #"{"log":{"entries":{"a":1}}}"#,
        ])
    func `entries appended to a log without a list of entries are written`(text: String) throws {
        var log = HAR.Log(fields: try #require(JSONValue(parsing: text)["log"]?.object))
        #expect(try HAR.Log(data: Data(written(log))).entries == [])
        log.entries.append(HAR.Entry(fields: ["time": 1]))
        let copy = try HAR.Log(data: Data(written(log)))
        #expect(copy.entries.map(\.time) == [1])
        #expect(copy.version == log.version)
    }

    @Test func `a log created from fields contains the entries in those fields`() throws {
        var log = HAR.Log(fields: ["version": "1.2", "entries": [["time": 1], ["time": 2]], "comment": "c"])
        #expect(log.entries.map(\.time) == [1, 2])
        #expect(log.comment == "c")
        log.entries.removeFirst()
        let copy = try HAR.Log(data: Data(written(log)))
        #expect(copy.entries.map(\.time) == [2])
        #expect(copy.fields.members.map(\.name) == ["version", "entries", "comment"])
    }

    @Test func `logs are equal if all their parts are equal`() throws {
        let log = try HAR.Log(data: Data(FullArchive.text.utf8))
        var other = log
        #expect(other == log)
        #expect(other.hashValue == log.hashValue)
        other.entries[0].time = 1
        #expect(other != log)
        other = log
        other.documentFields["x"] = 1
        #expect(other != log)
    }

    @Test func `properties of the log can be set`() throws {
        var log = try HAR.Log(data: Data(FullArchive.text.utf8))
        log.version = "1.3"
        log.creator = .init(name: "c", version: "1")
        log.browser = nil
        log.pages?[0].title = "changed"
        log.comment = nil
        let copy = try HAR.Log(data: Data(written(log)))
        #expect(copy == log)
        #expect(copy.version == "1.3")
        #expect(copy.browser == nil)
        #expect(copy.pages?.map(\.title) == ["changed"])
        #expect(copy.fields.members.map(\.name) == ["version", "creator", "pages", "entries"])
    }
}
