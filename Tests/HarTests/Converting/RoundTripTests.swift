import Foundation
import HTTPArchive
import Testing

@Suite struct RoundTripTests {
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
