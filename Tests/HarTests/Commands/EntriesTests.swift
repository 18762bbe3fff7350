import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct EntriesTests {
    @Test func `har entries lists one entry per line`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("entries", "shop.har", in: folder)
        #expect(run.status == 0)
        #expect(
            run.output == """
                    0 GET     200 text/html                       16      12  https://shop.test/
                    1 POST    303 text/plain                       0      12  https://shop.test/cart
                    2 GET     200 image/png                        6      12  https://cdn.test/a.png
                    3 GET     200 text/html                       15      12  https://shop.test/
                    4 GET       0 text/plain                       0      12  https://shop.test/gone
                    5 GET     200 video/mp4                       42      12  https://shop.test/film
                    6 GET     200 text/plain                       1      12  data:text/plain,x

                """)
    }

    @Test func `har entries --json writes an array`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let json = try JSONValue(parsing: await HarRun("entries", "--json", "shop.har", in: folder).data)
        #expect(json.array?.count == 7)
        #expect(
            json[2] == [
                "index": 2, "method": "GET", "status": 200, "type": "image/png", "size": 6, "time": 12.25,
                "startedDateTime": "2026-01-01T12:00:00.000Z", "url": "https://cdn.test/a.png",
            ])
    }

    @Test func `the JSON of an archive without entries is an empty array`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(), to: "empty.har")
        #expect(try await HarRun("entries", "--json", "empty.har", in: folder).output == "[]\n")
    }

    @Test func `har entries --ndjson writes complete entries, one per line`() async throws {
        let folder = try TemporaryFolder()
        let entries = #"{"a": 1.50, "_x": "\ud800", "a": [null]} , {"request": {"url": "é"}}"#
        try folder.write(Data(#"{"log": {"entries": [\#(entries)]}}"#.utf8), to: "a.har")
        let run = try await HarRun("entries", "--ndjson", "a.har", in: folder)
        #expect(run.output == #"{"a":1.50,"_x":"\ud800","a":[null]}"# + "\n" + #"{"request":{"url":"é"}}"# + "\n")
    }

    @Test func `har entries replaces terminal control characters`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("G\u{1B}T", "https://a.test/\u{1B}[2J\n\u{202E}x")), to: "a.har")
        let run = try await HarRun("entries", "a.har", in: folder)
        #expect(run.output.hasSuffix("https://a.test/\u{FFFD}[2J\u{FFFD}\u{FFFD}x\n"))
        #expect(!run.output.contains("\u{1B}"))
    }

    @Test func `har entries exits without an error if the reader of its pipe exits`() async throws {
        let folder = try TemporaryFolder()
        let path = String(repeating: "a", count: 1000)
        let entries = (0..<400).map { HAR.Entry.sample("GET", "https://a.test/\(path)/\($0)") }
        try folder.write(HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries), to: "a.har")
        let run = try await HarRun(shell: #""$HAR" entries a.har | head -n 1"#, in: folder)
        #expect(run.output.hasSuffix("a/0\n"))
        #expect(run.errors == "")
    }

    @Test func `selected entries keep their indices`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("entries", "--type", "image,video", "shop.har", in: folder)
        #expect(
            run.output == """
                    2 GET     200 image/png                        6      12  https://cdn.test/a.png
                    5 GET     200 video/mp4                       42      12  https://shop.test/film

                """)
        let none = try await HarRun("entries", "--host", "other.test", "shop.har", in: folder)
        #expect((none.status, none.output) == (0, ""))
    }

    @Test func `sorts entries, largest first`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let arguments = ["entries", "--sort", "size", "--limit", "3", "--columns", "index,size"]
        let run = try await HarRun(arguments + ["shop.har"], in: folder)
        #expect(run.output == "    5        42\n    0        16\n    3        15\n")
        let piped = try await HarRun(arguments + ["-"], in: folder, input: folder.read("shop.har"))
        #expect(piped.output == run.output)
        let statuses = try await HarRun("entries", "--sort", "status", "--columns", "status", "shop.har", in: folder)
        #expect(statuses.output.split(separator: "\n").first?.trimmingCharacters(in: .whitespaces) == "0")
    }

    @Test func `prints chosen columns as text and JSON`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let columns = ["--columns", "index,host,path,wait,error", "--entries", "0,4", "shop.har"]
        let run = try await HarRun(["entries"] + columns, in: folder)
        #expect(
            run.output == """
                    0 shop.test                /                                     12 -
                    4 shop.test                /gone                                 12 net::ERR_CONNECTION_REFUSED

                """)
        let json = try JSONValue(parsing: await HarRun(["entries", "--json"] + columns, in: folder).data)
        #expect(json[0] == ["index": 0, "host": "shop.test", "path": "/", "wait": 12.25, "error": nil])
        let unknown = try await HarRun("entries", "--columns", "sizes", "shop.har", in: folder)
        #expect(unknown.status == 2)
    }

    @Test func `prints a tree of hosts and paths`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("entries", "--tree", "shop.har", in: folder)
        #expect(
            run.output == """
                https://shop.test  (5 entries, 73 bytes)
                  /  (2 entries, 31 bytes)
                  /cart  (1 entry, 0 bytes)
                  /gone  (1 entry, 0 bytes)
                  /film  (1 entry, 42 bytes)
                https://cdn.test/a.png  (1 entry, 6 bytes)
                (no host)  (1 entry, 1 byte)

                """)
    }

    @Test func `conditions select complete entries`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("entries", "--ndjson", "--slower-than", "12ms", "--failed", "shop.har", in: folder)
        #expect(run.output.split(separator: "\n").count == 1)
        #expect(run.output.contains("ERR_CONNECTION_REFUSED"))
    }

    private static let urls = [
        "data:text/plain;base64,SGk=", "blob:https://a.test/u", "https://a.test", "https://a.test/x?",
    ]

    @Test func `URLs without a host have no path and no query`() async throws {
        let folder = try TemporaryFolder()
        let entries = Self.urls.map { HAR.Entry.sample("GET", $0) }
        try folder.write(HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries), to: "a.har")
        let columns = ["--columns", "host,path,query", "a.har"]
        let run = try await HarRun(["entries", "--json"] + columns, in: folder)
        #expect(
            try JSONValue(parsing: run.data) == [
                ["host": nil, "path": nil, "query": nil], ["host": nil, "path": nil, "query": nil],
                ["host": "a.test", "path": "", "query": nil], ["host": "a.test", "path": "/x", "query": ""],
            ])
        let table = try await HarRun(["table", "--format", "ndjson"] + columns, in: folder)
        #expect(
            try table.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
                == JSONValue(parsing: run.data).array ?? [], "\(table.output)")
        let stats = try await HarRun("stats", "--by", "path", "--csv", "a.har", in: folder)
        #expect(
            stats.output.split(separator: "\n").dropFirst().map { $0.split(separator: ",")[0] } == [
                "(none)", "/", "/x",
            ])
    }

    @Test func `shows whether a response was in a cache`() async throws {
        let folder = try TemporaryFolder()
        var cached = HAR.Entry.sample("GET", "https://a.test/")
        cached["_fromCache"] = "disk"
        var sent = HAR.Entry.sample("GET", "https://a.test/")
        sent.response["_transferSize"] = 100
        try folder.write(.sample(cached, sent, .sample("GET", "https://a.test/")), to: "a.har")
        let run = try await HarRun("entries", "--columns", "index,from_cache", "a.har", in: folder)
        #expect(run.output == "    0 yes       \n    1 no        \n    2 -         \n")
        let json = try await HarRun("entries", "--json", "--columns", "from_cache", "a.har", in: folder)
        #expect(try JSONValue(parsing: json.data) == [["fromCache": true], ["fromCache": false], ["fromCache": nil]])
    }

    @Test(arguments: [
        ("url,foo", "unknown column 'foo'; to list them, use har entries --help"),
        ("hots", "unknown column 'hots'; did you mean 'host'?"), ("url,url", "--columns contains 'url' twice"),
        (",", "--columns requires at least one column, such as url"),
    ])
    func `an invalid column is a usage error`(columns: String, message: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("entries", "--columns", columns, "a.har", in: folder)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("har: error: \(message)\n"), "\(run.errors)")
    }

    @Test(arguments: ["text/plain; charset=utf-8", "TEXT/PLAIN", " text/plain", "Text"])
    func `parameters and the case of a media type are ignored`(type: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", "https://a.test/")), to: "a.har")
        let run = try await HarRun("entries", "--type", type, "--columns", "index", "a.har", in: folder)
        #expect(run.output == "    0\n")
    }

    @Test(arguments: [
        ["entries", "a.har"], ["entries", "--tree", "a.har"], ["entries", "--sort", "time", "a.har"],
        ["entries", "--ndjson", "a.har"], ["stats", "a.har"], ["table", "a.har"], ["search", "a.har", "a.test"],
    ])
    func `a warning reports that no entry matches`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", "https://a.test/")), to: "a.har")
        let run = try await HarRun(arguments + ["--entries", "99"], in: folder)
        #expect(run.errors == "har: warning: no entry matches the conditions\n")
        #expect(run.status == (arguments[0] == "search" ? 1 : 0))
        #expect(try await HarRun(arguments + ["--entries", "0"], in: folder).errors == "")
    }
}
