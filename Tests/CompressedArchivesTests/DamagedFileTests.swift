import ArchiveRepair
import CompressedArchives
import Foundation
import HTTPArchive
import Testing

/// Reading compressed files that are truncated or damaged.
@Suite(.limited) struct DamagedFileTests {
    private let folder: URL

    init() throws {
        CompressedArchives.enable()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Writes a compressed archive, and returns its bytes.
    private func archive(_ name: String, count: Int) throws -> Data {
        var generator = SystemRandomNumberGenerator()
        let entries = (0..<count).map { index in
            let text = String(
                (0..<600).map { _ in Character(Unicode.Scalar(UInt8.random(in: 97...122, using: &generator))) })
            return HAR.Entry(
                startedDateTime: "2020-01-01T00:00:00Z", request: HAR.Request(url: "http://a/\(index)"),
                response: HAR.Response(status: 200, content: HAR.Content(size: 600, mimeType: "", text: text)))
        }
        let url = folder.appendingPathComponent(name)
        try HAR.Log(creator: HAR.Creator(name: "", version: ""), entries: entries).write(to: url)
        return try Data(contentsOf: url)
    }

    /// Returns the number of entries before the error that a damaged file causes, and the error.
    private func read(_ data: Data, _ name: String) throws -> (count: Int, error: HARError?) {
        let url = folder.appendingPathComponent("damaged-\(name)")
        try data.write(to: url)
        var count = 0
        do throws(HARError) {
            let reader = try HARReader(contentsOf: url)
            while try reader.nextEntry() != nil { count += 1 }
            return (count, nil)
        } catch {
            return (count, error)
        }
    }

    @Test(arguments: [("xz", 100, 40), ("zip", 100, 40), ("lz4", 400, 80), ("zst", 1000, 200)])
    func `the entries of the first half of a file are read`(format: String, count: Int, expected: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try archive("a.har.\(format)", count: count)
        let result = try read(data.prefix(data.count / 2), "a.har.\(format)")
        #expect(result.count >= expected)
        #expect(result.error?.code == .unreadableFile)
    }

    @Test(arguments: [1, 30, 60])
    func `a zip file without a central directory is truncated after the archive`(size: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try archive("a.har.zip", count: 5)
        let result = try read(data.dropLast(size), "a.har.zip")
        #expect(result.error?.code == .unreadableFile)
        #expect(result.error?.message.contains("truncated") == true)
    }

    @Test func `a zip file with a wrong checksum is read up to its end`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var data = try archive("a.har.zip", count: 100)
        // The checksum in the central directory (section 4.3.12).
        let directory = try #require(data.range(of: Data([0x50, 0x4B, 1, 2]))).lowerBound
        data[directory + 16] ^= 1
        let result = try read(data, "a.har.zip")
        #expect(result.count == 100)
        #expect(result.error?.message.contains("does not match its checksum") == true)
        let url = folder.appendingPathComponent("damaged-a.har.zip")
        let repair = try HARRepair(of: url, to: .none)
        #expect(repair.entryCount == 100 && repair.compressionDamage == .checksum)
    }

    @Test(arguments: [5, 1000]) func `a damaged Zstandard file is an error`(count: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try archive("a.har.zst", count: count)
        #expect(data[4] & 4 == 4)
        let intact = try HAR.Log(contentsOf: folder.appendingPathComponent("a.har.zst")).entries
        var errorCount = 0
        let url = folder.appendingPathComponent("damaged.har.zst")
        for offset in stride(from: 40, to: data.count, by: data.count / 20) {
            var damaged = data
            damaged[offset] ^= 1
            try damaged.write(to: url)
            do {
                // A few bits of the format have no meaning.
                #expect(try HAR.Log(contentsOf: url).entries == intact, "offset \(offset)")
            } catch {
                errorCount += 1
            }
        }
        #expect(errorCount > 15)
    }
}
