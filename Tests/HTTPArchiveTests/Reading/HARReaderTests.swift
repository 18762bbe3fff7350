import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HARReaderTests {
    private let archive = #"{"log":{"version":"1.2","entries":[{"time":1},{"time":2},{"time":3}]}}"#

    @Test func `a file is read entry by entry`() throws {
        let folder = try TemporaryFolder()
        let reader = try HARReader(contentsOf: folder.file("a.har", holding: archive))
        #expect(reader.byteCount == archive.utf8.count)
        var times: [Double?] = []
        while let entry = try reader.nextEntry() { times.append(entry.time) }
        #expect(times == [1, 2, 3])
        #expect(reader.bytesRead == archive.utf8.count)
        #expect(try reader.nextEntry() == nil)
        #expect(try reader.nextEvent() == nil)
        #expect(reader.log.version == "1.2")
    }

    @Test func `a file larger than the read buffer is read completely`() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: 100_000)
        let entries = (0..<50).map { #"{"n":\#($0),"text":"\#(text)"}"# }.joined(separator: ",\n")
        let file = try folder.file("a.har", holding: #"{"log":{"entries":[\#(entries)]}}"#)
        let reader = try HARReader(contentsOf: file)
        var count = 0
        while let entry = try reader.nextEntry() {
            #expect(entry["n"] == JSONValue.number(JSONNumber(count)))
            #expect(entry["text"]?.text?.utf8.count == 100_000)
            count += 1
        }
        #expect(count == 50)
    }

    @Test func `a reader is a sequence of results`() throws {
        let reader = HARReader(data: Data(archive.utf8))
        #expect(try reader.map { try $0.get().time } == [1, 2, 3])
    }

    @Test func `entries can be read after some events`() throws {
        let reader = HARReader(data: Data(archive.utf8))
        #expect(try reader.nextEvent() == .beginLog)
        #expect(try reader.nextEntry()?.time == 1)
        #expect(Array(reader.prefix(1)).count == 1)
        #expect(try reader.nextEvent() != nil)
    }

    @Test func `data can have any start index`() throws {
        let data = Data(("garbage" + archive + "more").utf8).dropFirst(7).dropLast(4)
        #expect(try HAR.Log(data: data).entries.count == 3)
    }

    @Test func `a pipe can be read`() throws {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(archive.utf8))
        try pipe.fileHandleForWriting.close()
        let reader = HARReader(handle: pipe.fileHandleForReading, name: "pipe")
        #expect(reader.byteCount == nil)
        #expect(reader.compactMap { try? $0.get() }.count == 3)
    }

    @Test func `a reader keeps its file handle open`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: archive)
        let reader = HARReader(handle: try FileHandle(forReadingFrom: file))
        #expect(try reader.nextEntry()?.time == 1)
    }

    @Test func `a missing file is unreadable`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: HARError.self) { _ = try HARReader(contentsOf: folder.file("missing.har")) }
        #expect(error?.code == .unreadableFile)
        #expect(error?.context.file?.hasSuffix("missing.har") == true)
    }

    @Test func `a folder is unreadable`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: HARError.self) { _ = try HAR.Log(contentsOf: folder.url) }
        #expect(error?.code == .unreadableFile)
    }

    @Test(arguments: ["https://example.com/a.har", "data:,{}", "a.har"])
    func `a URL with another scheme is unreadable`(text: String) throws {
        let url = try #require(URL(string: text))
        let error = #expect(throws: HARError.self) { _ = try HARReader(contentsOf: url) }
        #expect(error?.code == .unreadableFile)
    }

    @Test func `an empty file is not an archive`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: HARError.self) {
            _ = try HAR.Log(contentsOf: folder.file("empty.har", holding: ""))
        }
        #expect(error?.code == .notAnArchive)
    }

    @Test func `a byte order mark is reported`() throws {
        for mark in ["", "\u{FEFF}"] {
            let reader = HARReader(data: Data((mark + archive).utf8))
            #expect(try reader.nextEntry()?.time == 1)
            #expect(reader.hasByteOrderMark == !mark.isEmpty)
        }
    }

    @Test func `an entry can be used after its reader is deallocated and its file is deleted`() throws {
        let entry = try {
            let folder = try TemporaryFolder()
            return try HARReader(contentsOf: folder.file("a.har", holding: archive)).nextEntry()
        }()
        #expect(entry?.time == 1)
    }
}
