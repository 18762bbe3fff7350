import Foundation
import HTTPArchive
import Testing

/// Tests of how `har diff` pairs entries, and of what it compares in a pair.
@Suite(.limited) struct DiffPairingTests {
    private func log(_ entries: [HAR.Entry]) -> HAR.Log {
        var log = HAR.Log.sample()
        log.entries = entries
        return log
    }

    @Test(arguments: [[2], [1], [3], [1, 3]])
    func `entries with equal requests are paired by their responses if one is missing`(missing: [Int]) async throws {
        func polls(_ numbers: [Int]) -> HAR.Log {
            log(numbers.map { .json(#"{"result": \#($0), "ts": \#(1_700_000_000 + numbers.count + $0)}"#) })
        }
        let run = try await HarRun.diff(polls([1, 2, 3]), polls([1, 2, 3].filter { !missing.contains($0) }))
        let removed = missing.map { "- \($0 - 1) GET https://a.test/ 200\n" }
        for line in removed { #expect(run.output.contains(line), "\(run.output)") }
        #expect(run.output.hasSuffix("\n0 added, \(missing.count) removed, 0 changed, \(3 - missing.count) equal\n"))
    }

    @Test func `requests with the same operation are paired`() async throws {
        func query(_ operation: String, _ value: Int) -> HAR.Entry {
            .post(
                #"{"operationName": "\#(operation)", "query": "query \#(operation) { x }", "variables": {"v": \#(value)}}"#,
                response: operation)
        }
        let run = try await HarRun.diff(log([query("a", 1), query("b", 1)]), log([query("b", 1), query("a", 2)]))
        #expect(
            run.output == """
                ~ 0 → 1 POST https://a.test/post
                    request body /variables/v: 1 → 2
                0 added, 0 removed, 1 changed, 1 equal

                """)
    }

    @Test func `conditions select pairs if either entry matches`() async throws {
        func entry(_ status: Int) -> HAR.Entry { .sample("GET", "https://a.test/", status: status) }
        for status in ["200", "404"] {
            let run = try await HarRun.diff(log([entry(404)]), log([entry(200)]), "--status", status)
            #expect(run.output.contains("\n    status 404 → 200\n0 added, 0 removed, 1 changed"), "\(run.output)")
        }
        let none = try await HarRun.diff(log([entry(404)]), log([entry(200)]), "--host", "other.test")
        #expect(none.status == 0)
        #expect(none.errors == "har: warning: no entry matches the conditions\n")
    }

    @Test func `bodies that were not captured are compared by size`() async throws {
        func entry(_ body: String?, size: Int) -> HAR.Log {
            var entry = HAR.Entry.sample("GET", "https://a.test/", body: body)
            entry.response.content.size = size
            return log([entry])
        }
        for (first, second, line) in [
            (entry("", size: 0), entry(nil, size: 5), "body 0 bytes (SHA-256 e3b0c44298fc…) → 5 bytes, not captured"),
            (entry(nil, size: 5), entry(nil, size: 7), "body 5 bytes, not captured → 7 bytes, not captured"),
            (
                entry(nil, size: 5), entry("12345", size: 5),
                "body 5 bytes, not captured → 5 bytes (SHA-256 5994471abb01…)"
            ),
        ] {
            #expect(try await HarRun.diff(first, second).output.contains("\n    \(line)\n"), "\(line)")
        }
        for (first, second) in [
            (entry("", size: 0), entry(nil, size: 0)), (entry("", size: 0), entry(nil, size: -1)),
            (entry(nil, size: -1), entry(nil, size: 7)),
        ] {
            #expect(try await HarRun.diff(first, second).status == 0)
        }
    }

    @Test func `a missing body file is a warning and an error status`() async throws {
        let folder = try TemporaryFolder()
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: nil)
        entry.response.content["_file"] = "missing.txt"
        try folder.write(log([entry, .sample("GET", "https://a.test/b", status: 404)]), to: "a.har")
        try folder.write(log([entry, .sample("GET", "https://a.test/b")]), to: "b.har")
        let same = try await HarRun("diff", "a.har", "a.har", in: folder)
        #expect(same.status == 2)
        #expect(same.errors.contains("entry 0: missing.txt: body file not read"))
        let other = try await HarRun("diff", "a.har", "b.har", in: folder)
        #expect(other.status == 2)
        #expect(other.output.contains("\n    status 404 → 200\n") && other.output.hasSuffix("1 changed, 1 equal\n"))
    }

    @Test func `only missing credentials are a difference by default`() async throws {
        func entry(_ names: [String], value: String) -> HAR.Entry {
            .sample("GET", "https://a.test/", requestHeaders: names.map { HAR.Header(name: $0, value: value) })
        }
        let names = ["Authorization", "Origin", "User-Agent", "Referer", "If-None-Match"]
        let missing = try await HarRun.diff(log([entry(names, value: "a")]), log([entry([], value: "")]))
        #expect(missing.output.contains("\n    - request header authorization: •••\nignored "), "\(missing.output)")
        let other = try await HarRun.diff(log([entry(names, value: "a")]), log([entry(names, value: "b")]))
        #expect(other.status == 0)
    }

    @Test func `only --all compares status texts, the number of fields and the order of query items`() async throws {
        func entry(_ url: String, _ text: String, _ values: [String]) -> HAR.Entry {
            var entry = HAR.Entry.sample("GET", url, headers: values.map { HAR.Header(name: "X-A", value: $0) })
            entry.response.statusText = text
            return entry
        }
        let first = log([entry("https://a.test/?a=1&a=2", "OK", ["1, 2"])])
        let second = log([entry("https://a.test/?a=2&a=1", "Fine", ["1", "2"])])
        #expect(try await HarRun.diff(first, second).status == 0)
        let all = try await HarRun.diff(first, second, "--all")
        for line in [
            "query a: 1, 2 → 2, 1", "statusText OK → Fine", "header x-a: 1, 2 (1 field) → 1, 2 (2 fields)",
        ] {
            #expect(all.output.contains("\n    \(line)\n"), "\(all.output)")
        }
    }
}
