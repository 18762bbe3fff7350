import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct RoundTripTests {
    /// An archive with responses of all kinds.
    ///
    /// Two of them have the same request.
    private static var log: HAR.Log {
        let entry = { (second: Int, url: String, type: String?, body: String) in
            let headers = type.map { [HAR.Header(name: "content-type", value: $0)] } ?? []
            var entry = HAR.Entry.sample("GET", url, headers: headers, body: body, type: type ?? "")
            entry.startedDateTime = "2026-01-01T12:00:0\(second).250Z"
            return entry
        }
        var binary = entry(3, "https://a.test/png", "image/png", "iVBORw0K")
        binary.response.content.encoding = "base64"
        binary.response.content.size = 6
        var posted = entry(4, "https://a.test/post", "application/json; charset=utf-8", #"{"a":[1,2.50],"ü":null}"#)
        posted.request.method = "POST"
        posted.request.headers = [HAR.Header(name: "Content-Type", value: "application/x-www-form-urlencoded")]
        posted.request.postData = HAR.PostData(mimeType: "application/x-www-form-urlencoded", text: "a=1&b=%20")
        return .sample(
            entry(0, "https://a.test/text", "text/html; charset=utf-8", "<h1>Grüße</h1>\n"),
            entry(1, "https://a.test/twice", "text/plain", "first"),
            entry(2, "https://a.test/text?x=1", "application/json", "not json"), binary, posted,
            entry(5, "https://a.test/twice", "text/plain", "second"),
            entry(6, "https://a.test/scalar", "application/json", "12.50"),
            entry(7, "https://a.test/empty", "text/plain", ""))
    }

    @Test(arguments: ["vinyl", "dvr"])
    func `an exported archive is imported unchanged`(form: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.log, to: "a.har")
        let script = #""$HAR" export --to \#(form) a.har a.json && "$HAR" import --from \#(form) a.json b.har"#
        let run = try await HarRun(shell: script, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let entries = try HAR.Log(contentsOf: folder.url.appendingPathComponent("b.har")).entries
        #expect(entries.map(\.request.url) == Self.log.entries.map(\.request.url))
        #expect(entries.map(\.request.method) == Self.log.entries.map(\.request.method))
        #expect(entries.map(\.request.body) == Self.log.entries.map(\.request.body))
        #expect(entries.map(\.response.status) == Self.log.entries.map(\.response.status))
        #expect(entries.map(\.response.body) == Self.log.entries.map(\.response.body))
        #expect(
            entries.map { $0.response.header("content-type") }
                == Self.log.entries.map { $0.response.header("content-type") })
        if form == "dvr" { #expect(entries.map(\.startedDateTime) == Self.log.entries.map(\.startedDateTime)) }
    }

    /// Entries with the same bytes as request and response body, in Base64, and their media type.
    private static func bodies() -> [HAR.Entry] {
        let bodies: [(type: String, bytes: [UInt8])] = [
            ("text/plain; charset=iso-8859-1", [0x47, 0x72, 0xFC, 0xDF, 0x65]),
            ("text/plain; charset=utf-16le", [0xFF, 0xFE, 0x61, 0x00]),
            ("text/plain; charset=shift_jis", [0x83, 0x65, 0x83, 0x58]),
            ("text/plain; charset=unknown", [0x80, 0xFF]), ("text/html", [0x47, 0xFC]),
            ("text/plain; charset=utf-8", [0xEF, 0xBB, 0xBF, 0x61]), ("text/plain", [0x61, 0x0D, 0x0A, 0x00]),
            ("application/json", Array(#"{ "a" : 1.0,\n"b":"\u00fc\/" }"#.utf8) + [0x0A]),
            ("application/json", [0xEF, 0xBB, 0xBF, 0x5B, 0x5D]), ("application/json", [0x22, 0xFC, 0x22]),
            ("application/json; charset=iso-8859-1", [0x5B, 0x22, 0xFC, 0x22, 0x5D]),
            ("application/octet-stream", [0x00, 0x01, 0xFF]), ("application/gzip", [0x1F, 0x8B, 0x08, 0x00]),
            ("image/png", [0x89, 0x50, 0x4E, 0x47]),
        ]
        return bodies.map { type, bytes in
            let text = Data(bytes).base64EncodedString()
            let headers = [HAR.Header(name: "Content-Type", value: type)]
            var entry = HAR.Entry.sample("POST", "https://a.test/", headers: headers, body: text, type: type)
            entry.response.content.encoding = "base64"
            entry.response.content.size = bytes.count
            entry.request.postData = HAR.PostData(mimeType: type, text: text)
            entry.request.postData?["_encoding"] = "base64"
            return entry
        }
    }

    @Test(arguments: ["vinyl", "dvr"])
    func `an exported body has the same bytes after the import`(form: String) async throws {
        for entry in Self.bodies() {
            let folder = try TemporaryFolder()
            try folder.write(.sample(entry), to: "a.har")
            let script = #""$HAR" export --to \#(form) a.har a.json && "$HAR" import --from \#(form) a.json b.har"#
            let run = try await HarRun(shell: script, in: folder)
            #expect(run.status == 0, "\(run.errors)")
            let type = entry.response.content.mimeType
            let copy = try #require(try HAR.Log(contentsOf: folder.url.appendingPathComponent("b.har")).entries.first)
            #expect(copy.response.body == entry.response.body, "\(type)")
            #expect(copy.request.body == entry.request.body, "\(type)")
            // The media type of the request was recorded only with its body.
            #expect(copy.request.header("content-type") == type)
        }
    }

    @Test(arguments: ["vinyl", "dvr"], [[0x61, 0x62, 0x63, 0x64], [0x00, 0xFF]] as [[UInt8]])
    func `a body without a media type is exported without one`(form: String, bytes: [UInt8]) async throws {
        let folder = try TemporaryFolder()
        let text = Data(bytes).base64EncodedString()
        var entry = HAR.Entry.sample("POST", "https://a.test/", body: text, type: "")
        entry.response.content.encoding = "base64"
        entry.response.content.size = bytes.count
        entry.request.postData = HAR.PostData(mimeType: "", text: text)
        entry.request.postData?["_encoding"] = "base64"
        try folder.write(.sample(entry), to: "a.har")
        let script = #""$HAR" export --to \#(form) a.har a.json && "$HAR" import --from \#(form) a.json b.har"#
        let run = try await HarRun(shell: script, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let copy = try #require(try HAR.Log(contentsOf: folder.url.appendingPathComponent("b.har")).entries.first)
        #expect(copy.response.body == .data(Data(bytes)))
        #expect(copy.request.body == .data(Data(bytes)))
        #expect(copy.response.headers.isEmpty && copy.request.headers.isEmpty)
    }

    @Test func `entries with equal requests are reversed for DVR`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.log, to: "a.har")
        let run = try await HarRun("export", "--to", "dvr", "a.har", in: folder)
        let interactions = try #require(JSONValue(parsing: run.data)["interactions"]?.array)
        let twice = interactions.filter { $0["request"]?["url"] == "https://a.test/twice" }
        #expect(twice.map { $0["response"]?["body"] } == ["second", "first"])
        let times = interactions.compactMap { $0["recorded_at"]?.double }
        #expect(times.count == 8)
        #expect(times == times.sorted())
    }
}
