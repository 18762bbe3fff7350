import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct ResponseBodyTests {
    private func response(_ content: JSONObject, headers: [HAR.Header] = [], bodySize: Int? = nil) -> HAR.Response {
        HAR.Response(status: 200, headers: headers, content: HAR.Content(fields: content), bodySize: bodySize)
    }

    @Test func `text is encoded as UTF-8`() {
        #expect(response(["size": 4, "mimeType": "text/plain", "text": "né!"]).body == .data(Data("né!".utf8)))
    }

    @Test(arguments: ["aGVsbG8=", "aGVs\r\nbG8=", "aGVsbG8", " aGVs bG8 ", "aGVsbG8=\n"])
    func `Base64 is decoded leniently`(text: String) {
        let response = response(["size": 5, "text": .string(JSONString(text)), "encoding": "base64"])
        #expect(response.body == .data(Data("hello".utf8)))
        #expect(response.bodyText == "hello")
    }

    @Test(arguments: [
        ("\0", "text/plain", false), ("\u{1}", "text/plain", true), ("\u{1}", "a/b", false), ("\u{1F}", "a/b", false),
        ("\u{1B}", "a/b", true), ("\n", "a/b", true), ("\u{FFFD}", "text/plain", false), ("\u{FEEF}", "a/b", true),
    ])
    func `a body is stored as Base64 if it contains a binary character at any offset`(
        character: String, type: String, isText: Bool
    ) {
        for (before, after) in (0...17).flatMap({ before in (0...17).map { (before, $0) } }) {
            let text = String(repeating: "[", count: before) + character + String(repeating: "]", count: after)
            var response = response(["mimeType": .string(JSONString(type))])
            response.embed(Data(text.utf8))
            #expect(response.content.encoding == (isText ? nil : "base64"))
            #expect(response.body == .data(Data(text.utf8)))
        }
    }

    @Test func `both Base64 alphabets are decoded`() {
        let response = response(["text": "-_-_", "encoding": "base64"])
        #expect(response.body == .data(Data([0xFB, 0xFF, 0xBF])))
    }

    @Test func `invalid Base64 is used as plain text`() {
        #expect(response(["text": "Füße", "encoding": "base64"]).body == .data(Data("Füße".utf8)))
    }

    @Test func `a size without text means that the body was not captured, unlike an empty body`() {
        #expect(response(["size": 10, "mimeType": "image/png"]).body == .notCaptured)
        #expect(response(["size": 10, "mimeType": "image/png", "text": ""]).body == .notCaptured)
        #expect(response(["size": -1, "mimeType": "x-unknown"]).body == .notCaptured)
        #expect(response(["mimeType": "x-unknown"]).body == .notCaptured)
        #expect(response(["size": 0, "mimeType": ""]).body == .data(Data()))
        #expect(response(["size": 0, "mimeType": "", "text": ""]).body == .data(Data()))
        #expect(response(["mimeType": ""], bodySize: 0).body == .data(Data()))
        #expect(
            response(["mimeType": ""], headers: [HAR.Header(name: "Content-Length", value: "0")]).body == .data(Data()))
    }

    @Test(
        arguments: [
            ("text/html; charset=iso-8859-1", "é", [0xE9]),
            ("text/html;charset=\"ISO-8859-1\"", "é\u{80}€", [0xE9, 0x80, 0x80]),
            ("text/html; charset=windows-1251", "Ж", [0xC6]),
            ("text/html; charset=Shift_JIS", "日本", [0x93, 0xFA, 0x96, 0x7B]),
            ("text/html; charset=euc-jp", "日", [0xC6, 0xFC]), ("text/html; charset=utf-8", "é", [0xC3, 0xA9]),
            ("text/html; charset=no-such-charset", "é", [0xC3, 0xA9]),
            ("text/html; charset=us-ascii", "日a", [0x3F, 0x61]),
            ("text/html; charset=iso-8859-5", "日Ж", [0x3F, 0xB6]),
        ] as [(String, String, [UInt8])])
    func `text is encoded in the charset of the response`(type: String, text: String, bytes: [UInt8]) {
        let content: JSONObject = ["mimeType": "text/html", "text": .string(JSONString(text))]
        let answer = response(content, headers: [HAR.Header(name: "content-type", value: type)])
        #expect(answer.body == .data(Data(bytes)))
        #expect(
            response(["mimeType": .string(JSONString(type)), "text": .string(JSONString(text))]).body
                == .data(Data(bytes)))
    }

    @Test func `the Content-Length determines the text's encoding`() {
        func body(_ type: String, _ text: String, length: Int, _ more: [HAR.Header] = []) -> HAR.Body {
            let headers = [("Content-Type", type), ("Content-Length", "\(length)")].map {
                HAR.Header(name: $0, value: $1)
            }
            return response(["size": 99, "mimeType": "", "text": .string(JSONString(text))], headers: headers + more)
                .body
        }
        #expect(
            body("text/html", "née", length: 3) == .data(Data([0x6E, 0xE9, 0x65])), "charset declared in the document")
        #expect(
            body("text/html; charset=iso-8859-1", "née", length: 4) == .data(Data("née".utf8)), "wrong charset declared"
        )
        #expect(
            body("text/plain", "abc", length: 6) == .data(Data([0xEF, 0xBB, 0xBF, 0x61, 0x62, 0x63])),
            "with a byte order mark")
        #expect(body("text/plain; charset=utf-16", "ab", length: 6) == .data(Data([0xFF, 0xFE, 0x61, 0, 0x62, 0])))
        #expect(body("text/plain", "née", length: 1000) == .data(Data("née".utf8)))
        let gzip = HAR.Header(name: "Content-Encoding", value: "gzip")
        #expect(
            body("text/plain", "née", length: 3, [gzip]) == .data(Data("née".utf8)), "length of the compressed body")
    }

    @Test func `a content size that differs from the text's UTF-8 length also determines the encoding`() {
        let content: JSONObject = ["size": 3, "mimeType": "text/html", "text": "née"]
        #expect(response(content).body == .data(Data([0x6E, 0xE9, 0x65])))
        let declared: JSONObject = ["size": 4, "mimeType": "text/html; charset=iso-8859-1", "text": "née"]
        #expect(response(declared).body == .data(Data([0x6E, 0xE9, 0x65])))
    }

    @Test func `UTF-8 decoded as Windows-1252 is restored`() {
        #expect(
            response(["mimeType": "text/event-stream", "text": "data: GrÃ¼ÃŸe"]).body == .data(Data("data: Grüße".utf8))
        )
        #expect(
            response(["mimeType": "text/plain", "text": "Ã is a letter"]).body == .data(Data("Ã is a letter".utf8)))
    }

    @Test func `bytes escaped as lone surrogates are restored`() throws {
        let json = try JSONValue(parsing: #"{"text": "a\udcff\udc80 \ud800 \u00e9"}"#)
        let bytes = Data([0x61, 0xFF, 0x80, 0x20, 0xEF, 0xBF, 0xBD, 0x20, 0xC3, 0xA9])
        #expect(response(try #require(json.object)).body == .data(bytes))
    }

    @Test func `empty text with the size of an empty gzip stream is an empty body`() {
        let headers = [HAR.Header(name: "Content-Encoding", value: "gzip")]
        #expect(response(["size": 20, "text": ""], headers: headers).body == .data(Data()))
        #expect(response(["size": 21, "text": ""], headers: headers).body == .notCaptured)
        #expect(response(["size": 20, "text": ""]).body == .notCaptured)
    }

    @Test func `bytes are decoded to text using the charset of the response`() {
        let answer = response(
            ["text": "6Q==", "encoding": "base64"],
            headers: [HAR.Header(name: "Content-Type", value: "text/plain; charset=latin1")])
        #expect(answer.bodyText == "é")
    }

    @Test func `a body is decoded as JSON, and decoding a body that is not JSON fails`() throws {
        let json = response(["text": "{\"a\":[1.50]}"])
        #expect(try json.bodyJSON()?["a"]?[0]?.number?.text == "1.50")
        #expect(try response(["size": 3]).bodyJSON() == nil)
        let error = #expect(throws: HARError.self) { try response(["text": "{\"a\":"]).bodyJSON() }
        #expect(error?.code == .malformedJSON)
    }

    @Test func `a body in a file is read only from the archive's folder`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bodies-\(UUID())/archive")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        try Data("inside".utf8).write(to: folder.appendingPathComponent("a.txt"))
        let outside = folder.deletingLastPathComponent().appendingPathComponent("secret.txt")
        try Data("outside".utf8).write(to: outside)
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("link.txt"), withDestinationURL: outside)

        let body = response(["size": 6, "_file": "a.txt"]).body
        #expect(body == .file("a.txt"))
        #expect(try response(["size": 6, "_file": "a.txt"]).bodyData(besideArchiveIn: folder) == Data("inside".utf8))
        for name in ["../secret.txt", "link.txt", "missing.txt", "/etc/hostname", "", "."] {
            let response = response(["size": 6, "_file": .string(JSONString(name))])
            let error = #expect(throws: HARError.self) { try response.bodyData(besideArchiveIn: folder) }
            #expect(error?.code == .unreadableFile, "\(name)")
        }
    }
}
