import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// The permissions of the files that a recording creates.
@Suite(.limited) struct RecordingPermissionTests {
    private let archives: TemporaryArchives
    private let server: LoopbackServer

    init() throws {
        archives = try TemporaryArchives()
        server = try LoopbackServer { LoopbackServer.ok("live \($0.target)", headers: "Content-Type: text/plain\r\n") }
    }

    private var folder: URL { archives.folder.appendingPathComponent("Recordings") }
    private var shop: URL { folder.appendingPathComponent("shop.har") }

    private func permissions(_ url: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    /// The permissions of a new file, according to the umask of the process.
    private var usual: Int {
        get throws {
            let file = archives.folder.appendingPathComponent("usual")
            try Data().write(to: file)
            return try permissions(file)
        }
    }

    private func configuration(redacts: Bool, _ bodies: RecordingConfiguration.Bodies = .embed)
        -> Interceptor.Configuration
    {
        var configuration = Interceptor.Configuration.patient
        configuration.recording.bodies = bodies
        if !redacts { configuration.recording.redaction = nil }
        return configuration
    }

    private func names(_ isWanted: (String) -> Bool) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter(isWanted)
    }

    @Test(arguments: [true, false], [RecordingConfiguration.Bodies.embed, .attach])
    func `unredacted archives and all drafts are private`(
        redacts: Bool, bodies: RecordingConfiguration.Bodies
    ) async throws {
        let interceptor = try Interceptor.replaying(
            "shop", configuration: configuration(redacts: redacts, bodies), mode: .all, filePath: archives.sourceFile)
        _ = try await interceptor.session().text(server.url("/a"))
        try await wait { (try? names { $0.hasSuffix(".recording") })?.count == 1 }
        let draft = try #require(try names { $0.hasSuffix(".recording") }.first)
        #expect(try permissions(folder.appendingPathComponent(draft)) == 0o600)
        #expect(await interceptor.finishRecording()?.failures.isEmpty == true)
        let expected = redacts ? try usual : 0o600
        #expect(try permissions(shop) == expected)
        let files = try names { $0.hasSuffix(".txt") }
        #expect(files.count == (bodies == .attach ? 1 : 0))
        for file in files { #expect(try permissions(folder.appendingPathComponent(file)) == expected) }
    }

    @Test(arguments: [true, false]) func `a program that records without redaction creates a private archive`(
        redacts: Bool
    ) async throws {
        let url = archives.folder.appendingPathComponent("program.har")
        let interceptor = try Interceptor(recordingTo: url, configuration: configuration(redacts: redacts))
        #expect(try permissions(url) == (redacts ? usual : 0o600))
        await interceptor.finishRecording()
    }

    @Test(arguments: [0o640, 0o600, 0o664], [ReplayMode.new, .all])
    func `an existing archive keeps its permissions`(mode: Int, replayMode: ReplayMode) async throws {
        for redacts in [true, false] {
            try archives.write("Recordings/shop.har", saying: "old")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: shop.path)
            let interceptor = try Interceptor.replaying(
                "shop", configuration: configuration(redacts: redacts), mode: replayMode,
                filePath: archives.sourceFile)
            _ = try await interceptor.session().text(server.url("/a"))
            #expect(await interceptor.finishRecording()?.recordedCount == 1)
            #expect(try permissions(shop) == mode)
            try Interceptor(recordingTo: shop, configuration: configuration(redacts: redacts)).stop()
            #expect(try permissions(shop) == mode)
        }
    }

    @Test func `a use log is private`() throws {
        let log = UseLog(archives.folder.appendingPathComponent("uses.jsonl"))
        try log.append([
            UseLog.Line(
                archive: "/a.har", entryCount: 1, used: UsedEntries(IndexSet()), stamp: "s", date: Date())
        ])
        #expect(try permissions(log.url) == 0o600)
    }
}
