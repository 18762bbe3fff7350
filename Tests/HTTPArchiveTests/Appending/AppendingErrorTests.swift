@testable import ArchiveRepair
import Foundation
import Testing

@testable import HTTPArchive

/// Files that cannot be appended to, and concurrent changes by other processes.
@Suite(.limited) struct AppendingErrorTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.file("a.har")
    }

    private func code(of url: URL) -> HARError.Code? {
        do {
            _ = try HARWriter(appendingTo: url)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `the limits for reading the existing archive can be changed`() throws {
        let text = #"{"log":{"entries":[{"name":"value"}]}}"#
        _ = try folder.file("a.har", holding: text)
        var configuration = HARWriter.Configuration()
        configuration.reader.maximumValueSize = 10
        do {
            _ = try HARWriter(appendingTo: file, configuration: configuration)
            Issue.record("The limit was ignored.")
        } catch {
            #expect(error.code == .limitExceeded)
        }
        configuration.reader.maximumValueSize = 100
        try HARWriter(appendingTo: file, configuration: configuration).append(.numbered(1, size: 40))
        #expect(try HARArchive(contentsOf: file).count == 2)
    }

    @Test(arguments: [
        ("[]", HARError.Code.notAnArchive), ("{}", .notAnArchive), ("<html>", .notAnArchive),
        (#"{"log":7}"#, .notAnArchive), (#"{"log":{"entries":{"a":1}}}"#, .notAnArchive),
        (#"{"name":"a","#, .malformedJSON),
        (#"{"log":{"entries":[{"n":1},nil,{"n":3}]}}"#, .malformedJSON),
        (#"{"log":{"entries":[{"n":1}],"a":x}}"#, .malformedJSON),
        (#"{"log":{"entries":[{"n":1}]}} x"#, .malformedJSON),
        (#"{"log":{"entries":{"a":1}}"#, .malformedJSON),
    ])
    func `appending leaves a file unchanged if it is not an archive or is malformed in the middle`(
        text: String, code: HARError.Code
    ) throws {
        _ = try folder.file("a.har", holding: text)
        #expect(self.code(of: file) == code)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `opening a path that cannot be written to fails`() throws {
        _ = try folder.file("plain", holding: "")
        let urls = [
            folder.file("missing/a.har"), folder.url, folder.file("plain/a.har"), URL(fileURLWithPath: "/dev/full"),
            URL(fileURLWithPath: "/dev/null"), try #require(URL(string: "https://example.com/a.har")),
        ]
        for url in urls { #expect(code(of: url) == .unwritableFile, "\(url)") }
        #expect(try folder.names == ["plain"])
    }

    #if os(Linux)
        @Test func `creating an archive in a folder that is not writable fails`() {
            #expect(code(of: URL(fileURLWithPath: "/sys/relay.har")) == .unwritableFile)
        }
    #endif

    #if os(Linux)
        @Test func `a file descriptor inherited by a child process does not keep an archive locked`() throws {
            let path = file.resolvingSymlinksInPath().path
            var copy: Int32 = -1
            do {
                let writer = try HARWriter(appendingTo: URL(fileURLWithPath: path))
                try writer.append(.numbered(0))
                let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                    Int32($0)
                }
                let descriptor = descriptors.first {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
                }
                copy = dup(try #require(descriptor))
                try writer.finish()
            }
            defer { close(copy) }
            try HARWriter(appendingTo: URL(fileURLWithPath: path)).finish()
        }
    #endif

    @Test func `a second writer is rejected until the first writer finishes`() throws {
        let first = try HARWriter(appendingTo: file)
        try first.append(.numbered(0))
        #expect(code(of: file) == .fileInUse)
        #expect(throws: HARError.self) { try HARRepair(of: file) }
        try first.append(.numbered(1))
        try first.finish()
        try HARWriter(appendingTo: file).append(.numbered(2))
        #expect(try urls(in: file) == urls(0..<3))
        withExtendedLifetime(first) {}
    }

    @Test(arguments: ["deleted", "replaced", "changed"])
    func `appending fails if another process has deleted, replaced or changed the file`(kind: String) throws {
        let writer = try HARWriter(appendingTo: file)
        try writer.append(.numbered(0))
        let other = Data(#"{"log":{"entries":[]}}"#.utf8)
        switch kind {
        case "deleted": try FileManager.default.removeItem(at: file)
        case "replaced": try other.write(to: file, options: .atomic)
        default:
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: other)
        }
        let error = #expect(throws: HARError.self) { try writer.append(.numbered(1)) }
        #expect(error?.code == .unwritableFile)
        if kind != "deleted" { #expect(try Data(contentsOf: file) == other) }
    }

    @Test func `a second writer can create a file after the first writer's file is moved`() throws {
        let first = try HARWriter(appendingTo: file)
        try FileManager.default.moveItem(at: file, to: folder.file("old.har"))
        let second = try HARWriter(appendingTo: file)
        try second.append(.numbered(0))
        #expect(throws: HARError.self) { try first.append(.numbered(1)) }
        #expect(try urls(in: file) == urls(0..<1))
    }

    @Test(arguments: [HARWriter.Flushing.atEnd, .interval(.seconds(3600))])
    func `buffered entries are written when the writer is finished or deallocated`(flushing: HARWriter.Flushing) throws
    {
        var configuration = HARWriter.Configuration()
        configuration.flushing = flushing
        for isFinished in [true, false] {
            let writer = try HARWriter(appendingTo: file, configuration: configuration)
            let old = try urls(in: file)
            for number in 0..<3 { try writer.append(.numbered(number)) }
            #expect(try urls(in: file) == old)
            if isFinished { try writer.finish() }
        }
        #expect(try urls(in: file) == urls(0..<3) + urls(0..<3))
    }

    @Test func `buffered entries are written once they are large or the interval has passed`() throws {
        var configuration = HARWriter.Configuration()
        configuration.flushing = .atEnd
        let writer = try HARWriter(appendingTo: file, configuration: configuration)
        try writer.append(.numbered(0, size: 1 << 20))
        #expect(try urls(in: file) == urls(0..<1))
        try writer.finish()
        configuration.flushing = .interval(.nanoseconds(1))
        let second = try HARWriter(appendingTo: file, configuration: configuration)
        try second.append(.numbered(1))
        #expect(try urls(in: file) == urls(0..<2))
        withExtendedLifetime(second) {}
    }
}
