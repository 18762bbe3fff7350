import ArgumentParser
import Foundation
import HTTPArchive
import Testing

@testable import har

/// Archives in which every number and every date takes extreme and malformed values.
@Suite(.limited) struct ExtremeNumbersTests {
    /// Numbers at the limits of the types that commands convert them to, numbers as text, and values of other types.
    private static let numbers = [
        "9223372036854775807", "9223372036854775296", "-9223372036854775808", "-9223372036854775296",
        "9223372036854775808", "18446744073709551616", "2147483648", "-2147483649", "4294967296", "1e308", "-1e308",
        "1e-320", "1e400", "-1e400", "1e999999999999999999", "-0.0", "0.5", "-1", "1e18", "9.3e18", #""NaN""#,
        #""-Infinity""#,
        #""9223372036854775807""#, #""1e308""#, "null", "true", "[]", "{}",
    ]

    private static let dates = [
        "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999-23:59",
        "0000-01-01T00:00:00+23:59",
        "99999-01-01T00:00:00Z", "-9999-01-01T00:00:00Z", "2026-02-31T00:00:00Z", "1e308", "9223372036854775807",
        "2026-01-01T00:00:00.99999999999999999999Z", "",
    ]

    /// The fields of an entry with numbers, in groups that take the same value.
    private static let groups = [
        ["time"], ["status"], ["size"], ["bodySize"], ["sent", "length"], ["compression"], ["headersSize", "hits"],
        ["requestSize", "requestHeadersSize"], ["blocked", "dns", "connect", "ssl"], ["send", "wait", "receive"],
        ["messageTime", "opcode"], ["index", "code", "port"],
    ]

