import ErrorCatalog
import Foundation
import Testing

@testable import HTTPArchive

/// The error messages of this module.
///
/// Each example triggers the actual error.
@Suite(.limited) struct ErrorCatalogTests {
    @Test func `the messages of all errors are listed in the catalog`() throws {
        let folder = try TemporaryFolder()
        var catalog = ErrorCatalog(replacing: [folder.url.path: "FOLDER"])
        catalog.addBrokenJSON()
        catalog.addForeignFiles()
        catalog.addLimits(in: folder)
        try catalog.addArchives(in: folder)
        try catalog.addBodyFiles(in: folder)
        try catalog.addOutput(in: folder)
        try catalog.addWriters(in: folder)
        try catalog.addIndexes(in: folder)
        try catalog.addRepairs(in: folder)
        catalog.addEdits()
        try catalog.addSettings(in: folder)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("errors.txt")
        if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
        // RelayTests and RecordingFormatsTests have examples of the remaining codes.
        let others = ["bodyNotCaptured", "entryNotReplayable", "incompleteRecording", "malformedRecording"]
        #expect(catalog.codes.union(others) == Set(HARError.Code.all.map(\.description)))
    }
}

extension ErrorCatalog {
    /// Adds the error from reading text as an archive.
    private mutating func add(_ title: String, text: String) {
        add(title) { try HAR.Log(data: Data(text.utf8)) }
    }

