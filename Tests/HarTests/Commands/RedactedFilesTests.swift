import Foundation
import HTTPArchive
import Testing

/// Tests of body files that are redacted with their entries: secrets, digests and file names.
@Suite(.limited) struct RedactedFilesTests {
    private static let secret = "Zq7pl4nt3dZq7"

    /// Redacts an archive into another folder.
    ///
    /// - Returns: The redacted entries, and the contents of the files that they refer to.
    private func redact(
        _ entries: [HAR.Entry], files: [String: Data]
    ) async throws -> (entries: [HAR.Entry], bodies: [Data], run: HarRun) {
        let folder = try TemporaryFolder()
        let output = folder.url.appendingPathComponent("out")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: false)
        for (name, body) in files { try folder.write(body, to: name) }
        var log = HAR.Log.sample()
        log.entries = entries
        try folder.write(log, to: "a.har")
        let run = try await HarRun("redact", "a.har", "out/b.har", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let redacted = try HAR.Log(contentsOf: output.appendingPathComponent("b.har")).entries
        let bodies = redacted.map { entry in
            let name = entry.response.content["_file"]?.text ?? ""
            return (try? Data(contentsOf: output.appendingPathComponent(name))) ?? Data()
        }
        let text = try Data(contentsOf: output.appendingPathComponent("b.har"))
        let names = try FileManager.default.subpathsOfDirectory(atPath: output.path).joined(separator: "\n")
        for part in [String(decoding: text, as: UTF8.self), names, run.output + run.errors] {
            #expect(!part.contains(Self.secret))
        }
        #expect(try await HarRun("check", "--secrets", "out/b.har", in: folder).status == 0)
        return (redacted, bodies, run)
    }

    private static func entry(_ file: String, type: String = "text/plain", token: String? = nil) -> HAR.Entry {
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: nil, type: type)
        entry.response.content["_file"] = .string(JSONString(file))
        if let token { entry.request.headers = [HAR.Header(name: "Authorization", value: "Bearer \(token)")] }
        return entry
    }

    @Test func `a body file is searched for the secrets of its entry`() async throws {
        let body = Data("<p>Welcome back, \(Self.secret)</p>".utf8)
        let entries = [
            Self.entry("page.html", type: "text/html", token: Self.secret), Self.entry("other.html", type: "text/html"),
        ]
        let result = try await redact(entries, files: ["page.html": body, "other.html": body])
        #expect(String(decoding: result.bodies[0], as: UTF8.self).hasPrefix("<p>Welcome back, REDACTED-"))
        #expect(result.bodies[1] == body)
        #expect(result.run.errors == "2 secrets (header field: 1, repeated secret: 1)\n")
    }

    @Test func `har check --secrets names the body files that contain secrets of their entries`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("Welcome back, \(Self.secret)".utf8), to: "page.txt")
        try folder.write(.sample(Self.entry("page.txt", token: Self.secret)), to: "a.har")
        let run = try await HarRun("check", "--secrets", "a.har", in: folder)
        #expect(run.output.contains("Found a secret (repeated secret); `har redact` replaces it."))
        #expect(run.output.contains("at /log/entries/0/response/content/_file"))
    }

    @Test func `a shared body file is searched for the secrets of all its entries`() async throws {
        let body = Data("one \(Self.secret)1 two \(Self.secret)2 three".utf8)
        let tokens = [Self.secret + "1", Self.secret + "2", nil]
        let types = ["text/plain", "text/html", "text/plain"]
        let entries = zip(types, tokens).map { Self.entry("a.txt", type: $0, token: $1) }
        let result = try await redact(entries, files: ["a.txt": body])
        for body in result.bodies { #expect(!String(decoding: body, as: UTF8.self).contains(Self.secret)) }
        #expect(Set(result.bodies).count == 1)
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `a file name does not contain the digest of a body with secrets`(algorithm: HashAlgorithm) async throws {
        let body = Data("{\"token\":\"\(Self.secret)\"}".utf8)
        let digest = Hexadecimal.text(algorithm.hash(of: body))
        let plain = Data("{}".utf8)
        let same = Hexadecimal.text(algorithm.hash(of: plain)) + ".json"
        let files = ["body-\(digest).json": body, same: plain]
        let entries = files.keys.sorted { $0 < $1 }.map { Self.entry($0, type: "application/json") }
        let result = try await redact(entries, files: files)
        for (entry, body) in zip(result.entries, result.bodies) {
            let name = entry.response.content["_file"]?.text ?? ""
            #expect(!name.contains(digest))
            #expect(name.contains(Hexadecimal.text(algorithm.hash(of: body))), "\(name)")
        }
    }

    @Test func `a secret in a file name is replaced`() async throws {
        let name = "body-token=\(Self.secret).json"
        let result = try await redact([Self.entry(name)], files: [name: Data("x".utf8)])
        let new = result.entries[0].response.content["_file"]?.text ?? ""
        #expect(new.hasPrefix("body-token=REDACTED-"))
        #expect(result.bodies == [Data("x".utf8)])
    }

    @Test func `digests in header fields are replaced if the body file has secrets`() async throws {
        let body = Data("{\"token\":\"\(Self.secret)\"}".utf8)
        let digest = Data(HashAlgorithm.sha256.hash(of: body)).base64EncodedString()
        let etag = "W/\"\(Hexadecimal.text(HashAlgorithm.md5.hash(of: body)))\""
        let headers = [
            HAR.Header(name: "Repr-Digest", value: "sha-256=:\(digest):"), HAR.Header(name: "ETag", value: etag),
        ]
        let files = ["a.json": body, "b.json": Data("{\"color\":\"red\"}".utf8)]
        let entries = files.keys.sorted().map { name in
            var entry = Self.entry(name, type: "application/json")
            entry.response.headers = headers
            return entry
        }
        let result = try await redact(entries, files: files)
        let values = result.entries[0].response.headers.map(\.value)
        #expect(values.allSatisfy { $0.contains("REDACTED-") }, "\(values)")
        #expect(values[1].hasPrefix("W/\""))
        #expect(result.entries[1].response.headers == headers)
    }

    @Test func `bodies that cannot be searched are counted by format`() async throws {
        let data = Data([0, 1, 2, 3, 0xFE, 0xFF, 0, 9, 200, 100])
        var inline = HAR.Entry.sample(
            "GET", "https://a.test/", body: data.base64EncodedString(), type: "application/x-protobuf")
        inline.response.content.encoding = "base64"
        var compressed = Self.entry("c.html", type: "text/html")
        compressed.response.headers = [HAR.Header(name: "Content-Encoding", value: "br")]
        let entries = [
            Self.entry("plain.txt"), inline, Self.entry("a.bin", type: "application/x-protobuf"), compressed,
            Self.entry("a.png", type: "image/png"),
        ]
        let files = ["plain.txt": Data("x".utf8), "a.bin": data, "c.html": data, "a.png": data]
        let run = try await redact(entries, files: files).run
        #expect(
            run.errors.contains("application/x-protobuf: 2 bodies (first in entry 1) cannot be searched for secrets"))
        #expect(run.errors.contains("br: 1 body (first in entry 3) cannot be searched for secrets"))
        #expect(!run.errors.contains("image/png"))
    }
}
