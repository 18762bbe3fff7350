import ArchiveChecking
import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct BodyFilesTests {
    private let archives: TemporaryArchives

    init() throws { archives = try TemporaryArchives() }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: archives.folder.path).sorted() }
    }

    private var attaching: RecordingConfiguration {
        var settings = RecordingConfiguration()
        settings.bodies = .attach
        return settings
    }

    private func exchange(_ body: Data, type: String = "text/plain") -> CapturedExchange {
        .exchange(fields: ["Content-Type": type], received: body)
    }

    @Test func `a body is stored in a file named by its hash, and equal bodies share the file`() throws {
        let first = try exchange(Data("abc".utf8)).entry(attaching, in: archives.folder)
        let second = try exchange(Data("abc".utf8)).entry(attaching, in: archives.folder)
        let name = "a9993e364706816aba3e25717850c26c9cd0d89d.txt"
        #expect(try names == [name])
        #expect(first == second)
        #expect(first.response.content["_file"]?.text == name)
        #expect(first.response.content.text == nil)
        #expect(first.response.content.size == 3)
        #expect(try Data(contentsOf: archives.folder.appendingPathComponent(name)) == Data("abc".utf8))
        let findings = try first.findings()
        #expect(findings.map(\.rule.description) == ["body-in-file"])
    }

    @Test func `a truncated body file is rewritten`() throws {
        let file = archives.folder.appendingPathComponent("a9993e364706816aba3e25717850c26c9cd0d89d.txt")
        try Data("a".utf8).write(to: file)
        _ = try exchange(Data("abc".utf8)).entry(attaching, in: archives.folder)
        #expect(try Data(contentsOf: file) == Data("abc".utf8))
    }

    @Test(arguments: [
        ([0xC3, 0xA9], "text/html; charset=latin1"), ([0xC3, 0x83, 0xC2, 0xA9], "text/plain"), ([0xE4], "text/plain"),
        ([0xEF, 0xBB, 0xBF, 0x41], "text/plain; charset=utf-16"), ([0x00], "image/png"),
    ])
    func `arbitrary bytes survive the round trip through a file`(bytes: [UInt8], type: String) throws {
        let entry = try exchange(Data(bytes), type: type).entry(attaching, in: archives.folder)
        #expect(try entry.response.bodyData(besideArchiveIn: archives.folder) == Data(bytes))
    }

    @Test func `an archive with body files is replayed`() throws {
        let entry = try exchange(Data("in a file".utf8)).entry(attaching, in: archives.folder)
        let url = archives.folder.appendingPathComponent("a.har")
        try HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: [entry]).write(to: url)
        #expect(try Interceptor(archive: url).text("GET", "http://a.example/") == "in a file")
    }

    @Test func `a body that is too large to embed is stored in a file even if other bodies are embedded`() throws {
        var settings = RecordingConfiguration()
        settings.largestEmbeddedBody = 3
        #expect(try exchange(Data("abc".utf8)).entry(settings, in: archives.folder).response.content.text == "abc")
        #expect(try names == [])
        let sent = CapturedExchange.exchange("POST", sent: Data("sent".utf8), received: Data("received".utf8))
        let entry = try sent.entry(settings, in: archives.folder)
        #expect(try names.count == 2)
        #expect(try entry.response.bodyData(besideArchiveIn: archives.folder) == Data("received".utf8))
        #expect(try entry.request.bodyData(besideArchiveIn: archives.folder) == Data("sent".utf8))
    }

    @Test func `an empty body is not stored in a file`() throws {
        let entry = try exchange(Data()).entry(attaching, in: archives.folder)
        #expect(try names == [])
        #expect(entry.response.body == .data(Data()))
    }

    @Test func `secrets in body files are redacted`() throws {
        var secrets = HARRedactor.Configuration.none
        secrets.patterns = ["secret"]
        let maker = EntryBuilder(settings: attaching, folder: archives.folder, redactor: try HARRedactor(secrets))
        let entry = try maker.entry(for: exchange(Data("a secret".utf8)), page: nil)
        let body = try #require(try entry.response.bodyData(besideArchiveIn: archives.folder))
        #expect(String(decoding: body, as: UTF8.self).hasPrefix("a REDACTED-"))
        #expect(try names.count == 1)
    }

    @Test func `storing a body in a folder that cannot be written to fails`() throws {
        let folder = archives.folder.appendingPathComponent("none")
        let error = #expect(throws: HARError.self) { try exchange(Data("abc".utf8)).entry(attaching, in: folder) }
        #expect(error?.code == .unwritableFile)
        #expect(error?.context.file?.hasPrefix(folder.path) == true)
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", "html"), ("application/problem+json", "json"), ("application/atom+xml", "xml"),
        ("image/svg+xml", "svg"), ("application/vnd.unknown", "dat"), ("odd", "dat"),
    ])
    func `the file extension corresponds to the content type`(type: String, fileExtension: String) {
        #expect(BodyFiles.fileExtension(of: MediaType(type)) == fileExtension)
    }

    @Test func `a large body is stored in a file unchanged`() throws {
        var body = SpooledBody()
        let piece = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        for _ in 0..<8 { try body.append(piece) }
        var exchange = exchange(Data(), type: "application/octet-stream")
        exchange.body = body
        var settings = RecordingConfiguration()
        settings.largestEmbeddedBody = 1 << 20
        let entry = try exchange.entry(settings, in: archives.folder)
        #expect(entry.response.content.size == 8 << 20)
        let read = try #require(try entry.response.bodyData(besideArchiveIn: archives.folder))
        #expect(read.count == 8 << 20)
        #expect(read.suffix(1 << 20) == piece)
    }
}
