import Foundation
import HTTPArchive
import PlantedSecrets
import TestSupport
import Testing

/// Properties that hold for every entry.
@Suite(.limited) struct RedactionPropertyTests {
    /// Fragments of text that affect a redactor, both complete and malformed.
    private static let pieces = [
        "\"", "\\", "\\\"", "{", "}", "[", "]", ":", ",", "&", "=", ";", "?", "#", "/", "://", "@",
        "%", "%22", "%5B", "+", " ",
        "\n", "é", "\u{0}", "\u{1}", String(repeating: "\u{1}", count: 16), "token", "password", "code", "key", "pin",
        "4111111111111111", "5555 5555 5555 4444", "12",
        "null",
        "Bearer ", "Basic ", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123", "AKIA1234567890ABCDEF",
        "hunter2hunter2",
        "aHVudGVyMmh1bnRlcjJodW50ZXIy", "eyJ0b2tlbiI6Imh1bnRlcjJodW50ZXIyIn0=", "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----", "--b", "\r\n", "Content-Disposition: form-data; name=\"token\"\r\n\r\n",
        "REDACTED",
        "REDACTED-0123456789abcdef", "https://u:pw@a/?token=", "query", "mutation{", "\\u0022", "\\u00", "\\",
    ]

    private static let types = [
        "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/html",
        "image/png",
        "application/graphql", "", "x",
    ]

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0..<14, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private static func entry(seed: UInt64) -> HAR.Entry {
        var random = SeededGenerator(seed: seed)
        func list(_ random: inout SeededGenerator) -> [(String, String)] {
            (0..<3).map { _ in
                (
                    ["Cookie", "Set-Cookie", "Authorization", "token", "X"].randomElement(using: &random) ?? "",
                    text(&random)
                )
            }
        }
        var request = HAR.Request(method: "POST", url: "https://a.test/" + text(&random), bodySize: 0)
        request.headers = list(&random).map { HAR.Header(name: $0, value: $1) }
        request.queryString = list(&random).map { HAR.QueryParameter(name: $0, value: $1) }
        request.cookies = list(&random).map { HAR.Cookie(name: $0, value: $1) }
        request.postData = HAR.PostData(mimeType: types.randomElement(using: &random) ?? "", text: text(&random))
        var content = HAR.Content(size: 3, mimeType: types.randomElement(using: &random) ?? "", text: text(&random))
        if Bool.random(using: &random) {
            content.text = Data(text(&random).utf8).base64EncodedString()
            content.encoding = "base64"
        }
        var entry = HAR.Entry(
            startedDateTime: "2026-01-01T12:00:00.000Z", request: request,
            response: HAR.Response(
                status: 200, statusText: "", headers: list(&random).map { HAR.Header(name: $0, value: $1) },
                content: content))
        entry["_x"] = ["token": .string(JSONString(text(&random))), "y": [1, .string(JSONString(text(&random)))]]
        return entry
    }

    @Test(arguments: 0..<8)
    func `redacting twice has no further effect, and only entries with findings are changed`(part: Int) throws {
        let redactor = try HARRedactor.test()
        for seed in UInt64(part * 150)..<UInt64(part * 150 + Cases.count(20, orAll: 150)) {
            let entry = Self.entry(seed: seed)
            let once = redactor.redacted(entry)
            let twice = redactor.redacted(once)
            #expect(twice.text == once.text, "seed \(seed)")
            #expect(redactor.secrets(in: entry).isEmpty == (once.text == entry.text), "seed \(seed)")
            #expect(Self.shape(.object(once.fields)) == Self.shape(.object(entry.fields)), "seed \(seed)")
        }
    }

    /// Returns a description of the names and types in a value.
    ///
    /// Numbers and strings have the same description, because redaction can replace a number with a string.
    private static func shape(_ value: JSONValue) -> String {
        switch value {
        case .object(let object):
            "{" + object.members.map { $0.name.text + ":" + shape($0.value) }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(shape).joined(separator: ",") + "]"
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number, .string: "s"
        }
    }
}
