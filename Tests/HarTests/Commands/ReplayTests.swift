import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct ReplayTests {
    @Test func `entries with the same URL are used in order while other requests run`() async throws {
        let folder = try TemporaryFolder()
        let entries = (0..<200).map { number in
            HAR.Entry.sample(
                "GET", "https://a.test/\(number % 3 == 0 ? 0 : number % 7)", body: "body \(number)", type: "text/plain")
        }
        try folder.write(
            HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries), to: "a.har")
        let run = try await HarRun("replay", "--verbose", "a.har", in: folder)
        #expect(run.status == 0, "\(run.output)")
        // The lines have the order of the entries.
        let urls = run.output.split(separator: "\n").compactMap { $0.firstMatch(of: /https:\/\/a\.test\/\d/)?.output }
        #expect(urls.map(String.init) == entries.map(\.request.url))
    }

    @Test func `har replay replays every entry and lists why entries cannot be replayed`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("replay", "shop.har", in: folder)
        #expect(run.status == 0)
        #expect(
            run.output == """
                6 requests: 4 answered as recorded, 0 different, 1 failed as recorded
                Failed as recorded: 1
                  1  net::ERR_CONNECTION_REFUSED
                Not replayable: 2
                  1  the body was not captured
                  1  the scheme is data, not http or https

                """)
    }

    @Test func `--verbose prints each request`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("replay", "--verbose", "shop.har", in: folder)
        #expect(
            run.output.hasPrefix(
                """
                0 GET https://shop.test/: answered with 200, 16 bytes
                1 POST https://shop.test/cart: answered with 303, 0 bytes
                2 GET https://cdn.test/a.png: answered with 200, 6 bytes
                3 GET https://shop.test/: answered with 200, 15 bytes
                4 GET https://shop.test/gone: failed as recorded: net::ERR_CONNECTION_REFUSED
                5 GET https://shop.test/film: not replayable: the body was not captured
                6 GET data:text/plain,x: not replayable: the scheme is data, not http or https
                6 requests:
                """))
    }

    @Test func `har replay requests the given URLs in order`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let url = "https://shop.test/"
        let run = try await HarRun("replay", "shop.har", url, url, url, in: folder)
        #expect(run.status == 0)
        #expect(
            run.output == """
                0 GET https://shop.test/: answered with 200, 16 bytes
                3 GET https://shop.test/: answered with 200, 15 bytes
                3 GET https://shop.test/: answered with 200, 15 bytes
                3 requests: 3 answered as recorded, 0 different, 0 failed as recorded

                """)
    }

    @Test func `har replay fails for a URL without an entry`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("replay", "--json", "shop.har", "https://shop.test/nothing", in: folder)
        #expect(run.status == 1)
        let json = try JSONValue(parsing: run.data)
        #expect(json["requests"] == 1)
        #expect(json["different"] == 1)
        #expect(json["differences"]?[0]?["index"] == .null)
        #expect(json["differences"]?[0]?["url"] == "https://shop.test/nothing")
    }

    @Test func `har replay --json writes the counts`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("replay", "--json", "shop.har", in: folder)
        #expect(run.status == 0)
        #expect(
            try JSONValue(parsing: run.data) == [
                "differences": [], "requests": 6, "answered": 4, "different": 0,
                "failedAsRecorded": [["failure": "net::ERR_CONNECTION_REFUSED", "count": 1]],
                "notReplayable": [
                    ["reason": "the body was not captured", "count": 1],
                    ["reason": "the scheme is data, not http or https", "count": 1],
                ],
            ])
    }

    @Test func `har replay sends conditional requests in order`() async throws {
        let folder = try TemporaryFolder()
        let url = "https://a.test/"
        let tag = HAR.Header(name: "ETag", value: "\"1\"")
        let condition = HAR.Header(name: "If-None-Match", value: "\"1\"")
        try folder.write(
            .sample(
                .sample("GET", url, headers: [tag], body: "one"),
                .sample("GET", url, requestHeaders: [condition], status: 304, headers: [tag]),
                .sample("GET", url, headers: [tag], body: "two"),
                .sample("HEAD", url, headers: [tag, HAR.Header(name: "Content-Length", value: "3")]),
                .sample("GET", "https://a.test/304", status: 304, headers: [tag]),
                .sample("GET", "https://a.test/304", body: "three")),
            to: "a.har")
        let run = try await HarRun("replay", "a.har", in: folder)
        #expect(run.output == "6 requests: 6 answered as recorded, 0 different, 0 failed as recorded\n")
    }

    @Test func `har replay compares the recorded dates of cookies`() async throws {
        let folder = try TemporaryFolder()
        let fields = [
            "Date": "Thu, 01 Jan 2026 12:00:00 GMT", "Set-Cookie": "a=1; Expires=Sun, 01 Feb 2026 12:00:00 GMT",
        ]
        let headers = fields.map { HAR.Header(name: $0, value: $1) }
        try folder.write(.sample(.sample("GET", "https://a.test/", headers: headers, body: "a")), to: "a.har")
        let run = try await HarRun("replay", "a.har", in: folder)
        #expect(run.output == "1 request: 1 answered as recorded, 0 different, 0 failed as recorded\n")
    }

    @Test(arguments: [
        "https://a.test/?a=b|c&d=%22e%22", "https://a.test/%7Ba%7D/<b>", "https://a.test/é%C3%A9#{f}",
        "https://a.test/%",
    ])
    func `har replay requests URLs with invalid characters`(url: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", url, body: "a")), to: "a.har")
        let run = try await HarRun("replay", "a.har", in: folder)
        #expect(run.output == "1 request: 1 answered as recorded, 0 different, 0 failed as recorded\n")
    }

    @Test func `statuses that HTTP does not define are replayed, and entries without a final response say why not`()
        async throws
    {
        let folder = try TemporaryFolder()
        let statuses = [600, 998, 999, 100, 101, 103].map {
            HAR.Entry.sample("GET", "https://a.test/\($0)", status: $0)
        }
        let tunnels = ["a.test:443", "https://a.test:443/", "/"].map { HAR.Entry.sample("CONNECT", $0) }
        let log = HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: statuses + tunnels)
        try folder.write(log, to: "a.har")
        let run = try await HarRun("replay", "a.har", in: folder)
        #expect(
            run.output == """
                6 requests: 3 answered as recorded, 0 different, 0 failed as recorded
                Not replayable: 6
                  3  CONNECT opens a proxy tunnel, whose requests are separate entries
                  1  the status 100 is informational, and the entry has no final response
                  1  the status 101 switches to another protocol, such as WebSocket, which only `har serve` replays
                  1  the status 103 is informational, and the entry has no final response

                """)
        let check = try await HarRun("check", "--all", "a.har", in: folder).output
        #expect(check.split(separator: "\n").count { $0.contains("[not-replayed]") } == 6, "\(check)")
    }

    @Test func `reasons are complete, also for URLs with dots`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", "https://a.example.test/", status: 1000)), to: "a.har")
        let run = try await HarRun("replay", "a.har", in: folder)
        #expect(run.output.hasSuffix("  1  the status 1000 is not a final HTTP status (200 to 999)\n"), "\(run.output)")
    }
}
