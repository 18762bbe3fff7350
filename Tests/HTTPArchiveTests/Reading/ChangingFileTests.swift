import Foundation
import HTTPArchive
import Testing

/// Files that are changed after they are opened.
@Suite(.limited) struct ChangingFileTests {
    private static let start = #"{"log":{"entries":["#
    private static let entry = #"{"n":"0123456789"}"#
    private static let text = "\(start)\(entry),\(entry)]}}"

    /// Changes a file in place.
    private static func change(_ file: URL, _ body: (FileHandle) throws -> Void) throws {
        let handle = try FileHandle(forUpdating: file)
        try body(handle)
        try handle.close()
    }

    @Test func `reading an entry that a file no longer contains fails with a location`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: Self.text)
        let archive = try HARArchive(contentsOf: file)
        try Self.change(file) { try $0.truncate(atOffset: UInt64(Self.start.utf8.count + 20)) }
        #expect(try archive.entry(at: 0)["n"] == "0123456789")
        let error = #expect(throws: HARError.self) { _ = try archive.entry(at: 1) }
        #expect(error?.code == .unreadableFile)
        #expect(error?.context.byteOffset == Self.start.utf8.count + Self.entry.utf8.count + 1)
    }

    @Test func `entries keep their locations in a file that grows`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: Self.text)
        let archive = try HARArchive(contentsOf: file)
        try Self.change(file) {
            try $0.seekToEnd()
            try $0.write(contentsOf: Data(repeating: 0x20, count: 1 << 21))
        }
        #expect(archive.count == 2)
        #expect(try archive.entry(at: 1)["n"] == "0123456789")
    }

    @Test(arguments: ["x", "\"", "[", "}", "\0", "{\"a\":1}{\"b\":2}   ", "         123456   "])
    func `reading an entry that is no longer valid fails with a location`(other: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: Self.text)
        let archive = try HARArchive(contentsOf: file)
        try Self.change(file) {
            try $0.seek(toOffset: UInt64(Self.start.utf8.count))
            try $0.write(contentsOf: Data(other.utf8))
        }
        let error = #expect(throws: HARError.self) { _ = try archive.entry(at: 0) }
        #expect(error?.context.byteOffset != nil)
    }

    @Test func `truncating a file while it is read causes an error`() throws {
        let folder = try TemporaryFolder()
        let entries = [String](repeating: Self.entry, count: 200_000).joined(separator: ",")
        let file = try folder.file("a.har", holding: "\(Self.start)\(entries)]}}")
        let reader = try HARReader(contentsOf: file)
        #expect(try reader.nextEntry() != nil)
        try Self.change(file) { try $0.truncate(atOffset: 2 << 20) }
        var count = 1
        let error = #expect(throws: HARError.self) { while try reader.nextEntry() != nil { count += 1 } }
        #expect(error?.code == .malformedJSON)
        let offset = try #require(error?.context.byteOffset)
        #expect(((2 << 20) - Self.entry.utf8.count...2 << 20).contains(offset))
        #expect(count == ((2 << 20) - Self.start.utf8.count) / (Self.entry.utf8.count + 1))
    }

    @Test func `appending text to a file while it is read causes an error after the last entry`() throws {
        let folder = try TemporaryFolder()
        let entries = [String](repeating: Self.entry, count: 100_000).joined(separator: ",")
        let file = try folder.file("a.har", holding: "\(Self.start)\(entries)]}}")
        let reader = try HARReader(contentsOf: file)
        #expect(try reader.nextEntry() != nil)
        try Self.change(file) {
            try $0.seekToEnd()
            try $0.write(contentsOf: Data(Self.text.utf8))
        }
        var count = 1
        let error = #expect(throws: HARError.self) { while try reader.nextEntry() != nil { count += 1 } }
        #expect(error?.code == .malformedJSON)
        #expect(error?.context.byteOffset.map { $0 >= reader.byteCount ?? .max } == true)
        #expect(count == 100_000)
    }
}
