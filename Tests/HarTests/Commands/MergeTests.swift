import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct MergeTests {
    /// Returns an archive with one entry for each second.
    private func archive(_ seconds: Int..., name: String) -> HAR.Log {
        var log = HAR.Log(creator: HAR.Creator(name: name, version: "1"))
        log.entries = seconds.map { second in
            var entry = HAR.Entry.sample("GET", "https://\(name).test/\(second)")
            entry.startedDateTime = "2026-01-01T12:00:0\(second).000Z"
            return entry
        }
        return log
    }

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(archive(3, 1, name: "a"), to: "a.har")
        try folder.write(archive(2, 4, name: "b"), to: "b.har")
        return folder
    }

    private let urls = ["https://a.test/1", "https://b.test/2", "https://a.test/3", "https://b.test/4"]

    @Test func `har merge orders the entries of archives by time`() async throws {
        let folder = try folder()
        let run = try await HarRun("merge", "a.har", "b.har", "c.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output + run.errors == "")
        let log = try HAR.Log(data: folder.read("c.har"))
        #expect(log.entries.map(\.request.url) == urls)
        #expect(log.creator?.name == "a")
    }

    @Test(arguments: ["null", "{}", "5"])
    func `pages are merged into an archive whose pages have another type`(pages: String) async throws {
        let folder = try folder()
        let first = String(decoding: try folder.read("a.har"), as: UTF8.self)
        try folder.write(Data(first.replacing("\"log\": {", with: "\"log\": {\"pages\": \(pages), ").utf8), to: "a.har")
        var second = archive(2, 4, name: "b")
        let timings = HAR.PageTimings()
        second.pages = [
            HAR.Page(startedDateTime: "2026-01-01T12:00:02.000Z", id: "P", title: "", pageTimings: timings)
        ]
        try folder.write(second, to: "b.har")
        let run = try await HarRun("merge", "a.har", "b.har", "c.har", in: folder)
        #expect(run.status == 0)
        let text = String(decoding: try folder.read("c.har"), as: UTF8.self)
        #expect(text.split(separator: "\"pages\"").count == 2)
        #expect(try HAR.Log(data: folder.read("c.har")).pages?.map(\.id) == ["P"])
    }

    @Test func `har merge reads from and writes to pipes`() async throws {
        let folder = try folder()
        let script = #"mkfifo p && (cat b.har > p &) && cat a.har | "$HAR" merge - p - | cat"#
        let run = try await HarRun(shell: script, in: folder)
        #expect(run.errors == "")
        #expect(try HAR.Log(data: run.data).entries.map(\.request.url) == urls)
    }

    @Test(arguments: [["a.har", "b.har"], ["a.har", "b.har", "a.har"]])
    func `har merge never replaces a file`(arguments: [String]) async throws {
        let folder = try folder()
        let before = [try folder.read("a.har"), try folder.read("b.har")]
        let line = arguments.joined(separator: " ")
        let run = try await HarRun(shell: #""$HAR" merge \#(line)"#, in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("the file already exists;"))
        #expect([try folder.read("a.har"), try folder.read("b.har")] == before)
    }

    @Test func `the error for an invalid input names the input, and no output is written`() async throws {
        let folder = try folder()
        let text = Data(#"{"log":{"entries":[{},{}"#.utf8)
        let run = try await HarRun("merge", "a.har", "-", "c.har", in: folder, input: text)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: standard input:"))
        let missing = try await HarRun("merge", "a.har", "x.har", "c.har", in: folder)
        #expect(
            missing.errors
                == "har: error: x.har: The file cannot be read: No such file or directory. Check the path. [unreadableFile]\n"
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["a.har", "b.har"])
    }

    @Test(arguments: ["", "a.har", "- - c.har"])
    func `a usage error causes exit status 2`(line: String) async throws {
        let folder = try folder()
        #expect(try await HarRun(shell: #""$HAR" merge \#(line)"#, in: folder).status == 2)
    }

    @Test func `har merge opens more archives than the limit for open files`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(.sample("GET", "https://a.test/")), to: "a.har")
        let script = #"ulimit -Sn 40; for i in $(seq 60); do ln a.har $i.har; done; "$HAR" merge [0-9]*.har merged.har"#
        let run = try await HarRun(shell: script, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try HAR.Log(data: folder.read("merged.har")).entries.count == 60)
    }
}
