import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct StoredBodyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Creates an archive with one entry, from the members of its content, the text of its body as JSON without quotation
    /// marks, the value of `Content-Type`, and other members of the entry.
    private func archive(
        _ content: String, text: String, type: String = "text/plain; charset=utf-8", other: String = "\"_a\":1"
    ) throws -> HARArchive {
        let url = folder.url.appendingPathComponent("\(UUID().uuidString).har")
        let json = """
            {"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[\
            {"startedDateTime":"2026-01-01T00:00:00Z","time":0,\(other),"request":{"method":"GET","url":"http://a/",\
            "httpVersion":"","cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":-1},"response":{\
            "status":200,"statusText":"","httpVersion":"","cookies":[],"headers":[{"name":"Content-Type",\
            "value":"\(type)"}],"content":{\(content),"mimeType":"x/y","text":"\(text)"},"redirectURL":"",\
            "headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":0,"receive":0}}]}}
            """
        try Data(json.utf8).write(to: url)
        return try HARArchive(contentsOf: url)
    }

    /// Reads a body in parts of several sizes.
    private func read(_ body: StoredBody) throws -> Data {
        var reader = StoredBodyReader(body)
        var data = Data()
        var size = 1
        while case let part = try reader.next(upTo: size), !part.isEmpty {
            #expect(part.count <= size)
            data += part
            size = size * 7 % 100_003
        }
        #expect(data.count == body.count)
        return data
    }

    private static let line = String(repeating: "0123456789abcdef", count: 16)
    private static let long = String(repeating: line + #"\n\"\u00e9"#, count: 6000)

    private static let base64 = Data((0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
        .base64EncodedString()

    @Test(arguments: [
        ("\"size\":-1", String(repeating: line, count: 6000), "text/plain"),
        ("\"_a\":0", long, "text/html; charset=utf-8"),
        ("\"encoding\":\"base64\"", base64, "image/png"),
        ("\"encoding\":\"base64\"", base64.replacing("/", with: #"\/"#) + #"\n"#, "image/png"),
        ("\"_a\":0", String(repeating: line, count: 6000), "text/plain; charset=iso-8859-1"),
    ])
    func `a large body is read in parts`(content: String, text: String, type: String) throws {
        let archive = try archive(content, text: text, type: type)
        let (entry, body) = try archive.entryWithStoredBody(at: 0)
        #expect(entry.response.status == 200)
        #expect(try read(#require(body)) == archive.entry(at: 0).response.body.data)
        let short = try archive.entryWithoutBody(at: 0)
        #expect(try short.request == archive.entry(at: 0).request)
        #expect(short.response.content.text != text)
    }

    @Test func `a large request body does not matter`() throws {
        let text = String(repeating: Self.line, count: 6000)
        let archive = try archive("\"_a\":0", text: text, other: "\"_a\":1")
        let url = archive.url
        let json = try String(contentsOf: url, encoding: .utf8)
            .replacing(
                "\"queryString\"", with: "\"postData\":{\"mimeType\":\"a/b\",\"text\":\"\(text)\"},\"queryString\"")
        try Data(json.utf8).write(to: url)
        let large = try HARArchive(contentsOf: url)
        let body = try large.entryWithStoredBody(at: 0).body
        #expect(try read(#require(body)) == Data(text.utf8))
        #expect(try large.entryWithoutBody(at: 0).request.postData?.text == text)
    }

    @Test(arguments: [
        // Small bodies, other charsets, sizes of another encoding, unusual long strings, text that is not Base64.
        ("\"_a\":0", line, "text/plain", "\"_a\":1"), ("\"_a\":0", long, "text/plain; charset=iso-8859-1", "\"_a\":1"),
        ("\"_a\":0", long, "text/plain", "\"_a\":1"),
        ("\"size\":1536003", String(repeating: line, count: 6000), "a/b", "\"_a\":1"),
        ("\"_a\":0", long, "text/plain; charset=utf-8", "\"_b\":\"\(String(repeating: line, count: 300))\""),
        ("\"encoding\":\"base64\"", String(repeating: line + "!", count: 6000), "a/b", "\"_a\":1"),
    ])
    func `other bodies are read with the entry`(content: String, text: String, type: String, other: String) throws {
        let archive = try archive(content, text: text, type: type, other: other)
        let (entry, body) = try archive.entryWithStoredBody(at: 0)
        #expect(body == nil)
        #expect(try entry.response.body == archive.entry(at: 0).response.body)
        #expect(try archive.entryWithoutBody(at: 0).request == archive.entry(at: 0).request)
    }

    @Test func `a body file is read in parts`() throws {
        let bodies = HAR.BodyFolder(folder.url)
        let bytes = Data((0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) })
        let text = Data(String(repeating: "häuser ", count: 200_000).utf8)
        for (name, data) in [("binary", bytes), ("text", text), ("small", Data("a".utf8))] {
            try data.write(to: folder.url.appendingPathComponent(name))
        }
        func response(_ file: String, type: String, isExact: Bool) -> HAR.Response {
            var response = HAR.Response(
                status: 200, headers: [HAR.Header(name: "Content-Type", value: type)],
                content: HAR.Content(size: -1, mimeType: ""))
            response.content["_file"] = .string(JSONString(file))
            if isExact { response.content["_fileEncoding"] = "identity" }
            return response
        }
        for (file, type, isExact) in [
            ("binary", "a/b", true), ("binary", "a/b", false), ("text", "text/plain; charset=utf-8", false),
            ("text", "text/plain; charset=utf-16", true),
        ] {
            let response = response(file, type: type, isExact: isExact)
            let body = try #require(try response.storedBody(in: bodies))
            #expect(try read(body) == response.bodyData(in: bodies))
        }
        #expect(
            try response("text", type: "text/plain; charset=iso-8859-1", isExact: false).storedBody(in: bodies) == nil)
        #expect(try response("small", type: "a/b", isExact: true).storedBody(in: bodies) == nil)
    }

    @Test func `a file that is truncated while it is read is an error`() throws {
        let archive = try archive("\"_a\":0", text: String(repeating: Self.line, count: 6000))
        var reader = StoredBodyReader(try #require(try archive.entryWithStoredBody(at: 0).body))
        _ = try reader.next(upTo: 10)
        try FileHandle(forWritingTo: archive.url).truncate(atOffset: 1000)
        let error = #expect(throws: HARError.self) { while !(try reader.next(upTo: 100_000)).isEmpty {} }
        #expect(error?.code == .unreadableFile)
    }

    @Test(arguments: [
        ("", true, true), ("abc", true, true), ("é😀x", false, true), ("a\u{7FF}\u{FFFF}\u{10FFFF}", false, true),
    ])
    func `UTF-8 is checked in chunks`(text: String, isASCII: Bool, isValid: Bool) {
        let bytes = Array(text.utf8)
        for size in 1...max(1, bytes.count) {
            var check = UTF8Check()
            for start in stride(from: 0, to: bytes.count, by: size) {
                check.update(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            check.finish()
            #expect(check.isASCII == isASCII && check.isValid == isValid && check.count == bytes.count)
        }
    }

    @Test(arguments: [
        [0xC3], [0x80], [0xE2, 0x82], [0x61, 0xFF, 0x61], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98, 0x61],
    ])
    func `invalid UTF-8 is found in chunks`(bytes: [UInt8]) {
        for size in 1...bytes.count {
            var check = UTF8Check()
            for start in stride(from: 0, to: bytes.count, by: size) {
                check.update(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            check.finish()
            #expect(!check.isValid)
        }
    }
}
