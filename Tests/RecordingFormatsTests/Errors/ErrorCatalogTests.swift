import ErrorCatalog
import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import Testing

/// The error messages of this module.
///
/// Each example triggers the actual error.
@Suite(.limited) struct ErrorCatalogTests {
    @Test func `the messages of all formats are listed in the catalog`() throws {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("relay-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var catalog = ErrorCatalog(replacing: [folder.path: "FOLDER"])
        try catalog.addFiles(in: folder)
        catalog.addValues()
        catalog.addFormats()
        try catalog.addMappings(in: folder)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("errors.txt")
        if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
    }
}

extension ErrorCatalog {
    private mutating func add(_ title: String, _ text: String, as format: any RecordingFormat.Type) {
        add(title) { try format.entries(of: RecordingFile(text)) }
    }

    fileprivate mutating func addFiles(in folder: URL) throws {
        add("a missing file") { try RecordingFile(contentsOf: folder.appendingPathComponent("missing.json")) }
        add("a folder") { try RecordingFile(contentsOf: folder) }
        let large = folder.appendingPathComponent("large.json")
        try Data("{\"a\":1}".utf8).write(to: large)
        add("a file that is too large") { try RecordingFile(contentsOf: large, sizeLimit: 3) }
        add("invalid JSON", "{\"a\":}", as: VCRCassette.self)
        add("invalid JSON in a line", "{\"a\":1}\n{\"a\":}\n", as: InnernetConsole.self)
        add("an empty file", "", as: VCRCassette.self)
        add("flows in the native format of mitmproxy", "1:a,0:]", as: MitmproxyFlows.self)
    }

    fileprivate mutating func addValues() {
        let exchange = { (request: String, response: String) in
            #"{"http_interactions":[{"request":{"method":"get","uri":"http://a/"\#(request)},"#
                + #""response":{"status":{"code":200,"message":"OK"}\#(response)},"recorded_at":"2026-01-01T00:00:00Z"}]}"#
        }
        for (title, text) in [
            ("an array instead of an object", "[]"), ("a missing member", "{}"),
            ("an object instead of an array", #"{"http_interactions":{}}"#),
            ("an exchange without a request", #"{"http_interactions":[{}]}"#),
            ("a number instead of a string", exchange(#","method":7"#, "")),
            ("a header field that is a number", exchange(#","headers":{"a":[{}]}"#, "")),
            ("invalid Base64", exchange("", #","body":{"encoding":"UTF-8","base64_string":"?"}"#)),
        ] { add(title, text, as: VCRCassette.self) }
        add(
            "a date that is invalid",
            exchange("", "").replacing("2026-01-01T00:00:00Z", with: "yesterday"), as: VCRCassette.self)
        add(
            "a status that is a string", exchange("", "").replacing("\"code\":200", with: "\"code\":\"OK\""),
            as: VCRCassette.self)
        add(
            "a status that is out of range", exchange("", "").replacing("\"code\":200", with: "\"code\":99"),
            as: VCRCassette.self)
    }

    fileprivate mutating func addFormats() {
        add("a recording without a URL", #"[{"request":{},"response":{"status":200}}]"#, as: VinylRecording.self)
        add(
            "a recording without a status", #"[{"request":{"url":"http://a/"},"response":{}}]"#,
            as: VinylRecording.self)
        add(
            "a time that is a string",
            #"{"name":"a","interactions":[{"recorded_at":"now","request":{"url":"http://a/"},"response":{"status":200}}]}"#,
            as: DVRCassette.self)
        let cassette = { (request: String) in
            #"{"version":1,"interactions":[{"request":{"method":"GET"\#(request)},"response":{"status":{"code":200}}}]}"#
        }
        add("a request without a URL", cassette(""), as: VCRPyCassette.self)
        add(
            "a header line without a colon", cassette(#","uri":"http://a/","headers":["Accept"]"#),
            as: VCRPyCassette.self)
        add(
            "a header field with three elements", cassette(#","uri":"http://a/","headers":[["a","b","c"]]"#),
            as: VCRPyCassette.self)
        add("an archive without entries", #"{"log":{}}"#, as: PollyRecording.self)
        add(
            "an entry with an invalid date",
            #"{"log":{"entries":[{"startedDateTime":"now","request":{"method":"GET","url":"http://a/"},"response":{"status":200}}]}}"#,
            as: PollyRecording.self)
        add("a mock that is a string", #""a""#, as: ResonanceKitMocks.self)
        add("a console log that is an array", "[1]", as: InnernetConsole.self)
        add("a recording of Relay that is an array", "[1]", as: RelayFolder.self)
        add("a recording of Replay that is an array", "[1]", as: ReplayArchive.self)
    }

    fileprivate mutating func addMappings(in folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("mappings"), withIntermediateDirectories: false)
        for (title, name) in [("a missing body file", "a.json"), ("a body file outside its folder", "../../a.json")] {
            let text = #"{"request":{"url":"/"},"response":{"status":200,"bodyFileName":"\#(name)"}}"#
            let path = folder.appendingPathComponent("mappings/a.json").path
            add(title) { try WireMockMappings.entries(of: RecordingFile(text, at: path)) }
        }
        add("a mapping without a response", #"{"request":{"url":"/"}}"#, as: WireMockMappings.self)
        add(
            "Base64 with an invalid bit", #"{"request":{"url":"/"},"response":{"status":200,"base64Body":"?"}}"#,
            as: WireMockMappings.self)
    }
}
