import ErrorCatalog
import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ErrorCatalog {
    /// Adds the first failure in the report of a recording.
    private mutating func add(_ title: String, failureOf interceptor: Interceptor, requesting url: String) async {
        _ = try? await interceptor.session().text(url)
        add(title, error: await interceptor.finishRecording()?.failures.first)
    }

    mutating func addRecordings(_ archives: TemporaryArchives) async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        replace(String(server.port), with: "PORT")
        var filtering = Interceptor.Configuration.patient
        filtering.recording.filters = [.change("broken") { _ in throw URLError(.badURL) }]
        let filtered = Interceptor(recordingInMemory: "test", configuration: filtering)
        await add("a filter that throws", failureOf: filtered, requesting: server.url("/"))
        var hasty = Interceptor.Configuration()
        hasty.timeLimit = .zero
        let archive = archives.folder.appendingPathComponent("unsettled.har")
        let unsettled = try Interceptor(recordingTo: archive, configuration: hasty)
        let pending = unsettled.decide(on: .request("GET", server.url("/")))
        let report = await unsettled.finishRecording()
        add("a request that is still running when the recording ends", error: report?.failures.first)
        withExtendedLifetime(pending) {}
        let without = Interceptor.with(.record(.any))
        await add("recording without an archive", awaiting: { try await without.session().text(server.url("/")) })
        let resources = archives.folder.appendingPathComponent("Module.resources")
        try archives.write("Module.resources/bundled.har", saying: "x")
        let bundle = try #require(Bundle(path: resources.path))
        let bundled = try Interceptor.replaying(
            "bundled", in: bundle, configuration: .patient, mode: .new, filePath: archives.sourceFile)
        await add("recording an archive in a bundle", failureOf: bundled, requesting: server.url("/"))
        let locked = try archives.write("Recordings/locked.har", saying: "x")
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: locked.path)
        let readOnly = try Interceptor.replaying(
            "locked", configuration: .patient, mode: .all, filePath: archives.sourceFile)
        await add("recording into a read-only archive", failureOf: readOnly, requesting: server.url("/"))
        let file = archives.folder.appendingPathComponent("file")
        try Data().write(to: file)
        let below = file.appendingPathComponent("Tests.swift").path
        let folderless = try Interceptor.replaying("shop", configuration: .patient, mode: .all, filePath: below)
        await add("a folder of recordings that cannot be created", failureOf: folderless, requesting: server.url("/"))
        add("recording into a missing folder") {
            try Interceptor(recordingTo: archives.folder.appendingPathComponent("missing/a.har"))
        }
        try addDraft(archives)
    }

    /// Adds the failure of a recording whose archive becomes invalid before the entries are moved into it.
    private mutating func addDraft(_ archives: TemporaryArchives) throws {
        let folder = archives.folder.appendingPathComponent("Drafts")
        let archive = folder.appendingPathComponent("shop.har")
        let draft = RecordingDraft(of: archive, from: RecordingPlan(settings: RecordingConfiguration()))
        try draft.begin()
        try draft.append(.entry(), number: 0, replacing: .nothing)
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        replace(name, with: "DRAFT")
        try Data("<html>".utf8).write(to: archive)
        add("an archive that cannot be written at the end") {
            do throws(HARError) {
                _ = try draft.takePlace(page: nil)
            } catch {
                throw draft.leave(after: error)
            }
        }
    }

    mutating func addFiles(_ archives: TemporaryArchives) throws {
        var attaching = RecordingConfiguration()
        attaching.bodies = .attach
        let none = archives.folder.appendingPathComponent("none")
        let exchange = CapturedExchange.exchange(received: Data("abc".utf8))
        try Data().write(to: none)
        add("a body file that cannot be written") { try exchange.entry(attaching, in: none) }
        let log = UseLog(archives.folder.appendingPathComponent("missing/use.log"))
        add("a use log that cannot be written") {
            try log.append([UseLog.Line(archive: "", entryCount: 0, used: UsedEntries(), stamp: "", date: Date())])
        }
        add("a temporary file that cannot be created") { try SpoolFile(in: none) }
        var full = FileSystemCalls()
        full.write = { _, _, _ in
            errno = ENOSPC
            return -1
        }
        add("a temporary file that cannot be written") {
            try FileSystemCalls.$current.withValue(full) {
                var body = SpooledBody()
                for _ in 0..<4 { try body.append(Data(count: SpooledBody.memoryLimit)) }
            }
        }
    }
}
