import Foundation
import HTTPArchive
import Testing

/// The commands with WebSocket messages that are not in the format of Chromium.
@Suite(.limited) struct WebSocketMessageTests {
    /// Runs a command with the archive `a.har`, whose only entry starts at 2026-01-01T12:00:00.000Z.
    private func run(_ arguments: String..., messages: JSONValue) async throws -> HarRun {
        let folder = try TemporaryFolder()
        var entry = HAR.Entry.sample("GET", "wss://a.test/", status: 101)
        entry.fields["_webSocketMessages"] = messages
        try folder.write(HAR.Log.sample(entry), to: "a.har")
        return try await HarRun(arguments, in: folder)
    }

    private func shown(_ messages: JSONValue) async throws -> String {
        let run = try await run("show", "a.har", "0", messages: messages)
        #expect((run.status, run.errors) == (0, ""))
        return run.output.components(separatedBy: "\n\nMessages  ").dropFirst().joined()
            .components(separatedBy: "\n\n")[0]
    }

    @Test(arguments: [
        ("1767268800.25", "0.250"), ("1767268800250", "0.250"), ("1767268800250000", "0.250"),
        ("1767268800250000000", "0.250"), ("\"1767268800.25\"", "0.250"), ("\"1767268800250\"", "0.250"),
        ("\"2026-01-01T13:00:00.25+01:00\"", "0.250"), ("0.25", "0.250"), ("0", "0.000"), ("\"12\"", "12.000"),
        ("1767268799.9995", "0.000"), ("1767350400", "81600.000"), ("1.7672688005e9", "0.500"),
    ])
    func `a time in any unit is shown since the start of the entry`(time: String, shown: String) async throws {
        let time = try JSONValue(parsing: time)
        let seconds = String(repeating: " ", count: max(0, 8 - shown.count)) + shown
        #expect(try await self.shown([["type": "send", "time": time, "data": "x"]]) == "(1)\n  → \(seconds) s  x")
    }

    @Test(arguments: [
        "-1", "-0.5", "1666255720.899063", "4102444800", "1e30", "1e300", "1e999", "-1e999",
        "9999999999999999999999999",
        "\"x\"", "\"\"", "\"nan\"", "\"inf\"", "\"-1\"", "\"0x10\"", "\"2022-10-20T08:48:40Z\"", "\"2026-01-01\"",
        "null",
        "true", "[1]", "{}",
    ])
    func `a time far from the start of the entry, or no time, is not shown`(time: String) async throws {
        let time = try JSONValue(parsing: time)
        #expect(try await shown([["type": "send", "time": time, "data": "x"]]) == "(1)\n  → x")
    }

    @Test(arguments: [
        ("1", "x"), ("\"1\"", "x"), ("\"9\"", "ping: x"), ("1e1", "pong: x"), ("3", "opcode 3: x"),
        ("15", "opcode 15: x"), ("16", "x"), ("300", "x"), ("-1", "x"), ("-2", "x"), ("1.5", "x"), ("1e30", "x"),
        ("9223372036854775808", "x"), ("\"x\"", "x"), ("null", "x"), ("[2]", "x"), ("2", "binary: x"),
        ("\"2\"", "binary: x"),
    ])
    func `an opcode that does not exist is ignored`(opcode: String, shown: String) async throws {
        let opcode = try JSONValue(parsing: opcode)
        #expect(try await self.shown([["type": "send", "opcode": opcode, "data": "x"]]) == "(1)\n  → \(shown)")
    }

    @Test(arguments: [
        ("null", "text"), ("\"\"", "text"), ("7", "7"), ("true", "true"), (#"["a"]"#, "text, 5 bytes"),
        (#"{"a":1}"#, "text, 7 bytes"),
    ])
    func `data that is not a string is shown as JSON`(data: String, shown: String) async throws {
        let data = try JSONValue(parsing: data)
        #expect(try await self.shown([["type": "send", "data": data]]).hasPrefix("(1)\n  → \(shown)"))
    }

    @Test func `invalid Base64 is shown and searched as text`() async throws {
        let messages: JSONValue = [
            ["type": "receive", "opcode": 2, "data": "!!!notbase64"],
            ["type": "receive", "opcode": 2, "data": "AA\nEC-_8"],
        ]
        #expect(try await shown(messages).hasPrefix("(2)\n  ← binary: !!!notbase64\n  ← binary, 5 bytes\n"))
        let found = try await run("search", "a.har", "notbase64", messages: messages)
        #expect(found.output.hasSuffix("\n    received message: !!!notbase64\n"))
    }

    @Test func `elements that are not objects are shown, searched and exported as invalid`() async throws {
        let messages: JSONValue = [7, "needle", nil, ["type": "send", "data": "x"], [["needle"]]]
        let shown = try await shown(messages)
        #expect(shown.hasPrefix("(5)\n  ? invalid: 7\n  ? invalid: needle\n  ? invalid\n  → x\n  ? invalid, "))
        let found = try await run("search", "a.har", "needle", messages: messages)
        #expect(found.output.hasSuffix("    invalid message: needle\n    invalid message: [[\"needle\"]]\n"))
        let markdown = try await run("export", "--to", "markdown", "a.har", messages: messages)
        #expect(
            markdown.output.contains(
                "\n### Messages: 5\n\ninvalid\n\n```\n7\n```\n\ninvalid\n\n```\nneedle\n```\n\ninvalid\n"))
    }

    @Test(arguments: ["null", "7", "\"x\"", "true", "{\"a\": [1]}", "[]"])
    func `a value that is not a list is not shown`(value: String) async throws {
        #expect(try await shown(JSONValue(parsing: value)) == "")
    }
}
