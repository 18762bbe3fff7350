import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct FilterTests {
    /// Filters the shop archive and returns the indices of the entries that were kept.
    private func kept(_ options: String...) async throws -> [Int] {
        let folder = try TemporaryFolder()
        var log = HAR.Log.shop
        for index in log.entries.indices {
            log.entries[index]["_n"] = .number(JSONNumber(index))
            log.entries[index].startedDateTime = "2026-01-01T12:00:0\(index).000Z"
        }
        try folder.write(log, to: "shop.har")
        let line = options.map { "'\($0)'" }.joined(separator: " ")
        let run = try await HarRun(shell: #""$HAR" filter \#(line) shop.har out.har"#, in: folder)
        #expect(run.status == 0)
        let warning = "har: warning: no entry matches the conditions; the output has no entries\n"
        let result = try HAR.Log(contentsOf: folder.url.appendingPathComponent("out.har"))
        #expect(result.fields == log.fields)
        #expect(run.output + run.errors == (result.entries.isEmpty ? warning : ""))
        return result.entries.compactMap { $0["_n"]?.int }
    }

    @Test func `har filter keeps entries that match a condition`() async throws {
        #expect(try await kept("--host", "cdn.*") == [2])
        #expect(try await kept("--url", "https://shop.test/*") == [0, 1, 3, 4, 5])
        #expect(try await kept("--url", "data:**") == [6])
        #expect(try await kept("--method", "post") == [1])
        #expect(try await kept("--status", "3xx") == [1])
        #expect(try await kept("--type", "image/*") == [2])
        #expect(try await kept("--failed") == [4])
        #expect(try await kept("--entries", "0,2-3,9") == [0, 2, 3])
        #expect(try await kept("--min-size", "10", "--max-size", "0.015kB") == [3])
        #expect(try await kept("--since", "2026-01-01T13:00:05+01:00") == [5, 6])
        #expect(try await kept("--until", "2026-01-01T12:00:02") == [0, 1])
        #expect(try await kept("--since", "2026-01-01", "--until", "2026-01-01T12:00").isEmpty)
    }

    @Test func `an entry must match one condition of each kind`() async throws {
        #expect(try await kept("--method", "POST", "--method", "PUT", "--status", "200,300-399") == [1])
        #expect(try await kept("--type", "image/png,video/mp4", "--host", "shop.test") == [5])
        #expect(try await kept("--url", "**/a.png", "--url", "**/film") == [2, 5])
    }

    @Test func `har filter --invert keeps the entries that do not match`() async throws {
        #expect(try await kept("--host", "shop.test", "--invert") == [2, 6])
        #expect(try await kept("--entries", "0-5", "--failed", "--invert") == [0, 1, 2, 3, 5, 6])
    }

    @Test func `har filter copies entries byte for byte, and all other fields`() async throws {
        let folder = try TemporaryFolder()
        let entry = #"{ "a":1.50,  "a": "\ud800" }"#
        let text = #"{"x":[1e2],"log":{"pages":[{"id":"1"}],"entries":[{}, 7, \#(entry)],"_y":{"z" : 1}}, "v":2}"#
        let run = try await HarRun("filter", "--entries", "1", "-", "-", in: folder, input: Data(text.utf8))
        #expect(run.output.contains(entry))
        let expected = #"{"x":[1e2],"log":{"pages":[{"id":"1"}],"entries":[\#(entry)],"_y":{"z" : 1}}, "v":2}"#
        #expect(try JSONValue(parsing: run.data) == JSONValue(parsing: expected))
    }

    @Test func `har filter --keep-index adds the index of each entry, which later copies keep`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun(
            "filter", "--keep-index", "--entries", "1", "-", "-", in: folder,
            input: Data(#"{"log":{"entries":[{},{"a":1.50,"b":{"c" : "\ud800"}}]}}"#.utf8))
        for text in [#""a": 1.50"#, #"{"c" : "\ud800"}"#, #""_index": 1"#] { #expect(run.output.contains(text)) }
        for (input, output, host) in [("shop.har", "one.har", "*.test"), ("one.har", "two.har", "cdn.test")] {
            let run = try await HarRun("filter", "--keep-index", "--host", host, input, output, in: folder)
            #expect(run.status == 0)
        }
        let index = try #require(HAR.Log.shop.entries.firstIndex { $0.request.url.contains("cdn.test") })
        #expect(index > 0)
        let json = try await HarRun("entries", "--columns", "index,original", "--json", "two.har", in: folder)
        #expect(json.output.contains(#""original":\#(index)"#), "\(json.output)")
    }

    @Test func `the output can be the same file as the input`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        #expect(try await HarRun("filter", "--failed", "a.har", "a.har", in: folder).status == 0)
        #expect(try HAR.Log(data: folder.read("a.har")).entries == [HAR.Log.shop.entries[4]])
    }

    @Test func `an existing output file is unchanged if the input is invalid`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("before".utf8), to: "b.har")
        let text = Data(#"{"log":{"entries":[{},{}"#.utf8)
        let run = try await HarRun("filter", "--failed", "-", "b.har", in: folder, input: text)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: standard input:"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["b.har"])
        #expect(try folder.read("b.har") == Data("before".utf8))
    }

    @Test(arguments: [
        ["--host", ""], ["--host", ","], ["--url", ""], ["--method", ""], ["--status", ""], ["--type", ""],
        ["--since", ""], ["--until", ""], ["--min-size", ""], ["--max-size", ""], ["--slower-than", ""],
        ["--search", ""], ["--entries", ""],
    ])
    func `an empty condition is an error, as for an unset variable in a shell`(condition: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun(["entries"] + condition + ["shop.har"], in: folder)
        #expect((run.status, run.output) == (2, ""))
        #expect(run.errors.contains(condition[0]))
    }

    @Test(arguments: [
        [], ["--invert"], ["--status", "2x"], ["--status", "300-200"], ["--status", "200,"], ["--entries", "-1"],
        ["--entries", "99999999999999999999"], ["--since", "today"], ["--since", "2026-02-30"],
        ["--min-size", "1 lot"],
        ["--min-size", "9999999999999 TB"], ["--min-size", "2", "--max-size", "1"], ["--type", "page"],
        ["--search", ""], ["--slower-than", "1 day"],
        ["--since", "2026-01-02", "--until", "2026-01-01"],
    ])
    func `invalid conditions cause exit status 2`(options: [String]) async throws {
        let folder = try TemporaryFolder()
        let line = options.map { "'\($0)'" }.joined(separator: " ")
        let run = try await HarRun(shell: #""$HAR" filter \#(line) a.har b.har"#, in: folder)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("har: error: "))
    }

    @Test func `--keep-index keeps a field with the same name of another tool`() async throws {
        let folder = try TemporaryFolder()
        var log = HAR.Log.sample()
        let values: [JSONValue] = ["7", .null, true, 3.5, -1]
        log.entries = values.map { value in
            var entry = HAR.Entry.sample("GET", "https://a.test/")
            entry["_index"] = value
            return entry
        }
        try folder.write(log, to: "a.har")
        #expect(try await HarRun("filter", "--keep-index", "--status", "200", "a.har", "b.har", in: folder).status == 0)
        #expect(try HAR.Log(data: folder.read("b.har")).entries.map { $0["_index"] } == values)
        let columns = try await HarRun("entries", "--columns", "original", "b.har", in: folder).output
        #expect(columns.split(separator: "\n").map { Int($0.filter(\.isNumber)) } == [0, 1, 2, 3, 4])
    }
}
