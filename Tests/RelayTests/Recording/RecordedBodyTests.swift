import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// Recorded bodies, which are replayed byte for byte.
@Suite(.limited) struct RecordedBodyTests {
    private func content(_ data: Data, type: String?, length: Int? = nil) throws -> (HAR.Entry, HAR.Content) {
        var exchange = CapturedExchange.exchange(received: data)
        if let type { exchange.head?.headers.append(HeaderField(name: "Content-Type", value: type)) }
        if let length { exchange.head?.headers.append(HeaderField(name: "Content-Length", value: String(length))) }
        let entry = try exchange.entry()
        return (entry, entry.response.content)
    }

    @Test(arguments: [
        ("plain", "text/plain"), ("{\"é\": 1}", "application/json"), ("naïve ☃ 😀", "text/plain; charset=utf-8"),
        ("\u{FEFF}with a mark", "text/csv"), ("line\r\nline\t\u{1}", "text/plain"), ("x", nil),
        ("a=b", "application/x-www-form-urlencoded"),
    ])
    func `text is recorded as text`(text: String, type: String?) throws {
        let (entry, content) = try content(Data(text.utf8), type: type)
        #expect(content.text == text)
        #expect(content.encoding == nil)
        #expect(content.size == text.utf8.count)
        #expect(try entry.findings() == [])
    }

    @Test(arguments: [
        ("ISO-8859-1", [0x6E, 0xE4, 0x80], "nä€"), ("windows-1251", [0xEF, 0xF0], "пр"),
        ("shift_jis", [0x93, 0xFA], "日"), ("utf-16le", [0xFF, 0xFE, 0x41, 0x00], "\u{FEFF}A"),
    ])
    func `text in a declared charset is recorded as text`(charset: String, bytes: [UInt8], text: String) throws {
        let (entry, content) = try content(Data(bytes), type: "text/html; charset=\(charset)")
        #expect(content.text == text)
        #expect(content.encoding == nil)
        #expect(entry.response.body == .data(Data(bytes)))
        #expect(try entry.findings() == [])
    }

    @Test(arguments: [
        ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0xE4], "text/plain"), ([0x41, 0x00, 0x42], "text/plain"),
        ([0xED, 0xA0, 0x80], "application/json"), ([0xEF, 0xBF, 0xBD], "text/plain"),
        ([0x01, 0x41], "application/octet-stream"), ([0x00, 0xD8], "text/plain; charset=utf-16le"),
        ([0x81], "text/plain; charset=shift_jis"), ([0xC3, 0x83, 0xC2, 0xA9], "text/plain"),
    ])
    func `a body that is not valid text is recorded as Base64`(bytes: [UInt8], type: String) throws {
        let (entry, content) = try content(Data(bytes), type: type)
        #expect(content.encoding == "base64")
        #expect(content.text == Data(bytes).base64EncodedString())
        #expect(entry.response.body == .data(Data(bytes)))
        #expect(try entry.findings() == [])
    }

    @Test func `an empty body is recorded as empty`() throws {
        for type in [nil, "text/plain"] {
            let (entry, content) = try content(Data(), type: type)
            #expect(content.text == "")
            #expect(entry.response.body == .data(Data()))
            #expect(try entry.findings() == [])
        }
    }

    @Test(arguments: [
        nil, "text/plain", "text/html; charset=latin1", "a/b; charset=utf-16", "a/b; charset=none", "odd",
    ])
    func `arbitrary bytes survive the round trip, regardless of the declared type`(type: String?) throws {
        var generator = SeededGenerator(seed: 7, number: 0)
        let alphabet: [[UInt8]] = [
            [0x41], [0x00], [0xC3, 0xA9], [0xC3], [0xEF, 0xBB, 0xBF], [0xFF], [0xEF, 0xBF, 0xBD], [0xED, 0xA0, 0x80],
            [0xF0, 0x9F, 0x98, 0x80], [0x0D, 0x0A], [0x80], [0xC2, 0x80], [0x22, 0x5C],
        ]
        for _ in 0..<80 {
            let count = Int.random(in: 0...4, using: &generator)
            let data = Data((0..<count).flatMap { _ in alphabet.randomElement(using: &generator) ?? [] })
            for length in [nil, data.count, data.count + 1, 0] {
                let (entry, _) = try content(data, type: type, length: length)
                let written = try HAR.Entry(fields: JSONObject(parsing: entry))
                #expect(written.response.body == .data(data), "\(Array(data)) \(length ?? -1)")
                #expect(try Interceptor(entries: [written]).response("GET", "http://a.example/").body == data)
            }
        }
    }

    @Test func `bodies of excluded types are omitted, with a comment`() throws {
        var settings = RecordingConfiguration()
        settings.mediaTypes = ["Application/JSON", "text/*", "*/*+xml"]
        for (type, isKept) in [
            ("application/json; charset=utf-8", true), ("text/css", true), ("image/svg+xml", true),
            ("image/png", false), ("application/jsonp", false),
        ] {
            let content = try CapturedExchange.exchange(fields: ["Content-Type": type], received: Data("x".utf8))
                .entry(settings).response.content
            #expect((content.text != nil) == isKept, "\(type)")
            #expect((content["_bodyOmitted"] == "mediaType") == !isKept)
            #expect((content.comment != nil) == !isKept)
            #expect(content.size == 1)
        }
    }

    @Test func `bodies over the limit are omitted, and replaying them fails`() throws {
        var settings = RecordingConfiguration()
        settings.maximumBodySize = 4
        let body = { (text: String) in CapturedExchange.exchange(received: Data(text.utf8)) }
        #expect(try body("1234").entry(settings).response.content.text == "1234")
        let entry = try body("12345").entry(settings)
        #expect(entry.response.content.comment == "The body was omitted: it is 5 bytes long, and the limit is 4.")
        #expect(entry.response.content["_bodyOmitted"] == "size")
        let error = #expect(throws: HARError.self) {
            try Interceptor(entries: [entry]).response("GET", "http://a.example/")
        }
        #expect(error?.code == .bodyNotCaptured)
    }

    @Test func `if bodies are disabled, only empty bodies are recorded`() throws {
        var settings = RecordingConfiguration()
        settings.bodies = .omit
        let content = try CapturedExchange.exchange(received: Data("x".utf8)).entry(settings).response.content
        #expect(content.text == nil)
        #expect(content["_bodyOmitted"] == "setting")
        #expect(try CapturedExchange.exchange().entry(settings).response.body == .data(Data()))
    }
}

extension JSONObject {
    /// Encodes an entry and parses the result, as if the entry were read from a file.
    init(parsing entry: HAR.Entry) throws {
        guard case .object(let object) = try JSONValue(parsing: JSONValue.object(entry.fields).data()) else {
            throw CancellationError()
        }
        self = object
    }
}
