import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct StatsTests {
    private static var log: HAR.Log {
        var entries: [HAR.Entry] = (1...10).map { number in
            var entry = HAR.Entry.sample(
                "GET", "https://api.shop.test/items/\(number)", status: number == 10 ? 500 : 200,
                body: String(repeating: "x", count: number * 100), type: "application/json")
            entry.time = Double(number) * 10
            return entry
        }
        var cached = HAR.Entry.sample("GET", "https://cdn.other.test/a.js", status: 304, type: "text/javascript")
        cached.time = nil
        entries.append(cached)
        return HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries)
    }

    private func stats(_ arguments: String...) async throws -> HarRun {
        let folder = try TemporaryFolder()
        try folder.write(Self.log, to: "a.har")
        return try await HarRun(["stats", "a.har"] + arguments, in: folder)
    }

    @Test func `prints totals, groups, and the slowest and largest entries`() async throws {
        let run = try await stats("--limit", "2")
        #expect(run.status == 0)
        #expect(
            run.output == """
                Entries   11
                Errors    1 (9.1 %)
                Cached    1 confirmed with status 304
                Bodies    5.5 kB
                Started   2026-01-01T12:00:00.000Z
                Duration  100 ms
                Times     p50 50 ms, p90 90 ms, p95 100 ms, p99 100 ms, max 100 ms

                Hosts               count    errors     bytes       p50       p95       p99       max
                  api.shop.test        10         1    5.5 kB     50 ms    100 ms    100 ms    100 ms
                  cdn.other.test        1         0   0 bytes

                Types                 count    errors     bytes       p50       p95       p99       max
                  application/json       10         1    5.5 kB     50 ms    100 ms    100 ms    100 ms
                  text/javascript         1         0   0 bytes

                Statuses    count    errors     bytes       p50       p95       p99       max
                  200           9         0    4.5 kB     50 ms     90 ms     90 ms     90 ms
                  304           1         0   0 bytes
                  … and 1 more; list them with --limit

                Paths            count    errors     bytes       p50       p95       p99       max
                  /items/{id}       10         1    5.5 kB     50 ms    100 ms    100 ms    100 ms
                  /a.js              1         0   0 bytes

                Slowest entries
                     100 ms  9 GET https://api.shop.test/items/10
                      90 ms  8 GET https://api.shop.test/items/9

                Largest entries
                     1.0 kB  9 GET https://api.shop.test/items/10
                  900 bytes  8 GET https://api.shop.test/items/9

                """, "\(run.output)")
    }

    @Test func `counts responses from the cache of a browser`() async throws {
        var entry = HAR.Entry.sample("GET", "https://a.test/")
        entry.fields["_fromCache"] = "memory"
        let folder = try TemporaryFolder()
        try folder.write(.sample(entry, entry, .sample("GET", "https://a.test/", status: 304)), to: "a.har")
        let run = try await HarRun("stats", "a.har", in: folder)
        #expect(run.output.contains("\nCached    2 from the browser's cache, 1 confirmed with status 304\n"))
        let json = try JSONValue(parsing: await HarRun("stats", "--json", "a.har", in: folder).data)
        #expect(json["fromCache"] == 2)
        #expect(json["notModified"] == 1)
    }

    @Test func `prints JSON`() async throws {
        let json = try JSONValue(parsing: await stats("--json", "--by", "party").data)
        #expect(json["entries"] == 11)
        #expect(json["errors"] == 1)
        #expect(json["bytes"] == 5500)
        #expect(json["times"]?["p90"]?.double == 90)
        #expect(json["times"]?["total"]?.double == 550)
        let parties = try #require(json["groups"]?["party"]?.array)
        #expect(parties.map { $0["name"]?.text } == ["first party", "third parties"])
        #expect(parties[1]["notModified"] == 1)
        #expect(parties[1]["times"] == .null)
        #expect(json["slowest"]?[0]?["index"] == 9)
        #expect(json["largest"]?[0]?["size"] == 1000)
    }

    @Test(arguments: [("total", "550 ms"), ("p90", "90 ms"), ("p99", "100 ms")])
    func `the value that determines the order is shown`(order: String, value: String) async throws {
        let run = try await stats("--by", "host", "--sort", order)
        let lines = run.output.split(separator: "\n").drop { !$0.hasPrefix("Hosts") }
        let names = try #require(lines.first).split(separator: " ")
        #expect(names.contains(Substring(order)), "\(run.output)")
        #expect(lines.dropFirst().first?.contains(value) == true, "\(run.output)")
    }

    @Test func `all ports of an IP address are the same party`() async throws {
        let folder = try TemporaryFolder()
        let urls = ["http://127.0.0.1:3000/", "http://127.0.0.1:80/a", "http://127.0.0.1/b", "http://[::1]:81/"]
        try folder.write(
            .sample(
                .sample("GET", urls[0]), .sample("GET", urls[1]), .sample("GET", urls[2]), .sample("GET", urls[3])),
            to: "a.har")
        let run = try await HarRun("stats", "--by", "party", "--csv", "a.har", in: folder)
        #expect(run.output.contains("\nfirst party,3,") && run.output.contains("\nthird parties,1,"), "\(run.output)")
    }

    @Test func `prints one group as CSV`() async throws {
        let run = try await stats("--csv", "--by", "host", "--sort", "p95")
        #expect(
            run.output == """
                host,count,errors,from_cache,not_modified,bytes,p50_ms,p90_ms,p95_ms,p99_ms,max_ms,total_ms
                api.shop.test,10,1,0,0,5500,50.0,90.0,100.0,100.0,100.0,550.0
                cdn.other.test,1,0,0,1,0,,,,,,

                """)
        #expect(try await stats("--csv").status == 2)
    }

    @Test func `long times are exact`() async throws {
        let folder = try TemporaryFolder()
        var entry = HAR.Entry.sample("GET", "wss://a.test/", status: 101)
        entry.time = 98_765_432.125
        try folder.write(.sample(entry), to: "a.har")
        let json = try JSONValue(parsing: await HarRun("stats", "--json", "a.har", in: folder).data)
        #expect(json["times"]?["p50"]?.double == 98_765_432.125)
        #expect(json["times"]?["total"]?.double == 98_765_432.125)
    }

    @Test func `computed times have no floating-point noise`() async throws {
        let folder = try TemporaryFolder()
        var entries = [HAR.Entry.sample("GET", "https://a.test/"), .sample("GET", "https://a.test/")]
        entries[0].startedDateTime = "2026-01-01T00:00:00.000Z"
        entries[1].time = 11
        try folder.write(.sample(entries[0], entries[1]), to: "a.har")
        for command in ["stats", "inspect"] {
            let json = try JSONValue(parsing: await HarRun(command, "--json", "a.har", in: folder).data)
            #expect(json["seconds"]?.double == 43200.011, "\(command)")
        }
    }

    @Test(arguments: [
        ("/items/3/parts/0004", "/items/{id}/parts/{id}"), ("/a/v2/b", "/a/v2/b"), ("", "/"),
        ("/users/0b5cbb1c-9d4e-4a0f-8e0c-2f6f3a6d4a11", "/users/{id}"), ("/js/app.3f2a9c81.js", "/js/app.3f2a9c81.js"),
        ("/commit/9ba750651f0c7d2e8a1b", "/commit/{id}"), ("/2024-01-31/report", "/{id}/report"),
    ])
    func `paths are grouped without identifiers`(path: String, template: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", "https://a.test\(path)")), to: "a.har")
        let run = try await HarRun("stats", "--by", "path", "--csv", "a.har", in: folder)
        #expect(run.output.contains("\n\(template),1,"), "\(run.output)")
    }

    @Test func `several archives have common figures`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.log, to: "a.har")
        try folder.write(Self.log, to: "b.har")
        let run = try await HarRun("stats", "--limit", "1", "a.har", "b.har", in: folder)
        #expect(run.output.hasPrefix("Files     2\nEntries   22\n"))
        #expect(run.output.contains("a.har 9 GET "))
    }

    @Test func `a truncated archive has figures for its entries, an error and exit status 1`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(#"{"log":{"entries":[{"request":{"url":"https://a.test/x"}},{"#.utf8), to: "cut.har")
        let run = try await HarRun("stats", "cut.har", in: folder)
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("Entries   1\n"))
        #expect(run.errors.hasPrefix("har: error: cut.har"))
        #expect(run.errors.hasSuffix("har: warning: cut.har: the figures cover only the entries before the error\n"))
    }

    @Test func `an archive that cannot be read does not prevent the figures of the other archives`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.log, to: "a.har")
        let error =
            "har: error: missing.har: The file cannot be read: No such file or directory. Check the path. [unreadableFile]\n"
        for files in [["missing.har", "a.har"], ["a.har", "missing.har"]] {
            let run = try await HarRun(["stats"] + files, in: folder)
            #expect((run.status, run.errors) == (1, error))
            #expect(run.output.hasPrefix("Entries   11\n"), "\(run.output)")
        }
        let run = try await HarRun("stats", "missing.har", in: folder)
        #expect((run.status, run.output, run.errors) == (1, "", error))
    }

    @Test func `an archive without entries has no groups`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(), to: "a.har")
        let run = try await HarRun("stats", "a.har", in: folder)
        #expect((run.status, run.output) == (0, "Entries   0\nErrors    0\nBodies    0 bytes\n"))
    }
}
