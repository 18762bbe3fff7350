import ErrorCatalog
import Foundation
import HTTPArchive
import TestSupport
import Testing

@testable import har

/// Tests of the tool's messages on standard error.
@Suite(.limited) struct ErrorCatalogTests {
    @Test(.enabled(if: Cases.areAll)) func `the catalog lists the messages of all commands`() async throws {
        let folder = try TemporaryFolder()
        try Self.writeFiles(in: folder)
        var catalog = ErrorCatalog()
        let errors = try await Self.errors(of: ErrorExamples.all, in: folder)
        for (line, text) in zip(ErrorExamples.all, errors) { catalog.add(line, text) }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("errors.txt")
        if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
    }

    /// Runs command lines, one after another because some lock the same file, and returns their output on standard
    /// error without the usage.
    private static func errors(of lines: [String], in folder: TemporaryFolder) async throws -> [String] {
        var errors: [String] = []
        for line in lines { errors.append(try await error(of: line, in: folder)) }
        return errors
    }

    private static func error(of line: String, in folder: TemporaryFolder) async throws -> String {
        let script = "har() { \"$HAR\" \"$@\"; }; \(line)"
        let errors = try await HarRun(shell: script, in: folder).errors
        let message = errors.firstRange(of: "\nUsage: har").map { errors[..<$0.lowerBound] } ?? errors[...]
        return String(message)
    }

    private static func writeFiles(in folder: TemporaryFolder) throws {
        try folder.write(.shop, to: "shop.har")
        try folder.write(.sample(), to: "empty.har")
        var controls = HAR.Entry.sample("GET", "https://shop.test/", body: "\u{1B}[2J")
        controls.response.content["_file"] = nil
        try folder.write(.sample(controls), to: "controls.har")
        var bodies = HAR.Log.sample()
        for name in ["missing.txt", "../secret.txt", "form.txt"] {
            var entry = HAR.Entry.sample(
                "POST", "https://shop.test/", body: nil, type: "application/x-www-form-urlencoded")
            entry.response.content["_file"] = .string(JSONString(name))
            bodies.entries.append(entry)
        }
        var binary = HAR.Entry.sample("GET", "https://shop.test/", body: "AAEC/v8ACcg=", type: "application/x-protobuf")
        binary.response.content.encoding = "base64"
        bodies.entries.append(binary)
        try folder.write(bodies, to: "bodies.har")
        let texts = [
            "form.txt": "password=Zq7pl4nt3d", "text.txt": "hello", "shop.json": #"{"unknown":1}"#,
            "broken.har": "{\"log\":{\"entries\":[\n{\"request\":{}},\n{\"request\":{]},\n{\"request\":{}}]}}",
            "truncated.har": "{\"log\":{\"entries\":[\n{\"request\":{}},\n{\"requ",
            "page.html": "<html></html>", "head.har": #"{"log":{"version":1.2.3 4,"entries":[]}}"#,
            "broken.har.broken.txt": "", "notes.txt": "Notes", "broken.json": #"{"a":}"#,
            "tab.yml": "a: 1\n\tb: 2\n", "twice.yml": "a: 1\na: 2\n", "alias.yml": "a: *b\n", "open.yml": "a: [1\n",
            "deep.yml": String(repeating: "[", count: 300), "vinyl.json": #"[{"request":{},"response":{}}]"#,
            "empty.txt": "",
        ]
        for (name, text) in texts { try folder.write(Data(text.utf8), to: name) }
        try folder.write(Data([0x61, 0x3A, 0xFF]), to: "latin.yml")
        for name in ["folder", "pictures", "parts"] {
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent(name), withIntermediateDirectories: false)
        }
        try folder.write(Data(), to: "pictures/a.png")
        try folder.write(Data(), to: "parts/shop.test.har")
    }
}
