import ArchiveChecking
import HTTPArchive
import Testing

@Suite(.limited) struct HARCheckerResponseTests {
    private static let pointer = "/log/entries/0/response"
    private static let location = (#""Content-Type", "value": "text/html""#, #""location", "value": "/next""#)

    @Test(arguments: ["0", "-1"])
    func `a failed request is reported as a note that contains the error's name`(status: String) throws {
        let archive = try CheckedArchive((#""status": 200"#, #""_error": "net::ERR_ABORTED", "status": \#(status) "#))
        try archive.expect(.failedRequest, .note, at: Self.pointer + "/status", over: "\(status) ")
        #expect(archive.findings.first?.message.contains("net::ERR_ABORTED") == true)
    }

    @Test(arguments: ["1", "99", "1000", "-2", "200.5"])
    func `an invalid HTTP status is reported as a warning`(status: String) throws {
        try CheckedArchive((#""status": 200"#, #""status": \#(status) "#))
            .expect(.invalidStatus, .warning, at: Self.pointer + "/status", over: "\(status) ")
    }

    @Test(arguments: ["600", "700", "998", "999", "200.0", "2e2", "2.0E2"])
    func `a status that HTTP does not define or in another notation is reported as a note`(status: String) throws {
        try CheckedArchive((#""status": 200"#, #""status": \#(status) "#))
            .expect(.invalidStatus, .note, at: Self.pointer + "/status", over: "\(status) ")
    }

    @Test(arguments: [#""200""#, #"" 200 ""#, #""200.0""#])
    func `a status in a string is an error, and the body rules use it`(status: String) throws {
        let archive = try CheckedArchive(
            (#""status": 200"#, #""status": \#(status)"#), (#""text": "answer""#, #""_text": "answer""#))
        try archive.expect(.wrongType, .error, at: Self.pointer + "/status", over: status)
        #expect(archive.findings.contains { $0.message.hasSuffix("The number in the string is used.") })
        #expect(archive.findings.contains { $0.rule == .bodyNotCaptured })
    }

    @Test(arguments: [
        (#""status": 200"#, #""status": 100"#, "final response"), (#""status": 200"#, #""status": 101"#, "`har show`"),
        (#""status": 200"#, #""status": "103""#, "final response"),
        (#""method": "POST""#, #""method": "CONNECT""#, "separate entries"),
        (#""method": "POST""#, #""method": "connect""#, "separate entries"),
    ])
    func `a tunnel or an informational response is a note that says what is replayed`(
        old: String, new: String, text: String
    ) throws {
        let archive = try CheckedArchive((old, new))
        try archive.expect(.notReplayed, .note, at: "/log/entries/0", over: #"{"pageref""#)
        #expect(archive.findings.contains { $0.rule == .notReplayed && $0.message.contains(text) })
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect without redirectURL is reported as a note`(status: Int) throws {
        let change = (#""status": 200"#, #""status": \#(status)"#)
        try CheckedArchive(change).expect(.missingRedirectURL, .note, at: Self.pointer + "/redirectURL", over: #""""#)
        let archive = try CheckedArchive(change, Self.location)
        try archive.expect(.missingRedirectURL, .note, at: Self.pointer + "/redirectURL", over: #""""#)
        #expect(archive.findings.first?.message.contains("`Location` header is used") == true)
        try CheckedArchive(change, (#""redirectURL": """#, #""redirectURL": "/next""#)).expectNothing()
    }

    @Test(arguments: ["200", "201", "304"])
    func `a response that is not a redirect needs no redirectURL`(status: String) throws {
        try CheckedArchive((#""status": 200"#, #""status": \#(status)"#), Self.location).expectNothing()
    }

    @Test func `a WebSocket is reported as a single note`() throws {
        try CheckedArchive(("http://", "wss://")).expect(.webSocket, .note, at: "/log/entries/0", over: #"{"pageref""#)
        let messages = #""_resourceType": "websocket", "_webSocketMessages": [{"data": "secret"}], "cache""#
        let archive = try CheckedArchive(("http://", "ws://"), (#""cache""#, messages))
        try archive.expect(.webSocket, .note, at: "/log/entries/0", over: #"{"pageref""#)
        #expect(archive.findings.count == 1)
        #expect(archive.findings.first?.message.contains("secret") == false)
    }

    @Test(arguments: [
        "7", "null", #""secret""#, "[1]", #"{"type": "secret"}"#, #"{"type": 1}"#, #"{"opcode": 300}"#,
        #"{"opcode": 1e30}"#, #"{"opcode": -2}"#, #"{"opcode": "secret"}"#, #"{"time": -1}"#, #"{"time": "secret"}"#,
        #"{"time": 1e999}"#, #"{"time": null}"#, #"{"data": null}"#, #"{"data": ["secret"]}"#,
        #"{"opcode": 2, "data": "!!secret"}"#,
    ])
    func `a WebSocket message in another format is reported as a note`(message: String) throws {
        let valid = #"{"type": "receive", "time": 1767268800.5, "opcode": 2, "data": "AAEC"}"#
        let archive = try CheckedArchive(
            ("http://", "ws://"), (#""cache""#, #""_webSocketMessages": [\#(valid), \#(message)], "cache""#))
        let findings = archive.findings.filter { $0.rule == .invalidWebSocketMessage }
        #expect(findings.map(\.severity) == [.note])
        #expect(findings.allSatisfy { $0.pointer.description.hasPrefix("/log/entries/0/_webSocketMessages/1") })
        #expect(findings.allSatisfy { !$0.message.contains("secret") })
    }

    @Test(arguments: [
        "{}", #"{"type": "error", "opcode": -1, "data": "!"}"#, #"{"time": "1767268800", "opcode": "1"}"#,
        #"{"time": "2026-01-01T12:00:00Z"}"#, #"{"opcode": 2, "data": ""}"#,
    ])
    func `a WebSocket message that can be read is not reported`(message: String) throws {
        try CheckedArchive(("http://", "ws://"), (#""cache""#, #""_webSocketMessages": [\#(message)], "cache""#))
            .expectNo(.invalidWebSocketMessage)
    }

    @Test func `WebSocket messages that are not a list are reported, unless they are null`() throws {
        let change = { (value: String) in
            (old: #""cache""#, new: #""_webSocketMessages": \#(value), "cache""#)
        }
        for value in ["7 ", #""x""#, #"{"a": 1}"#] {
            try CheckedArchive(change(value))
                .expect(.invalidWebSocketMessage, .note, at: "/log/entries/0/_webSocketMessages", over: value)
        }
        try CheckedArchive(change("null")).expectNothing()
    }

    @Test func `server-sent events are checked like any other response`() throws {
        try CheckedArchive(
            ("text/html\", \"text\": \"answer\"", #"text/event-stream", "text": "a: 1\n\n""#),
            (#""cache""#, #""_resourceType": "eventsource", "cache""#)
        ).expectNothing()
    }
}
