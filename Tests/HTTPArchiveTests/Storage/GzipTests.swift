import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct GzipTests {
    private static let archive = Data(
        #"{"log":{"entries":[{"request":{"url":"http://a/0"}},{"request":{"url":"http://a/1"}}]}}"#.utf8)

    /// Returns data in gzip format.
    private func gzip(_ data: Data) throws -> Data {
        Data(try #require(Deflate.deflated(Array(data), .gzip)))
    }

    private func urls(_ reader: HARReader) throws -> [String] {
        var urls: [String] = []
        while let entry = try reader.nextEntry() { urls.append(entry.request.url) }
        return urls
    }

    private func write(_ data: Data, as name: String = "a.har.gz", in folder: TemporaryFolder) throws -> URL {
        let url = folder.url.appendingPathComponent(name)
        try data.write(to: url)
        return url
    }

    @Test func `a compressed file is read in one pass and at random`() throws {
        let folder = try TemporaryFolder()
        // The name does not matter.
        for name in ["a.har.gz", "a.har"] {
            let url = try write(gzip(Self.archive), as: name, in: folder)
            #expect(try urls(HARReader(contentsOf: url)) == ["http://a/0", "http://a/1"])
            let archive = try HARArchive(contentsOf: url, index: .keep())
            #expect(archive.count == 2)
            #expect(try archive.entry(at: 1).request.url == "http://a/1")
            #expect(try HAR.Log(contentsOf: url).entries.count == 2)
        }
    }

    @Test func `compressed data and pipes are decompressed`() throws {
        let data = try gzip(Self.archive)
        #expect(try urls(HARReader(data: data)).count == 2)
        let pipe = Pipe()
        // Fewer bytes than the signature arrive first.
        pipe.fileHandleForWriting.write(data.prefix(1))
        pipe.fileHandleForWriting.write(data.dropFirst(1))
        try pipe.fileHandleForWriting.close()
        #expect(try urls(HARReader(handle: pipe.fileHandleForReading)).count == 2)
    }

    @Test(arguments: [1, 2, 7, 64, 10_000]) func `chunks that arrive over time are decompressed`(_ size: Int)
        async throws
    {
        for data in [try gzip(Self.archive), Self.archive] {
            let chunks = AsyncStream<ArraySlice<UInt8>> { continuation in
                var rest = Array(data)[...]
                while !rest.isEmpty {
                    continuation.yield(rest.prefix(size))
                    rest = rest.dropFirst(size)
                }
                continuation.finish()
            }
            var urls: [String] = []
            for try await entry in HARAsyncReader(chunks) { urls.append(entry.request.url) }
            #expect(urls == ["http://a/0", "http://a/1"])
        }
        let truncated = AsyncStream<ArraySlice<UInt8>> { continuation in
            continuation.yield(Array((try? gzip(Self.archive)) ?? Data()).dropLast(9))
            continuation.finish()
        }
        let error = await #expect(throws: HARError.self) { for try await _ in HARAsyncReader(truncated) {} }
        #expect(error?.code == .unreadableFile)
    }

    @Test func `several members are decompressed, and other bytes after the last member are ignored`() throws {
        let (start, end) = (Self.archive.prefix(30), Self.archive.dropFirst(30))
        let members = try gzip(Data(start)) + gzip(Data(end))
        #expect(try urls(HARReader(data: members)).count == 2)
        #expect(try urls(HARReader(data: members + Data(count: 512))).count == 2)
    }

    @Test func `a truncated file returns the entries before the error`() throws {
        let text =
            Data(#"{"log":{"entries":["#.utf8)
            + Data((0..<50_000).map { #"{"request":{"url":"http://a/\#($0)"}},"# }.joined().utf8)
        let folder = try TemporaryFolder()
        let compressed = try gzip(text)
        let url = try write(compressed.prefix(compressed.count / 2), in: folder)
        let reader = try HARReader(contentsOf: url)
        var count = 0
        let error = #expect(throws: HARError.self) {
            while try reader.nextEntry() != nil { count += 1 }
        }
        #expect(count > 1_000)
        #expect(error?.code == .unreadableFile)
        #expect(error?.message.hasPrefix("The gzip data is truncated after ") == true)
        #expect(throws: HARError.self) { try HARArchive(contentsOf: url) }
    }

    @Test func `damaged data is an error`() throws {
        var data = try gzip(Self.archive)
        data[data.count / 2] ^= 0xFF
        let error = #expect(throws: HARError.self) { try urls(HARReader(data: data)) }
        #expect([.unreadableFile, .malformedJSON].contains(error?.code))
    }

    @Test func `the entries before damaged data are read`() throws {
        var data = try gzip(Self.archive)
        data[data.count - 8] ^= 0xFF
        let reader = HARReader(data: data)
        let count = try urls(HARReader(data: gzip(Self.archive))).count
        for _ in 0..<count { #expect(try reader.nextEntry() != nil) }
        let error = #expect(throws: HARError.self) { while try reader.nextEntry() != nil {} }
        #expect(error?.code == .unreadableFile)
    }

    @Test func `decompression stops at the maximum size`() throws {
        let folder = try TemporaryFolder()
        let bomb = Data(#"{"log":{"entries":[],"_x":""#.utf8) + Data(repeating: 0x20, count: 5_000_000)
        let url = try write(gzip(bomb), in: folder)
        var configuration = HARReader.Configuration()
        configuration.maximumDecompressedSize = 1_000_000
        let error = #expect(throws: HARError.self) {
            try HARArchive(contentsOf: url, configuration: configuration)
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("--decompressed-limit") == true)
        #expect(throws: HARError.self) { try urls(HARReader(contentsOf: url, configuration: configuration)) }
    }

    @Test func `a file whose name ends with gz is written in gzip format`() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.har.gz")
        let text = String(repeating: "text ", count: 500_000)
        let entries = (0..<4).map {
            HAR.Entry(
                startedDateTime: "", request: HAR.Request(url: "http://a/\($0)"),
                response: HAR.Response(status: 200, content: HAR.Content(size: 1, mimeType: "", text: text)))
        }
        try HAR.Log(creator: HAR.Creator(name: "", version: ""), entries: entries).write(to: url)
        let stored = try Data(contentsOf: url)
        #expect(stored.starts(with: GzipReader.signature))
        #expect(stored.count < 100_000)
        #expect(try HAR.Log(contentsOf: url).entries == entries)
    }

    @Test func `a compressed archive cannot be appended to`() throws {
        let folder = try TemporaryFolder()
        let data = try gzip(Self.archive)
        for name in ["a.har.gz", "a.har"] {
            let url = try write(data, as: name, in: folder)
            let error = #expect(throws: HARError.self) { try HARWriter(appendingTo: url) }
            #expect(error?.message.contains("Decompress it first") == true)
            #expect(try Data(contentsOf: url) == data)
        }
        let new = folder.url.appendingPathComponent("new.har.gz")
        #expect(throws: HARError.self) { try HARWriter(appendingTo: new) }
        #expect(!FileManager.default.fileExists(atPath: new.path))
    }
}
