import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct ImportTests {
    /// Imports sample recordings and returns the entries.
    ///
    /// Expects no output other than the report on standard error.
    private func entries(_ arguments: String..., in folder: TemporaryFolder) async throws -> [HAR.Entry] {
        let line = arguments.map { "'\($0)'" }.joined(separator: " ")
        let run = try await HarRun(shell: #""$HAR" import \#(line) out.har"#, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "")
        return try HAR.Log(contentsOf: folder.url.appendingPathComponent("out.har")).entries
    }

    @Test(arguments: [
        ("relay", "relay: 2 entries from 2 files"), ("vinyl", "vinyl: 2 entries from 1 file"),
        ("dvr", "dvr: 3 entries from 1 file"), ("resonancekit", "resonancekit: 3 entries from 1 file"),
        ("innernet-console", "innernet-console: 3 entries from 1 file"), ("vcr", "vcr: 3 entries from 2 files"),
        ("vcrpy", "vcrpy: 19 entries from 4 files"), ("polly", "polly: 2 entries from 1 file"),
        ("wiremock", "wiremock: 6 entries from 2 files"), ("replay", "replay: 1 entry from 1 file"),
        ("mitmproxy", "mitmproxy: 3 entries from 1 file"),
    ])
    func `har import detects the format and writes a replayable archive`(kind: String, report: String) async throws {
        let folder = try TemporaryFolder()
        let recording = SampleRecordings.path(kind)
        let imported = try await HarRun("import", recording, "out.har", in: folder)
        #expect(imported.status == 0)
        #expect(imported.errors.split(separator: "\n").first.map(String.init) == report)
        let named = try await HarRun("import", "--from", kind, recording, "named.har", in: folder)
        #expect(named.errors == imported.errors)
        #expect(try folder.read("named.har") == folder.read("out.har"))
        let checked = try await HarRun("check", "out.har", in: folder)
        let failures = kind == "wiremock" ? 1 : 0
        #expect(checked.output.contains("0 errors, 0 warnings, \(failures) note"))
        let replayed = try await HarRun("replay", "out.har", in: folder)
        #expect(replayed.status == 0)
        #expect(replayed.output.contains(" 0 different, \(failures) failed as recorded"))
    }

    @Test func `importing a file above the size limit fails, even if the file is endless`() async throws {
        let folder = try TemporaryFolder()
        for file in ["/dev/zero", "a.yml"] {
            try folder.write(Data(repeating: 0x20, count: 2_000_000), to: "a.yml")
            let run = try await HarRun("import", "--size-limit", "1MB", file, "b.har", in: folder)
            #expect(run.status == 1 && run.errors.contains("1000000 bytes") && run.errors.contains("--size-limit"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.yml"])
    }

    @Test(arguments: [
        ("vcr/shop.yml", "cat FILE | HAR import -"), ("vcr/shop.yml", "HAR import - < FILE"),
        ("dvr/json-example.json", "gzip -c FILE | HAR import -"),
        ("innernet-console/console.ndjson", "cat FILE | HAR import --from innernet-console -"),
    ])
    func `a recording on standard input is imported`(file: String, command: String) async throws {
        let folder = try TemporaryFolder()
        let path = SampleRecordings.path(file)
        let script = command.replacingOccurrences(of: "FILE", with: "'\(path)'")
            .replacingOccurrences(of: "HAR", with: "\"$HAR\"")
        let run = try await HarRun(shell: "\(script) piped.har", in: folder)
        let named = try await HarRun("import", path, "named.har", in: folder)
        #expect(run.status == 0 && run.errors == named.errors, "\(run.errors)")
        let piped = try HAR.Log(data: folder.read("piped.har")).entries
        let expected = try HAR.Log(data: folder.read("named.har")).entries
        #expect(!piped.isEmpty && piped.map(\.request) == expected.map(\.request))
        #expect(piped.map(\.response) == expected.map(\.response))
    }

    @Test func `a body file of a mapping on standard input is in the current folder`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("__files"), withIntermediateDirectories: false)
        try folder.write(Data("text".utf8), to: "__files/body.txt")
        let mapping = #"{"request":{"method":"GET","url":"/"},"response":{"status":200,"bodyFileName":"body.txt"}}"#
        let run = try await HarRun(shell: "echo '\(mapping)' | \"$HAR\" import - a.har", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try HAR.Log(data: folder.read("a.har")).entries.first?.response.content.text == "text")
    }

    @Test(arguments: [
        ("< .", "har: error: standard input: The file cannot be read: "),
        ("<&-", "har: error: standard input: The file cannot be read: "),
        ("< /dev/null", "har: error: standard input: The file is empty. "),
        ("< bad.json", "har: error: standard input:1:2 (byte 1): "),
        ("--size-limit 1B < bad.json", "har: error: standard input: The file is larger than 1 byte. "),
        ("--from resonancekit < mocks.json", "har: error: standard input: The name of a file of ResonanceKit is "),
    ])
    func `errors of standard input name it`(arguments: String, error: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("{!".utf8), to: "bad.json")
        try folder.write(Data("[]".utf8), to: "mocks.json")
        let run = try await HarRun(shell: "\"$HAR\" import - a.har \(arguments)", in: folder)
        #expect(run.status == 1 && run.errors.hasPrefix(error), "\(run.errors)")
    }

    @Test func `har import reports non-standard fields`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("import", SampleRecordings.path("dvr"), "out.har", in: folder)
        #expect(
            run.errors.contains(
                "non-standard fields: entry _cassette (3), entry _recorded_at (3), response _url (1)\n"))
    }

    @Test func `har import merges all formats, ordered by time`() async throws {
        let folder = try TemporaryFolder()
        let entries = try await entries(SampleRecordings.folder.path, in: folder)
        #expect(entries.count == 47)
        let dates = entries.compactMap(\.startedDate)
        #expect(dates == dates.sorted())
        let checked = try await HarRun("check", "out.har", in: folder)
        #expect(checked.output.contains("0 errors, 0 warnings, 1 note"))
    }

    @Test func `har import reads YAML types, bytes and charsets`() async throws {
        let folder = try TemporaryFolder()
        let vcr = try await entries(SampleRecordings.path("vcr/shop.yml"), in: folder)
        #expect(vcr.map(\.request.method) == ["GET", "POST"])
        #expect(vcr[0].response.bodyText == #"{"items":["Grüße"]}"#)
        #expect(vcr[0].response.cookies.map(\.name) == ["a", "b"])
        #expect(vcr[0].startedDateTime == "2011-11-01T04:58:44.000Z")
        #expect(vcr[1].response.body == .data(Data([0x47, 0x72, 0xFC, 0xDF, 0x65])))
        #expect(vcr[1].response["_adapter_metadata"]?["effective_url"] == "http://api.example.test/items")
    }

    @Test func `har import reads all formats of VCR.py`() async throws {
        let folder = try TemporaryFolder()
        let entries = try await entries(SampleRecordings.path("vcrpy"), in: folder)
        let bodies = Dictionary(
            entries.map { ($0.request.url, $0.response.body) }, uniquingKeysWith: { first, _ in first })
        let json = Data(#"{"items":[1,2,3],"name":"Grüße"}"#.utf8)
        #expect(bodies["http://api.example.test/gz"] == .data(json))
        #expect(bodies["http://api.example.test/gz?raw"] == .data(json))
        let deflated = Data(String(repeating: "deflated ", count: 10).utf8)
        #expect(bodies["http://api.example.test/deflate?raw"] == .data(deflated))
        #expect(bodies["http://api.example.test/bin"] == .data(Data(0...255)))
        #expect(bodies["https://api.example.test/httpx"] == .data(Data(#"{"client": "httpx"}"#.utf8)))
        #expect(bodies["http://api.example.test:8080/old?a=1"] == .data(Data("hello".utf8)))
        let upload = try #require(entries.first { $0.request.url.hasSuffix("/upload") })
        #expect(upload.request.body == .data(Data([0, 0xFF, 1])))
    }

    @Test func `the base URL applies to requests without a host`() async throws {
        let folder = try TemporaryFolder()
        let mocks = SampleRecordings.path("resonancekit")
        let entries = try await entries("--base-url", "https://swapi.dev/v1", mocks, in: folder)
        #expect(entries.last?.request.url == "https://swapi.dev/v1/api/people")
    }

    @Test func `importing to an existing file fails`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("mine".utf8), to: "out.har")
        let run = try await HarRun("import", SampleRecordings.path("vinyl"), "out.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("the file already exists;"))
        #expect(try folder.read("out.har") == Data("mine".utf8))
    }

    @Test func `the error for mitmproxy's native format explains how to convert it`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("import", SampleRecordings.path("../flows"), "out.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("mitmdump -nr FLOWS --set hardump=OUTPUT.har"))
    }

    @Test(arguments: [
        ("a.json", #"{"a": 1}"#, "a.json: unknown format; use --from"),
        ("a.har", #"{"log": {"entries": []}}"#, "a.har: expected a recording made by another tool, found an archive"),
        ("a.json", #"[{"request": "#, "a.json:1:14 (byte 13): The JSON is invalid"),
        ("a.yml", "a: [1\nb: 2", "a.yml:2:2: invalid YAML"),
        ("a.yml", "a: 1\na: 2", "a.yml:1:1: invalid YAML: duplicate key \"a\" in a mapping"),
        (
            "a.yml", "http_interactions:\n- request: {uri: 'http://a.test'}",
            "a.yml: /http_interactions/0/response: The member 'response' is missing."
        ),
    ])
    func `importing an invalid file fails with a location`(name: String, text: String, message: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(text.utf8), to: name)
        let run = try await HarRun("import", name, "out.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: \(message)"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("out.har").path))
    }

    @Test func `an error names the detected format if it differs from the given one`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun(
            "import", "--from", "vcr", SampleRecordings.path("vinyl/vinyl_single.json"), "out.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasSuffix("The file looks like vinyl, not vcr. [malformedRecording]\n"))
    }

    @Test func `har import reports other files in a folder`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            at: SampleRecordings.folder.appendingPathComponent("vinyl"), to: folder.url.appendingPathComponent("all"))
        try folder.write(Data("{}".utf8), to: "all/package.json")
        try folder.write(Data("text".utf8), to: "all/README.md")
        try folder.write(Data("text".utf8), to: "all/.hidden")
        let run = try await HarRun("import", "all", "out.har", in: folder)
        #expect(run.status == 0)
        #expect(
            run.errors == "vinyl: 2 entries from 1 file\nskipped, unknown format: all/package.json\n"
                + "skipped, unknown extension: 1 file\n")
    }

    @Test func `importing a folder without recordings fails`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("import", ".", "out.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("no recordings in the folder"))
    }

    @Test(arguments: ["vinyl_single.json.gz", "vinyl_single.gz", "shop.yml.gz"])
    func `har import reads compressed files`(name: String) async throws {
        let folder = try TemporaryFolder()
        let source = name.hasPrefix("shop") ? "vcr/shop.yml" : "vinyl/vinyl_single.json"
        try folder.write(Data(contentsOf: URL(fileURLWithPath: SampleRecordings.path(source))), to: "recording")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("all"), withIntermediateDirectories: true)
        try CompressedRecording.write(folder.read("recording"), to: folder.url.appendingPathComponent("all/\(name)"))
        for input in ["all/\(name)", "all"] {
            let run = try await HarRun("import", input, "-", in: folder)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try HAR.Log(data: run.data).entries.count == 2)
        }
    }

    @Test(arguments: ["a.json", "a.yml", "a", "a.json.gz"])
    func `an empty file is an error`(name: String) async throws {
        let folder = try TemporaryFolder()
        try CompressedRecording.write(Data(" \n".utf8), to: folder.url.appendingPathComponent(name))
        let run = try await HarRun("import", name, "out.har", in: folder)
        #expect(run.status == 1)
        #expect(
            run.errors == "har: error: \(name): The file is empty. Save the recording again. [malformedJSON]\n")
    }
}

/// A file that is compressed if its name requests it.
enum CompressedRecording {
    /// Writes a file.
    static func write(_ content: Data, to url: URL) throws {
        var settings = OutputFile.Settings()
        settings.compression = .byName
        let file = try OutputFile(url: url, settings: settings)
        try file.write(Array(content))
        try file.finish()
    }
}
