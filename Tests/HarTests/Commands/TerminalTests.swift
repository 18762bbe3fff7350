import Foundation
import HTTPArchive
import Testing

/// Tests that control characters from archives, file names and options do not reach a terminal.
@Suite(.limited) struct TerminalTests {
    /// A color escape sequence, an 8-bit control character, DEL, a change of text direction, CR and BEL.
    private static let hostile = "a\u{1B}[31mb\u{9B}31mc\u{7F}d\u{202E}e\r\u{7}"

    private static func controls(in text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            [.control, .format].contains(scalar.properties.generalCategory) && scalar != "\n" && scalar != "\t"
        }.map { "U+" + String($0.value, radix: 16) }
    }

    /// An archive with the hostile text in keys, names and values.
    private static var archive: Data {
        get throws {
            let text = hostile
            var entry = HAR.Entry.sample(
                "G\(text)", "https://a.test/\(text)?\(text)=\(text)", status: 0,
                headers: [HAR.Header(name: text, value: text)], body: text, type: "text/\(text)")
            entry.response.statusText = text
            entry.response["_error"] = .string(JSONString("net::\(text)"))
            entry.comment = text
            entry[text] = .string(JSONString(text))
            entry.response.content["_file"] = .string(JSONString("\(text).txt"))
            var log = HAR.Log.sample(entry, .sample("GET", "ws\(text)://a.test/", body: nil))
            log.creator = HAR.Creator(name: text, version: text)
            log.browser = HAR.Browser(name: text, version: text)
            log.comment = text
            log.pages = [HAR.Page(startedDateTime: text, id: text, title: text, pageTimings: HAR.PageTimings())]
            let folder = try TemporaryFolder()
            try folder.write(log, to: "a.har")
            let data = try folder.read("a.har")
            // Unknown names, repeated names, and an error at a key.
            return Data(
                String(decoding: data, as: UTF8.self).replacing("\"version\"", with: #""\u001b[1mx":1,"version""#).utf8)
        }
    }

    @Test(arguments: [
        ["inspect"], ["check"], ["check", "--secrets"], ["entries"], ["entries", "--long"], ["replay", "--verbose"],
        ["replay"], ["index"], ["body", "0"], ["body", "99"], ["inspect", hostile], ["entries", "--\(hostile)"],
        ["filter", "--url", hostile, "-"], ["no-\(hostile)"], ["export", "--to", hostile], ["repair"],
        ["redact", "/no/\(hostile)"], ["split", "--by", hostile, "out"], ["help", hostile],
        ["import", hostile, "b.har"], ["table", "-o", "/no/\(hostile)"], ["table", "--columns", hostile],
    ])
    func `messages and lists contain no control characters`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let name = "x\(Self.hostile).har"
        try folder.write(try Self.archive, to: name)
        let run = try await HarRun([arguments[0], name] + arguments.dropFirst(), in: folder)
        let isArchive = arguments.contains("-") || run.status == 0 && arguments[0] == "body"
        #expect(Self.controls(in: run.errors + (isArchive ? "" : run.output)) == [])
        #expect(!run.errors.isEmpty || !run.output.isEmpty || run.status == 0)
    }

    /// Runs the tool with a terminal as standard output.
    private func terminal(_ arguments: String, in folder: TemporaryFolder) async throws -> String {
        try await HarRun(shell: "script -qec \"'$HAR' \(arguments)\" /dev/null </dev/null", in: folder).output
            .replacing("\r\n", with: "\n")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
    func `a terminal receives control characters only with --raw`() async throws {
        let folder = try TemporaryFolder()
        var plain = HAR.Entry.sample("GET", "https://a.test/", body: "one\ntwo\tthree")
        plain.comment = "\u{9B}1m\u{7F}"
        try folder.write(.sample(plain, .sample("GET", "https://a.test/x", body: Self.hostile)), to: "a.har")
        #expect(try await terminal("body a.har 0", in: folder) == "one\ntwo\tthree")
        let refused = try await terminal("body a.har 1", in: folder)
        #expect(refused.contains("use --raw") && Self.controls(in: refused) == [], "\(refused)")
        #expect(try await terminal("body a.har 1 --raw", in: folder).contains("\u{1B}[31m"))
        let messages = try await terminal("show --raw a.har 0 1", in: folder)
        #expect(Self.controls(in: messages) == [], "\(messages)")
        #expect(messages.hasPrefix("GET https://a.test/ HTTP/1.1\n\nHTTP/1.1 200 \n\none\n"), "\(messages)")
        let entries = try await terminal("entries --ndjson a.har", in: folder)
        #expect(Self.controls(in: entries) == [] && entries.contains(#"\u009b1m\u007f"#), "\(entries)")
        for command in [
            "entries --json a.har", "inspect --json a.har", "export --to curl a.har -",
            "export --to markdown a.har /dev/stdout", "copy a.har -", "copy a.har /dev/stdout",
            "filter --method GET a.har -", "filter --method GET a.har /dev/tty", "merge a.har -", "redact a.har -",
            "table a.har", "table --format ndjson --bodies a.har -o /dev/stdout",
        ] {
            let output = try await terminal(command, in: folder)
            #expect(Self.controls(in: output) == [] && output.contains("a.test"), "\(command): \(output)")
        }
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")),
        arguments: [
            "stats a.har", "stats --by path a.har", "entries a.har", "entries --columns index,url,path a.har",
            "entries --tree a.har",
        ])
    func `lines fit into the terminal, and are complete in a pipe`(arguments: String) async throws {
        let folder = try TemporaryFolder()
        let path = String(repeating: "/segment", count: 30)
        try folder.write(.sample(.sample("GET", "https://a.test\(path)", body: "x")), to: "a.har")
        let script = "script -qec \"stty cols 72; '$HAR' \(arguments)\" /dev/null </dev/null"
        let output = try await HarRun(shell: script, in: folder).output.replacing("\r\n", with: "\n")
        let lines = output.split(separator: "\n")
        #expect(lines.contains { $0.contains("…") } && lines.allSatisfy { $0.count <= 72 }, "\(output)")
        let piped = try await HarRun(arguments.split(separator: " ").map(String.init), in: folder).output
        #expect(piped.contains(path) && !piped.contains("…"), "\(piped)")
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")),
        arguments: [
            (40, "index method  status    time  url"), (60, "index method  status    time  url"),
            (70, "index method  status      size    time  url"),
            (90, "index method  status type                  size    time  url"),
        ])
    func `a narrow terminal shows fewer columns of entries, and short timings`(
        width: Int, heading: String
    ) async throws {
        let folder = try TemporaryFolder()
        var entry = HAR.Entry.sample("GET", "https://a.test/" + String(repeating: "segment/", count: 20), body: "x")
        entry.timings = HAR.Timings(send: 1, wait: 20, receive: 2)
        try folder.write(.sample(entry), to: "a.har")
        let script = "script -qec \"stty cols \(width); '$HAR' entries a.har\" /dev/null </dev/null"
        let output = try await HarRun(shell: script, in: folder).output.replacing("\r\n", with: "\n")
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.first == heading && lines.count == 2, "\(output)")
        #expect(lines.last?.count == width && lines.last?.contains("https:") == true, "\(output)")
        let show = "script -qec \"stty cols \(width); '$HAR' show a.har 0\" /dev/null </dev/null"
        let shown = try await HarRun(shell: show, in: folder).output.replacing("\r\n", with: "\n")
        let timings = shown.split(separator: "\n").filter { $0.contains("█") }
        #expect(timings.count == 3 && timings.allSatisfy { $0.count <= width }, "\(timings)")
    }
}
