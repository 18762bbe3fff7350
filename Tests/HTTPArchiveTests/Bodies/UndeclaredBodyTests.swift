import Foundation
import Testing

@testable import HTTPArchive

/// Bodies that tools recorded in Base64 or with their content coding, although the archive does not declare it.
@Suite(.limited) struct UndeclaredBodyTests {
    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(0..<40))

    private func response(
        _ text: String, _ type: String, size: Int? = nil, headers: [String: String] = [:], bodySize: Int? = nil
    ) -> HAR.Response {
        var content = HAR.Content(size: size, mimeType: type)
        content.text = text
        return HAR.Response(
            status: 200, headers: headers.map { HAR.Header(name: $0, value: $1) }, content: content, bodySize: bodySize)
    }

    private func coded(_ body: Data, _ coding: String, _ type: String = "text/plain") -> HAR.Response {
        var response = response(body.base64EncodedString(), type, headers: ["Content-Encoding": coding])
        response.content.encoding = "base64"
        return response
    }

    @Test(arguments: [0, 44, 45, 46, 200])
    func `parsed text is read like text in memory, whatever its escape sequences`(count: Int) throws {
        let image = (Data([0xFF, 0xD8, 0xFF]) + Data(repeating: 0xFF, count: count)).base64EncodedString()
        let gzip = try #require(Data(base64Encoded: "H4sIAAAAAAAAA7MpsMtLTU3JSbXRL7DjAgDE5QMdDgAAAA=="))
        let characters = String(String.UnicodeScalarView(gzip.map { Unicode.Scalar($0) }))
        let texts = [image, "data:image/jpeg;base64," + image, characters, "ÿ😀" + image, image + "\u{0}"]
        for (text, isUndeclared) in zip(texts, [true, true, true, false, false]) {
            let known = response(text, "image/jpeg", headers: ["Content-Encoding": "gzip"])
            #expect((known.undeclaredBody != nil) == isUndeclared)
            let codes = text.utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }
            let json = JSONValue.object(known.fields).data()
            let whole = JSONValue.string(JSONString(text)).data()
            for string in [whole, Data(("\"" + codes.joined() + "\"").utf8)] {
                var json = json
                json.replaceSubrange(try #require(json.range(of: whole)), with: string)
                let parsed = HAR.Response(fields: try #require(try JSONValue(parsing: json).object))
                #expect(parsed.undeclaredBody?.bytes == known.undeclaredBody?.bytes)
                #expect(parsed.recordedText == known.recordedText)
                #expect(parsed.body == known.body)
            }
        }
    }

    // MARK: Base64

    @Test(
        arguments: [
            ("image/png", png), ("image/x-icon", Data([0, 0, 1, 0, 1, 0, 16, 16])),
            ("font/woff2", Data("wOF2abcd".utf8)),
            ("application/octet-stream", Data("PK\u{3}\u{4}abc".utf8)), ("", Data("%PDF-1.7\n".utf8)),
            (
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
                Data("PK\u{3}\u{4}\u{14}\0".utf8)
            ),
            ("audio/mpeg", Data(repeating: 0xA7, count: 20)), ("application/wasm", Data([0, 0x61, 0x73, 0x6D, 1, 0])),
        ])
    func `Base64 of a binary type is decoded without a size`(type: String, bytes: Data) {
        for text in [bytes.base64EncodedString(), bytes.base64EncodedString(options: .lineLength76Characters)] {
            let response = response(text, type)
            #expect(response.body == .data(bytes))
            #expect(response.undeclaredBody?.isUnmarkedBase64 == true)
            #expect(response.recordedText == nil)
        }
    }

    @Test(arguments: ["application/x-protobuf", "application/octet-stream", "text/html", "", "application/json"])
    func `Base64 is decoded if a recorded size is the decoded length`(type: String) {
        let bytes = Data("<p>Grüße, 日本</p>".utf8)
        let text = bytes.base64EncodedString()
        #expect(response(text, type, size: bytes.count).body == .data(bytes))
        #expect(response(text, type, bodySize: bytes.count).body == .data(bytes))
        #expect(response(text, type, headers: ["Content-Length": "\(bytes.count)"]).body == .data(bytes))
        // The size on the wire has precedence over the size that a tool computed from its own text.
        #expect(response(text, type, size: text.utf8.count, bodySize: bytes.count).body == .data(bytes))
    }

    @Test(
        arguments: [
            // Tokens, hashes and identifiers.
            ("aGVsbG8gd29ybGQ=", "text/plain", nil),
            ("d41d8cd98f00b204e9800998ecf8427e", "application/octet-stream", nil),
            ("aGVsbG8gd29ybGQ=", "text/plain", 16), ("aGVsbG8gd29ybGQ=", "application/octet-stream", 16),
            ("true", "application/json", nil), ("OK", "text/html", 2), ("abcd", "text/plain", 3), ("12345678", "", nil),
            // Base64 of an image that an API sends as text.
            (png.base64EncodedString(), "text/plain", png.base64EncodedString().utf8.count),
            (png.base64EncodedString(), "text/plain", nil),
            ("data:image/png;base64,iVBORw0KGgo=", "text/plain", 34), ("data: 1\n\n", "text/event-stream", nil),
            ("iVBORw0KGgo= and more", "image/png", nil), ("a=b", "image/gif", nil),
        ] as [(String, String, Int?)])
    func `text that only looks like Base64 remains text`(text: String, type: String, size: Int?) {
        let response = response(text, type, size: size)
        #expect(response.body == .data(Data(text.utf8)))
        #expect(response.undeclaredBody == nil)
        #expect(response.recordedText == text)
    }

    @Test(
        arguments: [
            ("data:image/png;base64," + png.base64EncodedString(), "image/png", png),
            ("data:image/svg+xml,%3Csvg/%3E", "image/svg+xml", Data("<svg/>".utf8)),
            ("data:text/css;charset=utf-8;base64,YXt9", "text/css", Data("a{}".utf8)),
        ])
    func `a data URL of the same type is decoded`(text: String, type: String, bytes: Data) {
        #expect(response(text, type).body == .data(bytes))
    }

    @Test func `request bodies are decoded like response bodies`() {
        var request = HAR.Request(method: "POST", url: "https://a.test/", bodySize: Self.png.count)
        let text = Self.png.base64EncodedString()
        for type in ["image/png", "application/octet-stream", "application/x-unknown"] {
            request.postData = HAR.PostData(mimeType: type, text: text)
            #expect(request.body == .data(Self.png))
            #expect(request.undeclaredBody?.isUnmarkedBase64 == true)
        }
        request.bodySize = text.utf8.count
        request.postData = HAR.PostData(mimeType: "text/plain", text: text)
        #expect(request.body == .data(Data(text.utf8)))
    }

    // MARK: Content codings

    private static let page = Data(String(repeating: "<p>Grüße</p>", count: 20).utf8)

    private static func deflated(_ data: Data, _ format: Deflate.Format) -> Data {
        Data(Deflate.deflated([UInt8](data), format) ?? [])
    }

    @Test(
        arguments: [
            ("gzip", deflated(page, .gzip)), ("x-gzip", deflated(page, .gzip)), ("GZIP", deflated(page, .gzip)),
            ("deflate", deflated(page, .zlib)), ("deflate", deflated(page, .raw)),
            ("gzip, deflate", deflated(deflated(page, .gzip), .zlib)), ("identity, gzip", deflated(page, .gzip)),
        ])
    func `a body with its declared content coding is decoded`(coding: String, body: Data) throws {
        let response = coded(body, coding, "text/html; charset=utf-8")
        #expect(response.body == .data(Self.page))
        #expect(response.bodyText == String(decoding: Self.page, as: UTF8.self))
        #expect(response.undeclaredBody?.wasCoded == true)
        // Without a mark, the first bytes or the size are evidence.
        var unmarked = response
        unmarked.content.encoding = nil
        unmarked.content.size = body.count
        if !body.withUnsafeBytes({ !$0.isBinary }), BinarySignature.begins(body) {
            #expect(unmarked.body == .data(Self.page))
        }
        // Some tools write each byte as a character.
        var characters = response
        characters.content.encoding = nil
        characters.content.text = String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) }))
        #expect(characters.body == .data(Self.page))
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd", "compress", "gzip, br"])
    func `a body without its declared content coding is unchanged`(coding: String) {
        for body in [Self.page, Self.png, Data("wOF2abcd".utf8), Data([0xFF, 0xD8, 0xFF, 0xE0]), Data("{}".utf8)] {
            let response = coded(body, coding, "image/png")
            #expect(response.body == .data(body))
            #expect(response.undeclaredBody == nil)
        }
    }

    @Test func `bytes that begin like raw DEFLATE data are unchanged`() {
        // The empty block, the block of "a", and other bytes.
        for start in [[3, 0], [0x4B, 4, 0]] as [[UInt8]] {
            let body = Data(start + [0x80, 1, 2, 0xFF])
            #expect(coded(body, "deflate", "application/x-protobuf").body == .data(body))
        }
    }

    @Test func `a file in gzip format and truncated data are unchanged`() {
        let body = Self.deflated(Self.page, .gzip)
        #expect(coded(body, "gzip", "application/gzip").body == .data(body))
        let truncated = coded(body.dropLast(20), "gzip")
        #expect(truncated.body == .data(body.dropLast(20)))
        #expect(truncated.undeclaredBody?.keepsCoding == true)
        #expect(coded(Data([0x28, 0xB5, 0x2F, 0xFD, 1, 2, 3]), "zstd").undeclaredBody?.keepsCoding == true)
    }

    @Test(arguments: [0, 1, 2])
    func `a recorded body is read unchanged even if it looks like coded data`(layers: Int) {
        var body = Self.page
        for _ in 0..<layers { body = Self.deflated(body, .gzip) }
        for type in ["text/html", "application/octet-stream", "image/png"] {
            var response = HAR.Response(
                status: 200, headers: [HAR.Header(name: "Content-Encoding", value: "gzip")],
                content: HAR.Content(size: body.count, mimeType: type))
            response.embed(body)
            #expect(response.body == .data(body))
        }
    }

    @Test func `text that looks like Base64 is recorded so that it is read unchanged`() {
        for type in ["image/png", "text/plain", "application/octet-stream", "font/woff"] {
            let text = Data(Self.png.base64EncodedString().utf8)
            var response = HAR.Response(
                status: 200, headers: [], content: HAR.Content(size: text.count, mimeType: type))
            response.embed(text)
            #expect(response.body == .data(text))
        }
    }

    // MARK: Redaction

    @Test(arguments: ["unmarked", "gzip", "deflate", "raw"])
    func `secrets in undeclared bodies are redacted`(form: String) throws {
        let body = Data(#"{"user": "ann", "password": "correct horse battery"}"#.utf8)
        let response =
            switch form {
            case "gzip": coded(Self.deflated(body, .gzip), "gzip", "application/json")
            case "deflate": coded(Self.deflated(body, .zlib), "deflate", "application/json")
            case "raw": coded(Self.deflated(body, .raw), "deflate", "application/json")
            default: self.response(body.base64EncodedString(), "application/json", size: body.count)
            }
        let entry = HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00Z", time: 1,
            request: HAR.Request(method: "GET", url: "https://a.test/"),
            response: response, timings: HAR.Timings(send: 0, wait: 1, receive: 0))
        let redacted = try HARRedactor.test().redacted(entry).response
        let text = try #require(redacted.body.data.map { String(decoding: $0, as: UTF8.self) })
        #expect(text.contains("ann") && text.contains("REDACTED") && !text.contains("horse"))
    }
}