    /// Returns an entry with values for some of the fields.
    private static func entry(_ values: [String: String], started: String = #""2026-01-01T00:00:00Z""#) -> String {
        func value(_ name: String, _ usual: String = "1") -> String { values[name] ?? usual }
        func text(_ name: String, _ usual: String) -> String { value(name, usual).replacing("\"", with: "") }
        let cookie = #"{"name":"a","value":"b","expires":\#(started)}"#
        let phases = ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"].map { "\"\($0)\":\(value($0))" }
        let messages = #"[{"type":"send","time":\#(value("messageTime")),"opcode":\#(value("opcode")),"data":"eA=="}]"#
        return #"""
            {"startedDateTime":\#(started),"time":\#(value("time")),"pageref":"p","_index":\#(value("index")),
            "_recorded_at":\#(value("messageTime")),"_webSocketMessages":\#(messages),
            "request":{"method":"GET","url":"http://a.test:\#(text("port", "80"))/","httpVersion":"HTTP/1.1","cookies":[\#(cookie)],
            "headers":[],"queryString":[],"headersSize":\#(value("requestHeadersSize")),"bodySize":\#(value("requestSize"))},
            "response":{"status":\#(value("status", "200")),"statusText":"","httpVersion":"HTTP/1.1","cookies":[\#(cookie)],
            "headers":[{"name":"Content-Length","value":"\#(text("length", "28"))"}],"redirectURL":"",
            "content":{"size":\#(value("size", "28")),"compression":\#(value("compression", "0")),"mimeType":"application/json",
            "text":"{\"password\":\"correcthorse42\"}"},"headersSize":\#(value("headersSize")),
            "bodySize":\#(value("bodySize", "28")),"_transferSize":\#(value("sent", "28")),"_urlErrorCode":\#(value("code"))},
            "cache":{"beforeRequest":{"lastAccess":\#(started),"eTag":"","hitCount":\#(value("hits"))}},
            "timings":{\#(phases.joined(separator: ","))}}
            """#
    }

    /// An archive with an entry for each group and value, and an entry for each value in all fields.
    private static let archive: Data = {
        var entries = numbers.flatMap { number in
            (groups + [groups.flatMap(\.self)]).map { fields in
                entry(.init(uniqueKeysWithValues: fields.map { ($0, number) }))
            }
        }
        entries += dates.map { entry([:], started: "\"\($0)\"") } + numbers.map { entry([:], started: $0) }
        let pages = numbers.map { number in
            #"{"startedDateTime":"2026-01-01T00:00:00Z","id":"p","title":"","pageTimings":{"onLoad":\#(number),"onContentLoad":\#(number)}}"#
        }
        let log = #""version":"1.2","creator":{"name":"x","version":"1"},"pages":[\#(pages.joined(separator: ","))]"#
        return Data("{\"log\":{\(log),\"entries\":[\n\(entries.joined(separator: ",\n"))]}}".utf8)
    }()

    private static let commands =
        [
            "inspect --full a.har", "inspect --json a.har", "entries a.har", "entries --json a.har",
            "entries --ndjson a.har", "entries --tree a.har", "entries --sort size a.har", "entries --sort time a.har",
            "entries --sort status a.har", "entries --sort start a.har",
            "entries --columns \(EntryColumn.list.replacing(" ", with: "")) a.har",
            "entries --slower-than 1s --min-size 1 --max-size 9000TB --until 9999-01-01 a.har",
            "entries --status 0-9223372036854775807 --entries 1-9223372036854775807 a.har", "show --full a.har 0-400",
            "search --json a.har -- -", "search --regex a.har [0-9]+", "stats a.har", "stats --json a.har",
            "stats --by status --sort total --csv a.har", "stats --by page --by type --sort bytes a.har",
            "waterfall a.har", "waterfall --width 10000 --limit 9223372036854775807 a.har", "diff a.har a.har",
            "diff --all --json a.har b.har", "diff --matching a.har b.har", "body a.har 0", "check --all a.har",
            "check --secrets --json a.har", "redact a.har out/redacted.har", "copy --layout pretty a.har out/copy.har",
            "filter --status 1-9223372036854775807 --keep-index a.har out/filtered.har",
            "split --by count=9223372036854775807 a.har out/count", "split --by size=9000TB a.har out/size",
            "split --by size=100kB a.har out/small", "split --by host a.har out/host", "split --by page a.har out/page",
            "merge a.har b.har out/merged.har", "merge --driver a.har a.har b.har", "diff --markdown a.har b.har",
            "show --textconv a.har", "redact --dry-run a.har", "replay a.har", "replay --json a.har",
            "import a.har out/imported.har",
            "shape a.har", "shape --to openapi a.har", "shape --to swift a.har", "verify --against b.har a.har",
            "verify --against b.har --values --json a.har", "verify --live --dry-run a.har",
            "table a.har", "table --format ndjson --bodies a.har", "status a.har", "status --json a.har",
            "repair --json a.har out/repaired.har", "index --output out/a.index a.har",
        ] + ExportFormat.allCases.map { "export --to \($0) a.har out/exported-\($0)" }

    @Test func `every command that reads archives is tested`() {
        let tested = Set(Self.commands.compactMap { $0.split(separator: " ").first.map(String.init) })
        let all = HARCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        #expect(Set(all).subtracting(tested) == ["proxy", "record", "serve", "view"])
    }

    @Test(arguments: commands) func `no command ends with a signal or prints a negative total`(command: String)
        async throws
    {
        let folder = try TemporaryFolder()
        try folder.write(Self.archive, to: "a.har")
        let other = String(decoding: Self.archive, as: UTF8.self).replacing("1e308", with: "2")
        try folder.write(Data(other.utf8), to: "b.har")
        let output = folder.url.appendingPathComponent("out")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let run = try await HarRun(command.split(separator: " ").map(String.init), in: folder)
        // Other statuses are numbers of signals or usage errors.
        #expect([0, 1].contains(run.status), "\(run.errors.prefix(500))")
        let pattern = #/-\d[\d.]* (?:bytes|[kMGTP]B)\b|"\w*[bB]ytes": ?-\d+/#
        let negative = run.output.firstMatch(of: pattern).map { String($0.output) }
        #expect(negative == nil)
    }

    @Test(arguments: ["9223372036854775296", "9223372036854775807", "4611686018427387905"])
    func `a total that exceeds the range of integers is the largest integer`(size: String) async throws {
        let folder = try TemporaryFolder()
        let entries = [Self.entry(["size": size]), Self.entry(["size": size])].joined(separator: ",")
        try folder.write(Data("{\"log\":{\"version\":\"1.2\",\"entries\":[\(entries)]}}".utf8), to: "a.har")
        let stats = try JSONValue(parsing: try await HarRun("stats", "--json", "a.har", in: folder).data)
        #expect(stats["bytes"]?.int == .max)
        #expect(stats["largest"]?[0]?["size"]?.number?.text == size)
        let summary = try JSONValue(parsing: try await HarRun("inspect", "--json", "a.har", in: folder).data)
        #expect(summary["bodyBytes"]?.int == .max)
        let text = try await HarRun("stats", "a.har", in: folder).output
        #expect(text.contains("Bodies    9223.4 PB\n"), "\(text)")
    }
}
