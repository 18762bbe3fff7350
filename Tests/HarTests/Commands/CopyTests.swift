import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct CopyTests {
    @Test(arguments: ["b.7z", "b.har.tgz", "b.TAR", "b.rar"])
    func `a name of a format that cannot be written is an error`(name: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        for command in [["copy", "a.har", name], ["export", "--to", "markdown", "a.har", "-o", name]] {
            let run = try await HarRun(command, in: folder)
            #expect(run.status == 1)
            #expect(run.errors.contains("use one of: .gz, "), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(name).path))
        }
    }

    private static let document = Data(
        #"{"_a": 1, "log": {"entries": [{"b": 1.50, "b": "\ud83d"}, 7], "version": "1.2"}, "z": []}"#.utf8)

    @Test func `har copy writes an equal archive`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.document, to: "a.har")
        let run = try await HarRun("copy", "a.har", "b.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output + run.errors == "")
        #expect(try JSONValue(parsing: folder.read("b.har")) == JSONValue(parsing: Self.document))
    }

    @Test func `har copy reads from and writes to pipes`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.document, to: "a.har")
        let run = try await HarRun(shell: #"cat a.har | "$HAR" copy - - | cat"#, in: folder)
        #expect(try JSONValue(parsing: run.data) == JSONValue(parsing: Self.document))
    }

    @Test(arguments: ["unchanged", "compact", "pretty"])
    func `har copy applies a layout`(layout: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("copy", "--layout", layout, "-", "-", in: folder, input: Self.document)
        #expect(try JSONValue(parsing: run.data) == JSONValue(parsing: Self.document))
        #expect(run.output.contains(#"{"b": 1.50, "b": "\ud83d"}"#) == (layout == "unchanged"))
        #expect(run.output.contains(#"{"b":1.50,"b":"\ud83d"}"#) == (layout == "compact"))
        #expect(run.output.contains(#"      "b": 1.50,"# + "\n") == (layout == "pretty"))
    }

    @Test func `the output can be the same file as the input`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.document, to: "a.har")
        #expect(try await HarRun("copy", "a.har", "a.har", in: folder).status == 0)
        #expect(try JSONValue(parsing: folder.read("a.har")) == JSONValue(parsing: Self.document))
    }

    @Test func `an existing output file is unchanged if the input is invalid`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("before".utf8), to: "b.har")
        let run = try await HarRun("copy", "-", "b.har", in: folder, input: Self.document.dropLast(10))
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: standard input:"))
        #expect(try folder.read("b.har") == Data("before".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["b.har"])
    }
}
