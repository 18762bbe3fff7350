import Foundation
import PlantedSecrets
import Testing

@testable import HTTPArchive

/// The destination of a writer, and when it is replaced.
@Suite(.limited) struct OutputFileTests {
    private let entry = HAR.Entry(
        startedDateTime: "2009-04-16T12:07:23.596Z", request: .init(url: "http://example.com/"),
        response: .init(status: 204, content: .init(size: 0, mimeType: "")))

    @Test func `the existing file is kept until the archive is complete`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: "old")
        let writer = try HARWriter(to: file)
        for _ in 0..<2000 { try writer.append(entry) }
        #expect(try String(contentsOf: file, encoding: .utf8) == "old")
        try writer.finish()
        #expect(try HAR.Log(contentsOf: file).entries.count == 2000)
        #expect(try folder.names == ["a.har"])
    }

    @Test func `an unfinished archive leaves no file behind`() throws {
        let folder = try TemporaryFolder()
        for name in ["old.har", "new.har"] {
            if name == "old.har" { _ = try folder.file(name, holding: "old") }
            let writer = try HARWriter(to: folder.file(name))
            for _ in 0..<2000 { try writer.append(entry) }
        }
        #expect(try folder.names == ["old.har"])
        #expect(try String(contentsOf: folder.file("old.har"), encoding: .utf8) == "old")
    }

    #if os(Linux)
        @Test func `an incomplete archive has no name if the file system supports unnamed files`() throws {
            let folder = try TemporaryFolder()
            let probe = open(folder.url.path, 0o20000000 | O_DIRECTORY | O_WRONLY, 0o600)
            guard probe >= 0 else { return }
            close(probe)
            let writer = try HARWriter(to: folder.file("a.har"))
            for _ in 0..<2000 { try writer.append(entry) }
            #expect(try folder.names == [])
            try writer.finish()
            #expect(try folder.names == ["a.har"])
        }
    #endif

    @Test(arguments: 0..<6)
    func `chunks of all sizes are written in order`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let file = folder.file("a")
        let output = try OutputFile(url: file)
        var expected = Data()
        for number in 0..<60 {
            let size = [0, 1, 1000, 1 << 17, 1 << 20][number % 5] + Int.random(in: -1...1, using: &generator)
            let piece = [UInt8](repeating: UInt8(number), count: max(0, size))
            try output.write(piece)
            expected += piece
        }
        try output.finish()
        #expect(try Data(contentsOf: file) == expected)
    }

    @Test func `an archive can be written over the file it is read from`() throws {
        let folder = try TemporaryFolder()
        let entries = (0..<3000).map { #"{"n":\#($0),"text":"\#(String(repeating: "x", count: 900))"}"# }
        let file = try folder.file("a.har", holding: #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#)
        let reader = try HARReader(contentsOf: file)
        let writer = try HARWriter(to: file)
        while let event = try reader.nextEvent() { try writer.write(event) }
        try writer.finish()
        #expect(try HAR.Log(contentsOf: file).entries.map { $0["n"]?.int } == (0..<3000).map { $0 })
        #expect(try folder.names == ["a.har"])
    }

    @Test func `a symbolic link is kept, and its target is written to`() throws {
        let folder = try TemporaryFolder()
        let target = try folder.file("target.har", holding: "old")
        let link = folder.file("link.har")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let writer = try HARWriter(to: link)
        try writer.append(entry)
        try writer.finish()
        #expect(try HAR.Log(contentsOf: target).entries == [entry])
        let type = try FileManager.default.attributesOfItem(atPath: link.path)[.type] as? FileAttributeType
        #expect(type == .typeSymbolicLink)
        #expect(try folder.names == ["link.har", "target.har"])
    }

    @Test func `a device is written to directly`() throws {
        let writer = try HARWriter(to: URL(fileURLWithPath: "/dev/null"))
        try writer.append(entry)
        try writer.finish()
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }

    @Test func `writing to a full device fails`() throws {
        let device = URL(fileURLWithPath: "/dev/full")
        guard FileManager.default.fileExists(atPath: device.path) else { return }
        let writer = try HARWriter(to: device)
        try writer.append(entry)
        let error = #expect(throws: HARError.self) { try writer.finish() }
        #expect(error?.code == .unwritableFile)
        #expect(error?.context.file == "/dev/full")
    }

    @Test func `an output with a failed write cannot be finished`() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        // A nonblocking pipe rejects data while it is full, and accepts more after it is read.
        #expect(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0)
        let output = OutputFile(handle: pipe.fileHandleForWriting, name: "pipe")
        let error = #expect(throws: HARError.self) { try output.write([UInt8](repeating: 0, count: 1 << 22)) }
        #expect(error?.code == .unwritableFile)
        #expect(!pipe.fileHandleForReading.availableData.isEmpty)
        try output.write([1])
        #expect(throws: HARError.self) { try output.finish() }
    }

    @Test func `a pipe is written to and stays open`() throws {
        let pipe = Pipe()
        let writer = HARWriter(handle: pipe.fileHandleForWriting, name: "pipe")
        try writer.append(entry)
        try writer.finish()
        try pipe.fileHandleForWriting.write(contentsOf: Data("after".utf8))
        try pipe.fileHandleForWriting.close()
        let data = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(data.suffix(5) == Data("after".utf8))
        #expect(try HAR.Log(data: data.dropLast(5)).entries == [entry])
    }

    @Test func `a writer keeps its file handle open`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: "")
        let writer = HARWriter(handle: try FileHandle(forWritingTo: file))
        try writer.append(entry)
        try writer.finish()
        #expect(try HAR.Log(contentsOf: file).entries == [entry])
    }

    @Test func `opening an output that cannot be created fails`() throws {
        let folder = try TemporaryFolder()
        let urls = [
            folder.file("missing/a.har"), folder.url, try #require(URL(string: "https://example.com/a.har")),
            try folder.file("plain", holding: "").appendingPathComponent("a.har"),
        ]
        for url in urls {
            let error = #expect(throws: HARError.self) { _ = try HARWriter(to: url) }
            #expect(error?.code == .unwritableFile, "\(url)")
        }
        #expect(try folder.names == ["plain"])
    }

    @Test func `concurrent writers of one file are independent`() throws {
        let folder = try TemporaryFolder()
        let writers = try (0..<8).map { _ in try HARWriter(to: folder.file("a.har")) }
        for (index, writer) in writers.enumerated() {
            for _ in 0...index { try writer.append(entry) }
        }
        for writer in writers {
            try writer.finish()
            #expect(throws: Never.self) { try HAR.Log(contentsOf: folder.file("a.har")) }
        }
        #expect(try HAR.Log(contentsOf: folder.file("a.har")).entries.count == 8)
        #expect(try folder.names == ["a.har"])
    }
}
