import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HARWriterTests {
    private let entry = HAR.Entry(
        startedDateTime: "2009-04-16T12:07:23.596Z", request: .init(url: "http://example.com/"),
        response: .init(status: 200, content: .init(size: 2, mimeType: "text/plain", text: "ok")))

    private func text(_ write: (HARWriter) throws -> Void) throws -> String {
        let folder = try TemporaryFolder()
        let writer = try HARWriter(to: folder.file("a.har"))
        try write(writer)
        try writer.finish()
        return String(decoding: try Data(contentsOf: folder.file("a.har")), as: UTF8.self)
    }

    @Test func `entries alone are written as a HAR 1.2 log`() throws {
        let log = try HAR.Log(data: Data(text { for _ in 0..<3 { try $0.append(entry) } }.utf8))
        #expect(log.version == "1.2")
        #expect(log.creator?.name == "Relay")
        #expect(log.creator?.version.isEmpty == false)
        #expect(log.entries == [entry, entry, entry])
        #expect(log.fields.members.map(\.name) == ["version", "creator", "entries"])
    }

    @Test func `an archive without any written events has an empty list of entries`() throws {
        let log = try HAR.Log(data: Data(text { _ in }.utf8))
        #expect(log.version == "1.2")
        #expect(log.entries.isEmpty)
        #expect(log.fields["entries"] == [])
    }

    @Test func `open objects and arrays are closed at the end`() throws {
        for count in 1...4 {
            let events: [HAREvent] = [.field(.init(name: "a", value: 1)), .beginLog, .beginEntries, .entry(entry)]
            let text = try text { for event in events.prefix(count) { try $0.write(event) } }
            #expect(throws: Never.self) { try ReferenceJSON(parsing: text) }
            #expect(try HAR.Log(data: Data(text.utf8)).documentFields["a"] == 1)
        }
    }

    @Test func `entries can be appended to a log that was written in parts`() throws {
        let text = try text {
            try $0.write(.beginLog)
            try $0.write(.field(.init(name: "version", value: "1.1")))
            try $0.append(entry)
            try $0.write(.unexpectedValue(7))
            try $0.append(entry)
            try $0.write(.endEntries)
            try $0.write(.field(.init(name: "comment", value: "c")))
        }
        let log = try HAR.Log(data: Data(text.utf8))
        #expect(log.version == "1.1")
        #expect(log.creator == nil)
        #expect(log.entries.count == 2)
        #expect(log.comment == "c")
    }

    static let misplaced: [[HAREvent]] = [
        [.endLog], [.endEntries], [.beginEntries], [.unexpectedValue(1)], [.entry(HAR.Entry(fields: [:]))],
        [.beginLog, .beginLog], [.beginLog, .endEntries], [.beginLog, .unexpectedValue(1)],
        [.beginLog, .endLog, .beginLog],
        [.beginLog, .endLog, .beginEntries], [.beginLog, .endLog, .endLog], [.beginLog, .beginEntries, .beginEntries],
        [.beginLog, .beginEntries, .endLog], [.beginLog, .beginEntries, .beginLog],
        [.beginLog, .beginEntries, .field(.init(name: "a", value: 1))],
        [.beginLog, .beginEntries, .endEntries, .beginEntries],
        [.beginLog, .beginEntries, .endEntries, .unexpectedValue(1)],
        [.field(.init(name: "a", value: 1)), .endLog],
    ]

    @Test(arguments: misplaced)
    func `writing a part out of order fails, and earlier parts are kept`(events: [HAREvent]) throws {
        let text = try text { writer in
            for event in events.dropLast() { try writer.write(event) }
            let last = try #require(events.last)
            let error = #expect(throws: HARError.self) { try writer.write(last) }
            #expect(error?.code == .invalidOrder)
        }
        #expect(throws: Never.self) { try HAR.Log(data: Data(text.utf8)) }
    }

    @Test func `nothing can be written after the end`() throws {
        let folder = try TemporaryFolder()
        let writer = try HARWriter(to: folder.file("a.har"))
        try writer.append(entry)
        try writer.finish()
        let text = try Data(contentsOf: folder.file("a.har"))
        for event in [.beginLog, .endLog, .entry(entry), .field(.init(name: "a", value: 1))] as [HAREvent] {
            #expect(throws: HARError.self) { try writer.write(event) }
        }
        #expect(throws: HARError.self) { try writer.append(entry) }
        let error = #expect(throws: HARError.self) { try writer.finish() }
        #expect(error?.code == .invalidOrder)
        #expect(try Data(contentsOf: folder.file("a.har")) == text)
    }

    @Test func `no entry can be appended after the end of the entries`() throws {
        for events in [[.beginLog, .beginEntries, .endEntries], [.beginLog, .endLog]] as [[HAREvent]] {
            _ = try text { writer in
                for event in events { try writer.write(event) }
                let error = #expect(throws: HARError.self) { try writer.append(entry) }
                #expect(error?.code == .invalidOrder)
            }
        }
    }

    @Test func `an entry created in code has all fields that HAR 1.2 requires, in order`() throws {
        let reference = try ReferenceJSON(parsing: text { try $0.append(entry) })
        let written = try #require(reference.entries.first)
        func names(_ object: ReferenceJSON?) -> [String] {
            object?.members.map { String(decoding: $0.name.map(UInt16.init), as: UTF16.self) } ?? []
        }
        #expect(names(written) == ["startedDateTime", "time", "request", "response", "cache", "timings"])
        #expect(
            names(written["request"]) == [
                "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize",
            ])
        #expect(
            names(written["response"]) == [
                "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize",
                "bodySize",
            ])
        #expect(names(written["response"]?["content"]) == ["size", "mimeType", "text"])
        #expect(
            names(written["timings"]) == ["blocked", "dns", "connect", "send", "wait", "receive", "ssl"])
        #expect(names(written["cache"]) == [])
        let creator = reference["log"]?["creator"]
        #expect(names(creator) == ["name", "version"])
    }
}
