import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct SplitTests {
    /// Returns the names of the files in a subfolder of the test's folder.
    private func names(in name: String = "parts", of folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent(name).path).sorted()
    }

    private func log(_ name: String, in folder: TemporaryFolder) throws -> HAR.Log {
        try HAR.Log(data: folder.read("parts/\(name)"))
    }

    @Test func `--by host writes one archive per host`() async throws {
        let folder = try TemporaryFolder()
        let log = HAR.Log.shop
        try folder.write(log, to: "shop.har")
        let run = try await HarRun("split", "--by", "host", "shop.har", "parts", in: folder)
        #expect(run.status == 0)
        #expect(run.output + run.errors == "")
        #expect(try names(of: folder) == ["cdn.test.har", "no-host.har", "shop.test.har"])
        #expect(try self.log("cdn.test.har", in: folder).entries == [log.entries[2]])
        #expect(try self.log("shop.test.har", in: folder).entries == [0, 1, 3, 4, 5].map { log.entries[$0] })
        #expect(try self.log("no-host.har", in: folder).fields == log.fields)
    }

    @Test func `--by page writes one archive per page`() async throws {
        let folder = try TemporaryFolder()
        let text = """
            {"log":{"entries":[{"pageref":"b"},{"n":1},{"pageref":"a"},{"pageref":"b"}],"_after":1,
            "pages":[{"id":"a"},{"id":"b","x":1.0}]},"beside":2}
            """
        try folder.write(Data(text.utf8), to: "a.har")
        #expect(try await HarRun("split", "--by", "page", "a.har", "parts", in: folder).status == 0)
        #expect(try names(of: folder) == ["a.har", "b.har", "no-page.har"])
        let expected = """
            {"log":{"entries":[{"pageref":"b"},{"pageref":"b"}],"_after":1,"pages":[{"id":"b","x":1.0}]},"beside":2}
            """
        #expect(try JSONValue(parsing: folder.read("parts/b.har")) == JSONValue(parsing: expected))
        #expect(try log("no-page.har", in: folder).pages == [])
    }

    @Test func `--by count writes parts with a fixed number of entries`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun(shell: #"cat shop.har | "$HAR" split --by count=3 - 'parts/x-*.txt'"#, in: folder)
        #expect(run.status == 0)
        #expect(try names(of: folder) == ["x-1.txt", "x-2.txt", "x-3.txt"])
        let counts = try names(of: folder).map { try log($0, in: folder).entries.count }
        #expect(counts == [3, 3, 1])
    }

    @Test func `only a part with a single entry is larger than the size limit`() async throws {
        let folder = try TemporaryFolder()
        var archive = HAR.Log.shop
        archive.entries = (0..<300).map {
            .sample("GET", "https://a.test/\($0)", body: String(repeating: "x", count: $0 == 100 ? 30_000 : $0))
        }
        try folder.write(archive, to: "a.har")
        #expect(try await HarRun("split", "--by", "size=20kB", "a.har", "parts", in: folder).status == 0)
        let names = try names(of: folder)
        let sizes = try names.map { try folder.read("parts/\($0)").count }
        let large = sizes.indices.filter { sizes[$0] > 20_000 }
        #expect(large.count == 1)
        #expect(sizes.filter { $0 > 18_000 }.count > sizes.count / 2)
        let logs = try names.map { try log($0, in: folder) }
        #expect(logs.flatMap(\.entries) == archive.entries)
        #expect(large.map { logs[$0].entries.count } == [1])
    }

    @Test func `har split never writes outside the output folder`() async throws {
        let folder = try TemporaryFolder()
        let ids = [
            "../x", "..", ".", "", "/etc/passwd", "A", "a", "a-2", "a\\b", "nul\0x", "é", "ü", "-r", "--version", "-",
            "*", "C:x",
            String(repeating: "y", count: 400), String(repeating: "y", count: 401), "no-page", ".hidden", "a b\n",
        ]
        var log = HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"))
        log.entries = ids.map { id in
            var entry = HAR.Entry.sample("GET", "https://a.test/")
            entry.pageref = id
            return entry
        }
        log.entries.append(.sample("GET", "https://a.test/"))
        try folder.write(log, to: "a.har")
        #expect(try await HarRun("split", "--by", "page", "a.har", "parts", in: folder).status == 0)
        #expect(try names(in: "", of: folder) == ["a.har", "parts"])
        let names = try names(of: folder)
        #expect(names.count == ids.count + 1)
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9._-]*\.har/) != nil && $0.count < 120 })
        #expect(try names.map { try self.log($0, in: folder).entries.count } == names.map { _ in 1 })
    }

    @Test func `har split never replaces a file, not even its input`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.test.har")
        let before = try folder.read("shop.test.har")
        let run = try await HarRun("split", "--by", "host", "shop.test.har", ".", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("shop.test.har: the file already exists"))
        #expect(try names(in: "", of: folder) == ["shop.test.har"])
        #expect(try folder.read("shop.test.har") == before)
    }

    @Test func `har split does not follow symbolic links out of the output folder`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let script = #"mkdir parts && ln -s ../outside parts/cdn.test.har && "$HAR" split --by host shop.har parts"#
        #expect(try await HarRun(shell: script, in: folder).status == 1)
        #expect(try names(in: "", of: folder) == ["parts", "shop.har"])
        #expect(try names(of: folder) == ["cdn.test.har"])
    }

    @Test func `no output remains if the input is invalid`() async throws {
        let folder = try TemporaryFolder()
        let text = Data(#"{"log":{"entries":[{},{}"#.utf8)
        let run = try await HarRun("split", "--by", "count=1", "-", "parts", in: folder, input: text)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: standard input:"))
        #expect(try names(in: "", of: folder) == [])
    }

    // The thread sanitizer terminates a process that has a file size limit.
    @Test(.disabled(if: isThreadSanitized))
    func `all parts are removed if a part cannot be written`() async throws {
        let folder = try TemporaryFolder()
        let large = String(repeating: "x", count: 200_000)
        try folder.write(.sample(.sample("GET", "a:1"), .sample("GET", "a:2", body: large)), to: "a.har")
        let script = #"ulimit -f 100; trap '' XFSZ; "$HAR" split --by count=1 a.har parts"#
        let run = try await HarRun(shell: script, in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("parts/2.har: The file cannot be written"))
        #expect(try names(in: "", of: folder) == ["a.har"])
    }

    @Test(arguments: ["count=1", "host", "size=1"])
    func `--max-parts limits the number of parts`(division: String) async throws {
        let folder = try TemporaryFolder()
        var log = HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"))
        log.entries = (0..<5).map { .sample("GET", "https://\($0).test/") }
        try folder.write(log, to: "a.har")
        let run = try await HarRun("split", "--by", division, "--max-parts", "4", "a.har", "parts", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("more than 4 parts"))
        #expect(try names(in: "", of: folder) == ["a.har"])
        #expect(
            try await HarRun("split", "--by", division, "--max-parts", "5", "a.har", "parts", in: folder).status == 0)
        #expect(try names(of: folder).count == 5)
    }

    @Test(arguments: ["count=1", "count=9223372036854775807", "host", "size=1"])
    func `--max-parts can be the largest number`(division: String) async throws {
        let folder = try TemporaryFolder()
        var log = HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"))
        log.entries = (0..<3).map { .sample("GET", "https://\($0).test/") }
        try folder.write(log, to: "a.har")
        let run = try await HarRun(
            "split", "--by", division, "--max-parts", "\(Int.max)", "a.har", "parts", in: folder)
        #expect(run.status == 0)
        #expect(try names(of: folder).count == (division.hasPrefix("count=9") ? 1 : 3))
    }

    @Test(arguments: [
        "a.har parts", "--by nonsense a.har parts", "--by count a.har parts", "--by count=0 a.har parts",
        "--by host=1 a.har parts", "--by size=x a.har parts", "--by host a.har '*-*'", "--by host a.har '*/x'",
        "--by host --max-parts 0 a.har parts",
    ])
    func `a usage error causes exit status 2`(line: String) async throws {
        let folder = try TemporaryFolder()
        #expect(try await HarRun(shell: #""$HAR" split \#(line)"#, in: folder).status == 2)
    }
}

#if THREAD_SANITIZER
    private let isThreadSanitized = true
#else
    private let isThreadSanitized = false
#endif
