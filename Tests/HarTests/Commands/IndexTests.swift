import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct IndexTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)

    /// Returns a folder with an archive that was last modified at `date`.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        try setTime(of: "shop.har", in: folder)
        return folder
    }

    private func setTime(of name: String, in folder: TemporaryFolder, to date: Date = IndexTests.date) throws {
        let path = folder.url.appendingPathComponent(name).path
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    private func kept(in folder: TemporaryFolder) -> [String] {
        let files = FileManager.default.enumerator(at: folder.caches, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).map(\.lastPathComponent).filter { $0.hasSuffix(".harindex") }
    }

    @Test func `har index writes an index to the user's cache folder and prints its path`() async throws {
        let folder = try folder()
        let run = try await HarRun("index", "shop.har", in: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.wholeMatch(of: /7 entries, \d+ bytes: .*\/relay\/shop\.har-[0-9a-f]{16}\.harindex\n/) != nil)
        #expect(kept(in: folder).count == 1)
        #expect(try await HarRun("index", "shop.har", in: folder).output == run.output)
        #expect(kept(in: folder).count == 1)
    }

    @Test func `an index at a given path is written and used`() async throws {
        let folder = try folder()
        let run = try await HarRun("index", "shop.har", "--output", "shop.harindex", in: folder)
        #expect(run.status == 0)
        #expect(run.output.hasSuffix("/shop.harindex\n"))
        #expect(kept(in: folder).isEmpty)
        let index = folder.url.appendingPathComponent("shop.harindex")
        let archive = try HARArchive(
            contentsOf: folder.url.appendingPathComponent("shop.har"), index: .use(in: .file(index)))
        #expect(archive.count == 7)
    }

    @Test func `har index --remove deletes an index`() async throws {
        let folder = try folder()
        _ = try await HarRun("index", "shop.har", in: folder)
        let run = try await HarRun("index", "--remove", "shop.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("deleted: "))
        #expect(kept(in: folder).isEmpty)
        let again = try await HarRun("index", "--remove", "shop.har", in: folder)
        #expect(again.status == 0)
        #expect(again.output.hasPrefix("no index: "))
    }

    @Test func `writing an index fails if the file cannot be written`() async throws {
        let folder = try folder()
        let run = try await HarRun("index", "shop.har", "-o", "missing/shop.harindex", in: folder)
        #expect(run.status == 1)
        #expect(
            run.errors
                == "har: error: FOLDER/missing/shop.harindex: The file cannot be written: No such file or directory. "
                + "Create its folder first. [unwritableFile]\n")
    }

    @Test(arguments: [[], ["--remove"]])
    func `a file that is not an index is never replaced or deleted`(options: [String]) async throws {
        let folder = try folder()
        try folder.write(Data("notes".utf8), to: "notes.txt")
        try folder.write(Data(), to: "empty")
        let file = { folder.url.appendingPathComponent($0).path }
        #expect(symlink("shop.har", file("link")) == 0 && link(file("shop.har"), file("hardlink")) == 0)
        #expect(mkfifo(file("pipe"), 0o600) == 0)
        let before = try folder.read("shop.har")
        for name in ["shop.har", "./shop.har", "link", "hardlink", "notes.txt", "empty", "pipe", ".", "/dev/null"] {
            let run = try await HarRun(["index", "-o", name] + options + ["shop.har"], in: folder)
            #expect(run.status == 1, "\(name)")
            #expect(run.errors.contains("is not an archive index"), "\(name): \(run.errors)")
        }
        #expect(try folder.read("shop.har") == before && folder.read("hardlink") == before)
        #expect(try folder.read("notes.txt") == Data("notes".utf8))
        #expect(FileManager.default.fileExists(atPath: file("pipe")))
        #expect(try await HarRun("index", "-o", "a.harindex", "shop.har", in: folder).status == 0)
        #expect(try await HarRun(["index", "-o", "a.harindex"] + options + ["shop.har"], in: folder).status == 0)
    }

    @Test func `har index waits if the archive was just written`() async throws {
        let folder = try folder()
        try setTime(of: "shop.har", in: folder, to: Date() - 1.5)
        #expect(try await HarRun("index", "shop.har", in: folder).status == 0)
        #expect(kept(in: folder).count == 1)
    }

    /// Returns a large archive whose only URL is outside the sampled content, so a change to it is not detected.
    private func largeArchive(url: String) -> Data {
        let filler = #"{"comment":"\#(String(repeating: "x", count: 1_990_000))"}"#
        let content = #"{"size":0,"mimeType":"text/plain","text":""}"#
        let entry = #"{"request":{"method":"GET","url":"\#(url)"},"response":{"status":200,"content":\#(content)}}"#
        return Data(#"{"log":{"version":"1.2","entries":[\#(filler),\#(entry),\#(filler)]}}"#.utf8)
    }

    @Test func `har replay uses an existing index but does not write one`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(largeArchive(url: "https://old.test/"), to: "a.har")
        try setTime(of: "a.har", in: folder)
        #expect(try await HarRun("replay", "a.har", "https://old.test/", in: folder).status == 0)
        #expect(kept(in: folder).isEmpty)
        _ = try await HarRun("index", "a.har", in: folder)
        try folder.write(largeArchive(url: "https://new.test/"), to: "a.har")
        try setTime(of: "a.har", in: folder)
        // The index has the old URL, and the entry has the new URL.
        let old = try await HarRun("replay", "a.har", "https://old.test/", in: folder)
        #expect(old.output.hasPrefix("1 GET https://new.test/: different: "))
        _ = try await HarRun("index", "--remove", "a.har", in: folder)
        let new = try await HarRun("replay", "a.har", "https://old.test/", in: folder)
        #expect(new.output.hasPrefix("- GET https://old.test/: different: "))
        #expect(try await HarRun("replay", "a.har", "https://new.test/", in: folder).status == 0)
    }

    @Test func `a stale index is not used`() async throws {
        let folder = try folder()
        _ = try await HarRun("index", "shop.har", in: folder)
        try folder.write(.sample(.sample("GET", "https://new.test/", body: "new")), to: "shop.har")
        try setTime(of: "shop.har", in: folder)
        let run = try await HarRun("replay", "shop.har", "https://new.test/", in: folder)
        #expect(run.status == 0)
    }
}