    fileprivate mutating func addBrokenJSON() {
        add("a missing comma between entries", text: #"{"log":{"entries":[{"time":1} {"time":2}]}}"#)
        add("a missing comma in an entry", text: "{\"log\":{\"entries\":[\n  {\"time\":1 \"request\":{}}]}}")
        add("a missing comma in the log", text: #"{"log":{"version":"1.2" "entries":[]}}"#)
        add("a missing colon after a standard name", text: #"{"log":{"entries":[{"method" "GET"}]}}"#)
        add("a missing colon after a custom name", text: #"{"log":{"entries":[{"secret" "GET"}]}}"#)
        add("a missing value", text: #"{"log":{"entries":[{"time":}]}}"#)
        add("a missing value after a comma", text: #"{"log":{"entries":[{"cookies":[1,,2]}]}}"#)
        add("a missing first value", text: #"{"log":{"entries":[{"cookies":[,2]}]}}"#)
        add("a trailing comma in an object", text: #"{"log":{"entries":[{"time":1,}]}}"#)
        add("a trailing comma in the entries", text: #"{"log":{"entries":[{"time":1},]}}"#)
        add("a name without quotation marks", text: #"{"log":{"entries":[{time:1}]}}"#)
        add("a literal that is not JSON", text: #"{"log":{"entries":[{"time":None}]}}"#)
        add("a number with a leading zero", text: #"{"log":{"entries":[{"time":01}]}}"#)
        add("a byte that is not printable", text: #"{"log":{"entries":[{"time":"# + "\u{7}" + "1}]}}")
        add("an invalid escape sequence", text: #"{"log":{"entries":[{"url":"C:\Users"}]}}"#)
        add("an invalid Unicode escape sequence", text: #"{"log":{"entries":[{"url":"\u12"}]}}"#)
        add("a control character in a string", text: "{\"log\":{\"entries\":[{\"url\":\"a\nb\"}]}}")
        add("an unterminated string", text: #"{"log":{"entries":[{"url":"http"#)
        add("a truncated entry", text: #"{"log":{"entries":[{"url":"http://a/""#)
        add("an archive truncated after an entry", text: #"{"log":{"entries":[{}"#)
        add("text after the archive", text: #"{"log":{"entries":[]}} {"#)
        add("text that is neither JSON nor a known format", text: "hello")
        add("an empty JSON value") { try JSONValue(parsing: Data()) }
        add("a JSON value of only whitespace") { try JSONValue(parsing: Data("  ".utf8)) }
    }

    fileprivate mutating func addForeignFiles() {
        for input in ForeignInput.all where input.testDescription != "a truncated array" {
            // The decoder does not decompress, even if other tests in the same process have enabled more formats.
            add(input.testDescription) {
                let decoder = HARDecoder(limits: .init(), file: nil)
                input.bytes.withUnsafeBytes { decoder.feed($0) }
                decoder.finish()
                while try decoder.next() != nil {}
            }
        }
        add("a misspelled name of the entries", text: #"{"log":{"version":"1.2","entires":[{"request":{}}]}}"#)
        add("missing entries", text: #"{"log":{"version":"1.2"}}"#)
        add("entries that are null", text: #"{"log":{"version":"1.2","entries":null}}"#)
    }

    fileprivate mutating func addLimits(in folder: TemporaryFolder) {
        var configuration = HARReader.Configuration()
        configuration.maximumValueSize = 40
        configuration.maximumFieldCount = 2
        configuration.maximumEntryCount = 1
        configuration.maximumDepth = 6
        func read(_ text: String) throws -> HAR.Log { try HAR.Log(data: Data(text.utf8), configuration: configuration) }
        add("an entry that is too large") {
            try read(#"{"log":{"entries":[{"comment":"0123456789 0123456789 0123456789"}]}}"#)
        }
        add("too many fields") { try read(#"{"log":{"a":1,"b":2,"c":3,"entries":[]}}"#) }
        add("too many entries") { try read(#"{"log":{"entries":[{},{}]}}"#) }
        add("too many levels") { try read(#"{"log":{"entries":[{"a":[[[1]]]}]}}"#) }
        add("a number that is too long") {
            try HAR.Log(data: Data((#"{"log":{"entries":[{"time":"# + String(repeating: "1", count: 1 << 22)).utf8))
        }
        add("decompressed data that is too large") {
            let data = Deflate.deflated([UInt8](repeating: 0, count: 1000), .zlib) ?? []
            return try Deflate.inflated(data[...], .zlib, sizeLimit: 100)
        }
        add("a body file that is too large") {
            _ = try folder.file("large.bin", holding: "0123456789")
            var bodies = HAR.BodyFolder(folder.url)
            bodies.maximumFileSize = 5
            return try bodies.read("large.bin")
        }
    }
}

extension ErrorCatalog {
    fileprivate mutating func addEdits() {
        let text = Data(#"{"items":[{"price":1}],"name":"x"}"#.utf8)
        func edit(_ body: (inout JSONEditor) throws -> Void) throws {
            var editor = try JSONEditor(text)
            try body(&editor)
        }
        func apply(_ patch: String) throws { try edit { try $0.apply(JSONPatch(parsing: patch)) } }
        add("a member that does not exist") { try edit { try $0.remove(at: "/price") } }
        add("a member of a string") { try edit { try $0.set(1, at: "/name/first") } }
        add("a member in a missing object") { try edit { try $0.set(1, at: "/items/0/discount/percent") } }
        add("an element beyond the end") { try edit { try $0.remove(at: "/items/4/price") } }
        add("a removal of the document") { try edit { try $0.remove(at: "") } }
        add("a document that becomes too deep") {
            let deep = (0..<600).reduce(JSONValue.null) { value, _ in .array([value]) }
            return try edit { try $0.set(deep, at: "/name") }
        }
        add("a patch whose test fails") { try apply(#"[{"op":"test","path":"/name","value":"y"}]"#) }
        add("a patch for a missing value") { try apply(#"[{"op":"replace","path":"/title","value":"y"}]"#) }
        for (title, patch) in [
            ("a patch that is not JSON", "[{]"), ("a patch that is an object", "{}"), ("an operation", "[1]"),
            ("an operation without an op", #"[{"path":"/a"}]"#), ("an op that is not a string", #"[{"op":1}]"#),
            ("an unknown op", #"[{"op":"put","path":"/a"}]"#), ("a missing path", #"[{"op":"remove"}]"#),
            ("two paths", #"[{"op":"remove","path":"/a","path":"/b"}]"#),
            ("a path that is not a string", #"[{"op":"remove","path":1}]"#),
            ("a path that is not a pointer", #"[{"op":"remove","path":"a"}]"#),
            ("a missing value", #"[{"op":"add","path":"/a"}]"#),
            ("a move into itself", #"[{"op":"move","from":"/a","path":"/a/b"}]"#),
        ] { add(title) { try JSONPatch(parsing: patch) } }
    }

    fileprivate mutating func addSettings(in folder: TemporaryFolder) throws {
        add("a redaction key that is too short") { try UserKey.bytes(environment: [UserKey.variable: "short"]) }
        let file = try folder.file("plain", holding: "")
        add("a redaction key that cannot be stored") {
            try UserKey.bytes(keptIn: file.appendingPathComponent("relay/redaction.key"))
        }
        var configuration = HARRedactor.Configuration()
        configuration.patterns = ["[0-9]{4}", "(["]
        add("a pattern for secrets") { [configuration] in try HARRedactor(configuration) }
    }
}
