import Foundation
import HTTPArchive
import Testing

/// Tests that copies of archives contain the body files that their entries refer to.
@Suite(.limited) struct CopiedBodyFileTests {
    /// Returns a folder with two archives in different subfolders, whose body files have the same name.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        func makeFolder(_ name: String) throws {
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent(name), withIntermediateDirectories: false)
        }
        for (name, second) in [("a", 1), ("b", 2)] {
            var entry = HAR.Entry.sample("GET", "https://\(name).test/", body: nil)
            entry.startedDateTime = "2026-01-01T12:00:0\(second).000Z"
            entry.response.content.size = 9
            entry.response.content["_file"] = "body.txt"
            try makeFolder(name)
            try folder.write(.sample(entry), to: "\(name)/x.har")
            try folder.write(Data("text of \(name)".utf8), to: "\(name)/body.txt")
        }
        try makeFolder("out")
        return folder
    }

    @Test(arguments: [
        "copy a/x.har out/x.har", "copy --layout pretty a/x.har out/x.har", "copy a/x.har - > out/x.har",
        "filter --host a.test a/x.har out/x.har", "filter --host a.test --keep-index a/x.har out/x.har",
        "split --by count=1 a/x.har 'out/x*.har' && mv out/x1.har out/x.har", "merge a/x.har out/x.har",
        "copy a/x.har b/y.har && mv b/y.har out/x.har", "repair a/x.har out/x.har",
        "repair a/x.har > log && head -c -3 a/x.har > a/cut.har && \"$HAR\" repair a/cut.har out/x.har",
        "repair a/x.har - > out/x.har 2> log",
        // A reference in a zip file refers to a file in the zip file.
        "copy a/x.har a/x.zip && mv a/x.zip out/x.har", "filter --host a.test a/x.har a/x.zip && mv a/x.zip out/x.har",
        "merge a/x.har a/x.zip && mv a/x.zip out/x.har", "repair a/x.har a/x.har.zip && mv a/x.har.zip out/x.har",
        "split --by count=1 a/x.har 'a/y*.zip' && mv a/y1.zip out/x.har",
        "redact a/x.har a/x.zip 2> log && mv a/x.zip out/x.har",
    ])
    func `a copy in another folder contains the body`(command: String) async throws {
        let folder = try folder()
        let run = try await HarRun(shell: "\"$HAR\" \(command)", in: folder)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        #expect(try await HarRun("body", "out/x.har", "0", in: folder).output == "text of a")
        let check = try await HarRun("check", "out/x.har", in: folder)
        #expect(check.output.hasSuffix(": 0 errors, 0 warnings, 0 notes\n"), "\(check.output)")
    }

    @Test(arguments: ["copy", "filter --status 200", "redact", "repair", "table -o"])
    func `a file in a zip file is not written`(command: String) async throws {
        let folder = try folder()
        #expect(try await HarRun("copy", "a/x.har", "a/x.zip", in: folder).status == 0)
        let words = command.hasPrefix("table") ? "table --format csv a/x.har -o" : "\(command) a/x.har"
        let run = try await HarRun(shell: "\"$HAR\" \(words) a/x.zip:new.har", in: folder)
        #expect(run.status == 1 && run.errors.contains("x.zip:new.har: A file in a zip file cannot be written."))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("a").path)
        #expect(names.sorted() == ["body.txt", "x.har", "x.zip"])
    }

    @Test func `har merge keeps the bodies of several folders apart`() async throws {
        let folder = try folder()
        let run = try await HarRun("merge", "a/x.har", "b/x.har", "a/merged.har", in: folder)
        #expect(run.status == 0)
        #expect(try await HarRun("body", "a/merged.har", "0", in: folder).output == "text of a")
        #expect(try await HarRun("body", "a/merged.har", "1", in: folder).output == "text of b")
        // The body of the archive in the same folder remains in its file.
        let log = try HAR.Log(data: folder.read("a/merged.har"))
        #expect(log.entries.map { $0.response.content["_file"]?.text } == ["body.txt", nil])
    }

    @Test func `an archive that is repaired in its folder still refers to the file`() async throws {
        let folder = try folder()
        let archive = try folder.read("a/x.har")
        try folder.write(archive.dropLast(3), to: "a/x.har")
        let run = try await HarRun("repair", "a/x.har", in: folder)
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        let log = try HAR.Log(data: folder.read("a/x.har"))
        #expect(log.entries.map { $0.response.content["_file"]?.text } == ["body.txt"])
    }

    @Test(arguments: ["filter --host a.test", "copy", "merge", "repair"])
    func `a body file that is missing is a warning`(command: String) async throws {
        let folder = try folder()
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent("a/body.txt"))
        let run = try await HarRun(shell: "\"$HAR\" \(command) a/x.har out/x.har", in: folder)
        #expect(run.status == 0)
        #expect(
            run.errors.hasPrefix(
                "har: warning: FOLDER/a/body.txt: body file not copied, although the output refers to it: "))
        let check = try await HarRun("check", "a/x.har", in: folder)
        #expect(check.status == 0)
        #expect(check.output.contains("[missing-body-file] at /log/entries/0/response/content/_file"))
    }
}
