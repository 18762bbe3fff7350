import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// Recordings whose archive cannot be written.
///
/// Requests still receive their responses, and the report lists the failures.
@Suite(.limited) struct RecorderFaultTests {
    private let archives: TemporaryArchives
    private let server: LoopbackServer

    init() throws {
        archives = try TemporaryArchives()
        server = try LoopbackServer { LoopbackServer.ok("live \($0.target)") }
    }

    private var folder: URL { archives.folder.appendingPathComponent("Recordings") }
    private var shop: URL { folder.appendingPathComponent("shop.har") }

    private func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    /// Returns an interceptor that records to an archive, and its recorder.
    private func recording(into archive: URL) -> (Interceptor, Recorder) {
        let configuration = Interceptor.Configuration()
        let recorder = Recorder(
            into: archive,
            output: .draft(RecordingDraft(of: archive, from: RecordingPlan(settings: configuration.recording))),
            page: nil,
            settings: configuration.recording)
        let interceptor = Interceptor(
            name: "shop", archives: ArchiveLayers([], configuration: configuration), mode: .all, recorder: recorder,
            configuration: configuration)
        return (interceptor, recorder)
    }

    /// Makes requests and returns the response bodies.
    private func ask(_ interceptor: Interceptor, _ paths: String...) async throws -> [String] {
        let session = interceptor.session()
        var answers: [String] = []
        for path in paths { answers.append(try await session.text(server.url(path))) }
        return answers
    }

    /// Waits until the draft has its first entry.
    private func waitForDraft() async {
        while true {
            let draft = names().first { $0 != "shop.har" }.map { folder.appendingPathComponent($0) }
            if let draft, (try? HARArchive(contentsOf: draft).count) == 1 { return }
            await Task.yield()
        }
    }

    private func texts(of archive: URL) throws -> [String] {
        try HAR.Log(contentsOf: archive).entries.map { $0.response.content.text ?? "none" }
    }

    @Test func `a folder that cannot be created is reported, and requests still receive responses`() async throws {
        let file = archives.folder.appendingPathComponent("file")
        try Data("text".utf8).write(to: file)
        let (interceptor, _) = recording(into: file.appendingPathComponent("Recordings/shop.har"))
        #expect(try await ask(interceptor, "/a", "/b") == ["live /a", "live /b"])
        let report = try #require(await interceptor.finishRecording())
        #expect(report.recordedCount == 0)
        #expect(report.failures.map(\.code) == [.unwritableFile, .unwritableFile])
        #expect(try Data(contentsOf: file) == Data("text".utf8))
    }

    @Test func `a folder that is removed while recording is reported, and no partial archive is created`() async throws
    {
        let (interceptor, _) = recording(into: shop)
        #expect(try await ask(interceptor, "/a") == ["live /a"])
        await waitForDraft()
        try FileManager.default.removeItem(at: folder)
        #expect(try await ask(interceptor, "/b") == ["live /b"])
        let report = try #require(await interceptor.finishRecording())
        #expect(report.recordedCount == 0)
        #expect(!report.failures.isEmpty)
        #expect(names().isEmpty)
    }

    @Test func `an archive that is deleted while it is re-recorded is created again`() async throws {
        try archives.write("Recordings/shop.har", saying: "old")
        let (interceptor, _) = recording(into: shop)
        #expect(try await ask(interceptor, "/a") == ["live /a"])
        await waitForDraft()
        try FileManager.default.removeItem(at: shop)
        let report = try #require(await interceptor.finishRecording())
        #expect(report.failures.isEmpty)
        #expect(try texts(of: shop) == ["live /a"])
        #expect(names() == ["shop.har"])
    }

    @Test(arguments: ["no archive", #"{"entries":[]}"#, #"{"log":{"entries":[{"n":1},x]}}"#])
    func `a file that is not an archive is unchanged, and the recording is saved next to it`(text: String) async throws
    {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: shop)
        let (interceptor, _) = recording(into: shop)
        _ = try await ask(interceptor, "/a", "/b")
        let report = try #require(await interceptor.finishRecording())
        #expect(report.recordedCount == 0)
        let failure = try #require(report.failures.first)
        #expect([.malformedJSON, .notAnArchive].contains(failure.code) && report.failures.count == 1)
        #expect(try Data(contentsOf: shop) == Data(text.utf8))
        let draft = try #require(names().first { $0 != "shop.har" })
        #expect(failure.message.contains(draft))
        #expect(try texts(of: folder.appendingPathComponent(draft)) == ["live /a", "live /b"])
    }

    @Test func `recording waits for an archive that another process has locked`() async throws {
        try archives.write("Recordings/shop.har", saying: "old")
        let (interceptor, recorder) = recording(into: shop)
        _ = try await ask(interceptor, "/a")
        nonisolated(unsafe) let other = try HARWriter(appendingTo: shop)
        interceptor.stop()
        async let report = recorder.finish(discardingBecause: nil, within: .seconds(3600))
        try other.append(.entry("GET", server.url("/other"), text: "other"))
        try other.finish()
        #expect(await report.failures.isEmpty)
        #expect(try texts(of: shop) == ["live /a"])
        #expect(names() == ["shop.har"])
    }

    @Test func `an archive that stays locked is unchanged, and the recording is saved next to it`() async throws {
        try archives.write("Recordings/shop.har", saying: "old")
        let other = try HARWriter(appendingTo: shop)
        let (interceptor, recorder) = recording(into: shop)
        _ = try await ask(interceptor, "/a")
        interceptor.stop()
        let report = await recorder.finish(discardingBecause: nil, within: .seconds(3600), turnLimit: .milliseconds(30))
        #expect(report.failures.map(\.code) == [.fileInUse])
        #expect(report.recordedCount == 0)
        let draft = try #require(names().first { $0 != "shop.har" })
        #expect(report.failures.first?.message.contains(draft) == true)
        #expect(try texts(of: folder.appendingPathComponent(draft)) == ["live /a"])
        try other.finish()
        #expect(try texts(of: shop) == ["old"])
    }

    @Test(arguments: [true, false]) func `a truncated draft does not change the archive`(isThere: Bool) throws {
        if isThere { try archives.write("Recordings/shop.har", saying: "old") }
        let file = try archives.write("Recordings/draft.har", saying: String(repeating: "x", count: 5000))
        let draft = try HARArchive(contentsOf: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 1000)
        try handle.close()
        let update = ArchiveUpdate(archive: shop, added: draft, order: [0], page: nil, origin: RecordingPlan())
        #expect(throws: HARError.self) { try update.write(replacing: ReplacedEntries(), ofFirst: nil) }
        #expect(names().sorted() == (isThere ? ["draft.har", "shop.har"] : ["draft.har"]))
        if isThere { #expect(try texts(of: shop) == ["old"]) }
    }
}
