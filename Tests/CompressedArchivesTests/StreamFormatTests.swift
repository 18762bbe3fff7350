import CompressedArchives
import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct StreamFormatTests {
    static let extensions = ["zst", "xz", "bz2", "lz4", "br", "zip", "gz"]

    private let folder: URL

    init() throws {
        CompressedArchives.enable()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Writes a compressed archive with a number of entries and returns the compressed file and the entries.
    private func archive(_ name: String, count: Int = 200) throws -> (url: URL, entries: [HAR.Entry]) {
        let entries = (0..<count).map {
            HAR.Entry(
                startedDateTime: "2020-01-01T00:00:00Z", request: HAR.Request(url: "http://a/\($0)"),
                response: HAR.Response(
                    status: 200,
                    content: HAR.Content(size: 1, mimeType: "", text: String(repeating: "text \($0 % 7) ", count: 300)))
            )
        }
        let url = folder.appendingPathComponent(name)
        try HAR.Log(creator: HAR.Creator(name: "", version: ""), entries: entries).write(to: url)
        return (url, entries)
    }

    /// Reads the entries before an error, and the error.
    private func read(_ reader: HARReader) -> (entries: [HAR.Entry], error: HARError?) {
        var entries: [HAR.Entry] = []
        do throws(HARError) {
            while let entry = try reader.nextEntry() { entries.append(entry) }
            return (entries, nil)
        } catch {
            return (entries, error)
        }
    }

    @Test(arguments: extensions) func `an archive is compressed by its name and read again`(_ name: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, entries) = try archive("a.har.\(name)")
        let stored = try Data(contentsOf: url)
        #expect(stored.count < 100_000)
        #expect(stored.first != UInt8(ascii: "{"))
        #expect(read(try HARReader(contentsOf: url)).entries == entries)
        let archive = try HARArchive(contentsOf: url, index: .keep())
        #expect(archive.count == entries.count)
        #expect(try archive.entry(at: 150) == entries[150])
        #expect(read(HARReader(data: stored, name: url.lastPathComponent)).entries == entries)
    }

    @Test(arguments: extensions) func `equal archives are compressed to equal files`(_ name: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try Data(contentsOf: archive("a.har.\(name)").url)
        #expect(try Data(contentsOf: archive("a.har.\(name)").url) == first)
    }

    @Test(arguments: extensions) func `a pipe is decompressed`(_ name: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, entries) = try archive("a.har.\(name)")
        let stored = try Data(contentsOf: url)
        let pipe = Pipe()
        DispatchQueue.global().async {
            // Fewer bytes than the signature arrive first.
            pipe.fileHandleForWriting.write(stored.prefix(1))
            pipe.fileHandleForWriting.write(stored.dropFirst(1))
            try? pipe.fileHandleForWriting.close()
        }
        // The name of the input decides only for Brotli.
        let reader = HARReader(handle: pipe.fileHandleForReading, name: "standard input.\(name)")
        #expect(read(reader).entries == entries)
    }

    @Test(arguments: extensions) func `a truncated file is an error after the entries before it`(_ name: String) throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, entries) = try archive("a.har.\(name)", count: 40)
        let stored = try Data(contentsOf: url)
        for count in stride(from: 9, to: stored.count - 1, by: max(1, stored.count / 100)) {
            let result = read(HARReader(data: stored.prefix(count), name: url.lastPathComponent))
            // The checksum at the end may be all that is missing.
            #expect(result.error != nil || result.entries == entries)
            #expect(entries.starts(with: result.entries))
        }
    }

    @Test func `all blocks before the end of a truncated file are read`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, entries) = try archive("a.har.zst", count: 80)
        let result = read(HARReader(data: try Data(contentsOf: url).dropLast(5)))
        #expect(result.entries.count > 30)
        #expect(entries.starts(with: result.entries))
        #expect(result.error?.code == .unreadableFile)
    }

    @Test func `Zstandard frames can be skippable, repeated, and followed by other bytes`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, entries) = try archive("a.har.zst", count: 100)
        let stored = try Data(contentsOf: url)
        let skippable = Data([0x5A, 0x2A, 0x4D, 0x18, 5, 0, 0, 0, 1, 2, 3, 4, 5])
        let empty = Data([0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0])
        // A frame with the space before the archive, as one repeated byte.
        let space = Data([0x28, 0xB5, 0x2F, 0xFD, 0x20, 3, 0b11011, 0, 0, 0x20])
        for other in [Data(), Data("\n".utf8), Data(count: 100), Data("garbage".utf8)] {
            let data = skippable + empty + space + empty + stored + skippable + other
            let result = read(HARReader(data: data))
            #expect(result.entries == entries)
            #expect(result.error == nil)
            try data.write(to: url)
            #expect(try HARArchive(contentsOf: url).count == 100)
        }
    }

    @Test(arguments: extensions) func `damaged bytes never end the process`(_ name: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, _) = try archive("a.har.\(name)", count: 40)
        let stored = try Data(contentsOf: url)
        for offset in stride(from: 9, to: stored.count, by: max(1, stored.count / 200)) {
            var damaged = stored
            damaged[offset] ^= 0x55
            let result = read(HARReader(data: damaged, name: url.lastPathComponent))
            // A damaged length can repeat text, which a checksum detects later.
            #expect(result.error != nil || result.entries.count <= 40)
        }
    }

    @Test(arguments: extensions) func `decompression stops at the maximum size`(_ name: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, _) = try archive("a.har.\(name)")
        var configuration = HARReader.Configuration()
        configuration.maximumDecompressedSize = 100_000
        let error = read(try HARReader(contentsOf: url, configuration: configuration)).error
        #expect(error?.code == .limitExceeded)
        #expect(throws: HARError.self) { try HARArchive(contentsOf: url, configuration: configuration) }
    }

    /// Each of the 14 bytes of a block becomes more than a megabyte of spaces.
    @Test(arguments: [64, 640, 64_000]) func `a bomb in Brotli is not decompressed beyond the maximum size`(
        blocks: Int
    ) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let start = Data([0x0F, 0x0D, 0x80] + #"{"log":{"entries":[],"_x":""#.utf8)
        let end: [UInt8] = [0x0E, 0x0B, 0x40, 0xF7, 0xFE, 0xDF, 0x00]
        let block: [UInt8] = [0xFC, 0xFF, 0xFF, 0x07, 0x40, 0x02, 0x20] + end
        // The first block defines the repeated distance.
        let first: [UInt8] = [0xFC, 0xFF, 0xFF, 0x07, 0x40, 0x02, 0x24, 0x1E, 0x0B, 0x24] + end.suffix(4)
        let bomb = start + first + Data(Array(repeating: block, count: blocks).joined()) + [3]
        let url = folder.appendingPathComponent("bomb.har.br")
        try bomb.write(to: url)
        var configuration = HARReader.Configuration()
        configuration.maximumDecompressedSize = 20_000_000
        let errors = [
            read(try HARReader(contentsOf: url, configuration: configuration)).error,
            read(HARReader(data: bomb, name: "bomb.har.br", configuration: configuration)).error,
            #expect(throws: HARError.self) { try HARArchive(contentsOf: url, configuration: configuration) },
        ]
        #expect(errors.map(\.?.code) == Array(repeating: .limitExceeded, count: 3))
    }

    @Test(arguments: extensions) func `a compressed archive cannot be appended to`(_ name: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, _) = try archive("a.har.\(name)", count: 2)
        let stored = try Data(contentsOf: url)
        #expect(throws: HARError.self) { try HARWriter(appendingTo: url) }
        #expect(try Data(contentsOf: url) == stored)
        let new = folder.appendingPathComponent("new.har.\(name)")
        #expect(throws: HARError.self) { try HARWriter(appendingTo: new) }
        #expect(!FileManager.default.fileExists(atPath: new.path))
    }

    @Test(arguments: ["zst", "xz", "bz2", "lz4"]) func `the name of a file does not matter`(_ name: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, entries) = try archive("a.har.\(name)", count: 2)
        let other = folder.appendingPathComponent("b.har")
        try FileManager.default.copyItem(at: url, to: other)
        #expect(read(try HARReader(contentsOf: other)).entries == entries)
    }

    @Test func `JSON in a file with the extension of Brotli is read as JSON`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (url, entries) = try archive("a.har", count: 2)
        let other = folder.appendingPathComponent("a.har.br")
        try FileManager.default.copyItem(at: url, to: other)
        #expect(read(try HARReader(contentsOf: other)).entries == entries)
    }
}
