import CompressedArchives
import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct ZIPTests {
    private let folder: URL

    init() throws {
        CompressedArchives.enable()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Returns an archive with one entry, whose body is in a file.
    private func archive(url: String = "http://a/", bodyFile: String = "body.bin") -> Data {
        Data(
            """
            {"log":{"entries":[{"request":{"url":"\(url)"},"response":{"content":{"_file":"\(bodyFile)"}}}]}}
            """.utf8)
    }

    private func write(_ zip: StoredZIP, as name: String = "a.zip") throws -> URL {
        let url = folder.appendingPathComponent(name)
        try zip.data.write(to: url)
        return url
    }

    /// Reads the body of the first entry.
    private func body(_ url: URL) throws -> Data? {
        try HARArchive(contentsOf: url).entry(at: 0).response.bodyData(in: HAR.BodyFolder(ofArchive: url))
    }

    private func message(_ url: URL) -> String {
        do throws(HARError) {
            _ = try HARArchive(contentsOf: url)
            return ""
        } catch {
            return error.message
        }
    }

    @Test func `body files are read from the zip file, from the folder of the archive`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for prefix in ["", "capture/", "ä ö/ü/"] {
            var zip = StoredZIP()
            zip.add("body.bin", Data("other".utf8))
            zip.add(prefix + "body.bin", Data("body".utf8))
            zip.add(prefix + "har.har", archive())
            #expect(try body(write(zip)) == Data("body".utf8))
        }
    }

    @Test(arguments: [
        ("./body.bin", "./har.har", "./body.bin"), ("./body.bin", "har.har", "body.bin"),
        ("a\\b\\body.bin", "a\\har.har", "b/body.bin"), ("b/body.bin", "har.har", "b\\\\body.bin"),
        ("b\\body.bin", "har.har", "./b/body.bin"),
    ])
    func `paths can begin with a dot and contain backslashes`(member: String, archive: String, file: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        zip.add(member, Data("body".utf8))
        zip.add(archive, self.archive(bodyFile: file))
        #expect(try body(write(zip)) == Data("body".utf8))
    }

    @Test func `copied entries contain the bodies of the zip file`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        zip.add("body.bin", Data("body".utf8))
        zip.add("har.har", archive())
        let archive = try HARArchive(contentsOf: write(zip))
        for name in ["copy.har", "copy.zip", "merged.har"] {
            let url = folder.appendingPathComponent(name)
            let writer = try HARWriter(to: url)
            if name == "merged.har" {
                var merger = HARMerger()
                merger.add(archive)
                try merger.write(to: writer)
            } else {
                try writer.append(entryAt: 0, of: archive)
            }
            try writer.finish()
            let content = try HARArchive(contentsOf: url).entry(at: 0).response.content
            #expect(content.text == "body")
            #expect(content["_file"] == nil)
        }
        var broken = StoredZIP()
        broken.add("har.har", self.archive())
        let writer = try HARWriter(to: folder.appendingPathComponent("other.har"))
        try writer.append(entryAt: 0, of: HARArchive(contentsOf: write(broken, as: "b.zip")))
        try writer.finish()
        let other = try HARArchive(contentsOf: folder.appendingPathComponent("other.har"))
        #expect(try other.entry(at: 0).response.content["_file"] == "body.bin")
    }

    @Test func `names that leave the archive are refused, and no member is written to disk`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let secret = folder.appendingPathComponent("secret.txt")
        try Data("secret".utf8).write(to: secret)
        try Data("next to it".utf8).write(to: folder.appendingPathComponent("body.bin"))
        for name in ["../secret.txt", secret.path, "body.bin", "x/../../secret.txt", "..\\secret.txt", "missing"] {
            var zip = StoredZIP()
            zip.add("../evil.txt", Data("evil".utf8))
            zip.add("/\(folder.path)/evil.txt", Data("evil".utf8))
            zip.add("har.har", archive(bodyFile: name.replacingOccurrences(of: "\\", with: "\\\\")))
            let url = try write(zip)
            #expect(throws: HARError.self) { try body(url) }
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "a.zip", "body.bin", "secret.txt",
            ])
        #expect(!FileManager.default.fileExists(atPath: folder.deletingLastPathComponent().path + "/evil.txt"))
    }

    @Test func `symbolic links and folders are not body files`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for mode: UInt32 in [0o120777, 0o040755] {
            var zip = StoredZIP()
            zip.add("body.bin", Data("/etc/passwd".utf8), mode: mode)
            zip.add("har.har", archive())
            let url = try write(zip)
            #expect(throws: HARError.self) { try body(url) }
        }
    }

    @Test func `the path names one of several archives`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        for name in ["one.har", "ä/two.HAR", "three.json"] { zip.add(name, archive(url: "http://\(name)/")) }
        let url = try write(zip)
        #expect(message(url).contains("several archives: 'one.har', 'ä/two.HAR'. Add the name"))
        for name in ["one.har", "ä/two.HAR", "three.json"] {
            let member = URL(fileURLWithPath: "\(url.path):\(name)")
            #expect(try HARArchive(contentsOf: member).entry(at: 0).request.url == "http://\(name)/")
        }
        let missing = message(URL(fileURLWithPath: "\(url.path):four.har"))
        #expect(missing == "The zip file does not contain 'four.har'. It contains the archives 'one.har', 'ä/two.HAR'.")
    }

    @Test func `a file whose name contains a colon is not split`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        zip.add("one.har", archive())
        _ = try write(zip)
        let other = folder.appendingPathComponent("a.zip:one.har")
        try archive(url: "http://other/").write(to: other)
        #expect(try HARArchive(contentsOf: other).entry(at: 0).request.url == "http://other/")
    }

    @Test func `a name after a file that is not a zip file is an error`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("a.zip")
        try archive().write(to: url)
        #expect(message(URL(fileURLWithPath: url.path + ":x.har")).contains("is not a zip archive"))
    }

    @Test func `of several members with the same name, the last one is read`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        for number in 1...2 {
            zip.add("har.har", archive(url: "http://\(number)/"))
            zip.add("body.bin", Data("\(number)".utf8))
        }
        let url = try write(zip)
        for archive in [url, URL(fileURLWithPath: url.path + ":har.har")] {
            #expect(try HARArchive(contentsOf: archive).entry(at: 0).request.url == "http://2/")
        }
        #expect(try body(url) == Data("2".utf8))
    }

    @Test func `other data can precede the members`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        zip.add("body.bin", Data("body".utf8))
        zip.add("har.har", archive())
        let url = folder.appendingPathComponent("a.zip")
        for prefix in ["#!/bin/sh\n", "MZ\0\0"] {
            try (Data(prefix.utf8) + zip.data).write(to: url)
            #expect(try body(url) == Data("body".utf8))
            #expect(try HARArchive(contentsOf: URL(fileURLWithPath: url.path + ":har.har")).count == 1)
        }
        try Data("text".utf8).write(to: url)
        #expect(message(url).contains("zip data is damaged"))
    }

    @Test func `a file without the extension of zip needs it to name one of several archives`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        for name in ["one.har", "two.har"] { zip.add(name, archive()) }
        #expect(message(try write(zip, as: "a.har")).contains("Save it to a file whose name ends with '.zip'"))
    }

    @Test func `attributes that macOS adds are not archives`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        zip.add("__MACOSX/._har.har", Data("attributes".utf8))
        zip.add("har.har", archive())
        #expect(try HARArchive(contentsOf: write(zip)).count == 1)
    }

    @Test func `a zip file without an archive is an error`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        #expect(message(try write(zip)).contains("no file whose name ends with '.har'"))
        zip.add("readme.txt", Data("text".utf8))
        #expect(message(try write(zip)).contains("no file whose name ends with '.har'"))
        zip = StoredZIP()
        zip.add("har.har", archive(), isEncrypted: true)
        #expect(message(try write(zip)).contains("is encrypted"))
    }

    @Test func `the size of body files is limited, one by one and together`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var zip = StoredZIP()
        zip.add("har.har", archive())
        zip.add("body.bin", Data(count: 1_000_000))
        let url = try write(zip)
        let response = try HARArchive(contentsOf: url).entry(at: 0).response
        var limited = HAR.BodyFolder(ofArchive: url)
        limited.maximumFileSize = 999_999
        #expect(throws: HARError.self) { try response.bodyData(in: limited) }
        limited = HAR.BodyFolder(ofArchive: url)
        limited.maximumDecompressedSize = 999_999
        #expect(throws: HARError.self) { try response.bodyData(in: limited) }
        #expect(try response.bodyData(in: HAR.BodyFolder(ofArchive: url))?.count == 1_000_000)
        var reader = HARReader.Configuration()
        for limit in [\HARReader.Configuration.maximumValueSize, \.maximumDecompressedSize] {
            let unlimited = reader[keyPath: limit]
            reader[keyPath: limit] = 999_999
            let folder = try HARArchive(contentsOf: url, configuration: reader).bodyFolder
            #expect(throws: HARError.self) { try response.bodyData(in: folder) }
            reader[keyPath: limit] = unlimited
        }
    }
}
