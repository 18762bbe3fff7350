import Foundation
import HTTPArchive
import Testing

@Suite struct RedactedFrameTests {
    /// Returns the redacted form of a WebSocket message.
    private func redacted(_ message: String) throws -> String? {
        var entry = HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z", request: HAR.Request(method: "GET", url: "wss://a/"),
            response: HAR.Response(status: 101, content: HAR.Content(size: 0, mimeType: "")))
        entry["_webSocketMessages"] = [["type": "send", "opcode": 1, "data": .string(JSONString(message))]]
        let result = try HARRedactor().redacted(entry)
        return result["_webSocketMessages"]?[0]?["data"]?.text
    }

    @Test(arguments: ["\n", "\r\n"])
    func `fields of STOMP frames are redacted by name`(end: String) throws {
        let frame = ["CONNECT", "login:ada", "passcode:guest", "", "passcode:not a field\0"].joined(separator: end)
        let text = try #require(try redacted(frame))
        #expect(!text.contains("guest") && text.contains("passcode:REDACTED"))
        #expect(text.contains("login:ada") && text.contains("not a field"))
    }

    @Test(arguments: ["password: required", "NOTE\nThe password: required", "Ab\npassword:guest", "A\npassword:guest"])
    func `other text is not a frame`(text: String) throws { #expect(try redacted(text) == text) }
}
