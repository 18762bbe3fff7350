import Foundation
import HTTPArchive
import Testing

@Suite struct RepairTests {
    private static let broken = Data(#"{"log":{"version":"1.2","entries":[{"a":1},{"b":2},{"c":"#.utf8)

    @Test func `mends an archive in its place, and says what was done`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.broken, to: "a.har")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        let run = try await HarRun("repair", "a.har", in: folder)
        #expect(run.status == 0)
        #expect(run.output == "a.har: mended; 2 entries kept, 6 bytes cut off\n")
        #expect(try HAR.Log(contentsOf: file).entries.count == 2)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        let again = try await HarRun("repair", "a.har", in: folder)
        #expect(again.status == 0)
        #expect(again.output == "a.har: whole; 2 entries\n")
    }

    @Test func `what is broken otherwise stays as it is`() async throws {
        let folder = try TemporaryFolder()
        let data = Data(#"{"log":{"entries":[{"a":1},x,{"b":2}]}}"#.utf8)
        let file = try folder.write(data, to: "a.har")
        let run = try await HarRun("repair", "a.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: "))
        #expect(try Data(contentsOf: file) == data)
    }

    @Test func `a file that is not there is an error, and none is made`() async throws {
        let folder = try TemporaryFolder()
        #expect(try await HarRun("repair", "a.har", in: folder).status == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("a.har").path))
        #expect(try await HarRun("repair", "-", in: folder).status == 2)
    }

    @Test func `other commands refuse a part of an archive, and name the cure`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.broken, to: "a.har")
        let run = try await HarRun("merge", "a.har", "-o", "b.har", in: folder)
        #expect(run.status != 0)
    }
}
