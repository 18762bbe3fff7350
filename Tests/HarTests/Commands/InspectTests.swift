import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct InspectTests {
    @Test func `har inspect prints a summary`() async throws {
        let folder = try TemporaryFolder()
        let size = try Data(contentsOf: folder.write(.shop, to: "shop.har")).count
        let run = try await HarRun("inspect", "shop.har", in: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        let kilobytes = String(format: "%.1f", Double(size) / 1000)
        #expect(
            run.output == """
                File     shop.har (\(kilobytes) kB)
                Format   HAR 1.2
                Creator  Tests 1.0
                Browser  Browser 7
                Started  2026-01-01T12:00:00.000Z, 12 ms to the last response
                Entries  7
                Bodies   80 bytes, 40 bytes transferred

                Pages
                  Shop, loaded in 250 ms

                Hosts
                  5  shop.test  73 bytes
                  1  (none)     1 byte
                  1  cdn.test   6 bytes

                Methods
                  6  GET
                  1  POST

                Statuses
                  5  200
                  1  0
                  1  303

                Types
                  3  text/plain  1 byte
                  2  text/html   31 bytes
                  1  image/png   6 bytes
                  1  video/mp4   42 bytes

                Replayable: 4 of 7 entries

                Failing as recorded: 1
                  1  net::ERR_CONNECTION_REFUSED

                Not replayable: 2
                  1  the body was not captured
                  1  the scheme is data, not http or https

                """)
    }

    @Test func `har inspect --json writes the values of the summary`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("inspect", "--json", "shop.har", in: folder)
        let json = try JSONValue(parsing: run.data)
        #expect(
            json.object?.members.map(\.name.text) == [
                "file", "bytes", "version", "creator", "browser", "entries", "firstStart", "lastStart", "seconds",
                "pages", "bodyBytes", "receivedBytes", "hosts", "methods", "statuses", "types", "replayable",
                "failing", "notReplayable",
            ])
        #expect(json["entries"] == 7)
        #expect(json["replayable"] == 4)
        #expect(json["hosts"]?[0] == ["host": "shop.test", "count": 5, "bytes": 73])
        #expect(json["statuses"]?[0] == ["status": 200, "count": 5])
        #expect(json["notReplayable"]?[0] == ["reason": "the body was not captured", "count": 1])
    }

    @Test func `har inspect summarizes the entries before an error and fails`() async throws {
        let folder = try TemporaryFolder()
        let data = try Data(contentsOf: folder.write(.shop, to: "shop.har"))
        let run = try await HarRun("inspect", "-", in: folder, input: data.dropLast(400))
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("File     standard input ("))
        #expect(run.output.contains("Entries  6\n"))
        #expect(run.output.contains("Damaged  the summary covers the 6 entries before the error\n"))
        #expect(run.errors.hasPrefix("har: error: standard input:"))
        #expect(run.errors.split(separator: "\n").count == 1)
        let json = try await HarRun("inspect", "--json", "-", in: folder, input: data.dropLast(400))
        #expect(json.status == 1)
        let summary = try JSONValue(parsing: json.data)
        #expect(summary["entries"] == 6)
        #expect(summary["error"]?.text.map { json.errors == "har: error: \($0)\n" } == true)
    }

    @Test func `the error of a damaged archive precedes the summary`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(#"{"log":{"entries":[{},{"n":1 2}]}}"#.utf8), to: "a.har")
        let run = try await HarRun(shell: #""$HAR" inspect a.har 2>&1"#, in: folder)
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("har: error: a.har:1:30: /log/entries/1 (byte 29): "))
        #expect(run.output.contains("Entries  1\n"))
    }

    @Test func `the error for a file that is not an archive names its format`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("inspect", "-", in: folder, input: Data("<html>".utf8))
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains("HTML"))
    }

    @Test func `a large archive is summarized by its index and a labeled sample`() async throws {
        let folder = try TemporaryFolder()
        let body = String(repeating: "x", count: 21_000)
        let entries = (0..<1_000).map { HAR.Entry.sample("GET", "https://a.test/\($0)", body: body) }
        try folder.write(HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries), to: "a.har")
        let run = try await HarRun("inspect", "a.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output.contains("Entries  1000\nBodies   21.0 MB\n"), "\(run.output)")
        #expect(run.output.hasSuffix("\nReplayable: 300 of a sample of 300 entries; --full checks all\n"))
        let json = try JSONValue(parsing: await HarRun("inspect", "--json", "a.har", in: folder).data)
        #expect(json["entries"] == 1000)
        #expect(json["replayable"] == .null)
        #expect(json["receivedBytes"] == .null)
        let full = try await HarRun("inspect", "--full", "a.har", in: folder)
        #expect(full.output.contains("Bodies   21.0 MB, 21.0 MB transferred\n"))
        #expect(full.output.hasSuffix("\nReplayable: 1000 of 1000 entries\n"))
    }
}
