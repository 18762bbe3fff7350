import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct WaterfallTests {
    private func entry(_ path: String, _ start: String, _ timings: HAR.Timings, page: String?) -> HAR.Entry {
        var entry = HAR.Entry.sample("GET", "https://a.test\(path)")
        entry.startedDateTime = "2026-01-01T12:00:\(start)Z"
        entry.timings = timings
        entry.time = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait, timings.receive]
            .reduce(0) { $0 + ($1 ?? 0) }
        entry.pageref = page
        return entry
    }

    private var log: HAR.Log {
        var log = HAR.Log.sample(
            entry("/other", "09.000", HAR.Timings(wait: 100), page: nil),
            entry("/b.js", "00.040", HAR.Timings(wait: 10, receive: 50), page: "p"),
            entry("/", "00.000", HAR.Timings(blocked: 10, dns: 10, connect: 20, wait: 10, ssl: 10), page: "p"))
        log.pages = [
            HAR.Page(
                startedDateTime: "2026-01-01T12:00:00.000Z", id: "p", title: "Shop",
                pageTimings: HAR.PageTimings(onContentLoad: 60, onLoad: 95))
        ]
        return log
    }

    @Test func `shows the phases of the entries of each page`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(log, to: "a.har")
        let run = try await HarRun("waterfall", "--width", "72", "a.har", in: folder)
        #expect(run.status == 0)
        #expect(
            run.output == """
                Shop  (2 entries, 100 ms, ┊ DOMContentLoaded 60 ms, │ load 95 ms)
                    2 GET    200 /                     |bbddccttww  ┊      │|     50 ms
                    1 GET    200 /b.js                 |        wwrrrrrrrrrr|     60 ms

                No page  (1 entry, 100 ms)
                    0 GET    200 /other                |wwwwwwwwwwwwwwwwwwww|    100 ms

                """, "\(run.output)")
    }

    @Test(arguments: [60, 61, 72, 200])
    func `no line is wider than the width`(width: Int) async throws {
        let folder = try TemporaryFolder()
        var log = log
        log.pages?[0].title = String(repeating: "A long title ", count: 20)
        log.entries[1].request.url += String(repeating: "/path", count: 40)
        try folder.write(log, to: "a.har")
        let run = try await HarRun("waterfall", "--width", String(width), "a.har", in: folder)
        let widths = run.output.split(separator: "\n").map(\.count)
        #expect(widths.allSatisfy { $0 <= width }, "\(run.output)")
        #expect(run.output.contains("load 95 ms"), "\(run.output)")
    }

    @Test func `conditions and a limit select entries`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(log, to: "a.har")
        let run = try await HarRun("waterfall", "--limit", "1", "--url", "a.test/*", "a.har", in: folder)
        #expect(run.output.contains("… and 1 more; list them with --limit\n"))
        let none = try await HarRun("waterfall", "--host", "b.test", "a.har", in: folder)
        #expect((none.status, none.output) == (0, ""))
        #expect(none.errors == "har: warning: no entry has a start time and matches the conditions\n")
    }

    @Test func `an unknown time is a dash, and a warning counts the entries without a start time`() async throws {
        let folder = try TemporaryFolder()
        var unknown = HAR.Entry.sample("GET", "https://a.test/unknown")
        unknown.time = nil
        unknown.timings = HAR.Timings()
        var unstarted = HAR.Entry.sample("GET", "https://a.test/unstarted")
        unstarted.startedDateTime = "yesterday"
        try folder.write(.sample(unstarted, unknown, unstarted), to: "a.har")
        let run = try await HarRun("waterfall", "a.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 2)
        #expect(run.output.hasSuffix("|         -\n"), "\(run.output)")
        #expect(run.errors == "har: warning: 2 entries without a start time are not shown\n")
    }

    @Test(arguments: ["1e308", "1e999", "-1e308", "1e-320", "-0"])
    func `times of any size are drawn`(time: String) async throws {
        let folder = try TemporaryFolder()
        let phases = ["blocked", "dns", "connect", "ssl", "wait", "receive"].map { #""\#($0)":\#(time)"# }
        let timings = "{\(phases.joined(separator: ","))}"
        let start = #""startedDateTime":"2026-01-01T12:00:00Z""#
        let entry = #"{\#(start),"time":\#(time),"request":{"method":"GET","url":"http://a/"},"timings":\#(timings)}"#
        let pages = #"[{\#(start),"id":"p","title":"","pageTimings":{"onLoad":\#(time),"onContentLoad":1e300}}]"#
        let text = #"{"log":{"pages":\#(pages),"entries":[\#(entry),\#(entry)]}}"#
        try folder.write(Data(text.utf8), to: "a.har")
        for arguments in [["waterfall"], ["stats"], ["stats", "--json"], ["entries", "--sort", "time"]] {
            let run = try await HarRun(arguments + ["a.har"], in: folder)
            #expect((run.status, run.errors) == (0, ""), "\(arguments)")
        }
        for arguments in [["show", "a.har", "0"], ["table", "a.har"], ["diff", "a.har", "a.har"]] {
            let run = try await HarRun(arguments, in: folder)
            #expect((run.status, run.errors) == (0, ""), "\(arguments)")
        }
    }

    /// Returns the output for a page with its events, whose first request starts at 12:00 and takes 100 ms.
    private func waterfall(pageStart: String, onLoad: Double) async throws -> [Substring] {
        let folder = try TemporaryFolder()
        var log = HAR.Log.sample(
            entry("/", "00.000", HAR.Timings(wait: 100), page: "p"),
            entry("/b", "00.000", HAR.Timings(wait: 50), page: "p"))
        log.entries[1].request.url = "https://cdn.test/b?c"
        log.pages = [
            HAR.Page(
                startedDateTime: pageStart, id: "p", title: "Shop", pageTimings: HAR.PageTimings(onLoad: onLoad))
        ]
        try folder.write(log, to: "a.har")
        return try await HarRun("waterfall", "--width", "72", "a.har", in: folder).output.split(separator: "\n")
    }

    @Test func `the axis includes events after the last response`() async throws {
        let lines = try await waterfall(pageStart: "2026-01-01T12:00:00.000Z", onLoad: 200)
        #expect(
            lines == [
                "Shop  (2 entries, 200 ms, │ load 200 ms)",
                "    0 GET    200 /                     |wwwwwwwwww         │|    100 ms",
                "    1 GET    200 cdn.test/b?c          |wwwww              │|     50 ms",
            ])
    }

    @Test(arguments: ["2026-01-01T11:00:00.000Z", "2026-01-01T13:00:00.000Z"])
    func `the axis begins with the first request, whenever the page started`(pageStart: String) async throws {
        let lines = try await waterfall(pageStart: pageStart, onLoad: 50)
        #expect(lines[1].contains("/                     |wwwwwwwwwwwwwwwwwwww|"), "\(lines)")
    }

    @Test func `labels use the width`() async throws {
        let folder = try TemporaryFolder()
        let path = "/" + String(repeating: "a", count: 40)
        try folder.write(.sample(entry(path, "00.000", HAR.Timings(wait: 100), page: nil)), to: "a.har")
        let run = try await HarRun("waterfall", "--width", "160", "a.har", in: folder)
        #expect(run.output.contains(" \(path) |"), "\(run.output)")
        #expect(run.output.split(separator: "\n").last?.count == 159)
    }

    @Test func `very long times are days`() async throws {
        let folder = try TemporaryFolder()
        var long = HAR.Entry.sample("GET", "https://a.test/")
        long.time = 1e15
        try folder.write(.sample(long), to: "a.har")
        for command in ["waterfall", "stats", "show"] {
            let run = try await HarRun([command, "a.har"] + (command == "show" ? ["0"] : []), in: folder)
            #expect(run.output.contains("11574074 d 1 h"), "\(run.output)")
        }
    }
}
