import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// Recordings that are refused because their archive would hide another one or cannot be written.
@Suite(.limited) struct RefusedRecordingTests {
    private let archives: TemporaryArchives
    private let server: LoopbackServer
    private let bundle: Bundle

    init() throws {
        archives = try TemporaryArchives()
        server = try LoopbackServer { LoopbackServer.ok("live \($0.target)") }
        let folder = archives.folder.appendingPathComponent("Module.resources")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        bundle = try #require(Bundle(path: folder.path))
    }

    /// The paths of all archives in the folder and its subfolders.
    private var files: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: archives.folder.path).filter { $0.contains(".har") }
                .sorted()
        }
    }

    private func path(_ name: String) -> String { archives.folder.appendingPathComponent(name).path }

    private func setPermissions(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    /// Makes a request, and returns the response body and the failures in the recording report.
    private func record(
        _ mode: ReplayMode, asking url: String? = nil, rules: [Rule] = [], in bundle: Bundle? = nil
    ) async throws -> (text: String?, failures: [HARError]) {
        let interceptor = try Interceptor.replaying(
            "shop", in: bundle, rules: rules, configuration: .patient, mode: mode, filePath: archives.sourceFile)
        let text = try? await interceptor.session().text(url ?? server.url("/a"))
        let report = try #require(await interceptor.finishRecording())
        return (text, report.failures)
    }

    @Test(
        arguments: [ReplayMode.new, .all, .refresh(olderThan: .seconds(60))],
        ["Module.resources/shop.har", "Module.resources/Recordings/shop.har"])
    func `an archive in a bundle is not hidden by a new one`(mode: ReplayMode, file: String) async throws {
        try archives.write(file, saying: "bundled")
        let (text, failures) = try await record(mode, in: bundle)
        #expect(text == nil && server.requests.isEmpty)
        let failure = try #require(failures.first)
        #expect(failures.count == 1 && failure.code == .unwritableFile)
        #expect(failure.description.contains(file), "\(failure)")
        #expect(failure.description.contains(path("Recordings/shop.har")), "\(failure)")
        #expect(try files == [file])
    }

    @Test func `an archive in a bundle is replayed in every mode if no request has to be recorded`() async throws {
        try archives.write("Module.resources/shop.har", saying: "bundled")
        for mode in [ReplayMode.new, .once, .replay] {
            let (text, failures) = try await record(mode, asking: "http://a/", in: bundle)
            #expect(text == "bundled" && failures.isEmpty)
        }
        #expect(try files == ["Module.resources/shop.har"])
    }

    @Test func `mode 'once' does not record if the bundle has the archive`() async throws {
        try archives.write("Module.resources/shop.har", saying: "bundled")
        let (text, failures) = try await record(.once, in: bundle)
        // The request is a miss, as in mode `replay`.
        #expect(text == nil && failures.isEmpty && server.requests.isEmpty)
        #expect(try files == ["Module.resources/shop.har"])
    }

    @Test func `an empty archive in a bundle is not hidden by a new one`() async throws {
        let log = HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: [])
        try log.write(to: archives.folder.appendingPathComponent("Module.resources/shop.har"))
        #expect(try await record(.once, in: bundle).failures.map(\.code) == [.unwritableFile])
        #expect(try files == ["Module.resources/shop.har"])
    }

    @Test func `an outdated entry in a bundle is replayed, and the report explains why it was not replaced`()
        async throws
    {
        try archives.write("Module.resources/shop.har", saying: "bundled")
        let (text, failures) = try await record(.refresh(olderThan: .seconds(1)), asking: "http://a/", in: bundle)
        #expect(text == "bundled")
        #expect(failures.map(\.code) == [.unwritableFile])
    }

    @Test func `a rule does not record if the bundle has the archive`() async throws {
        try archives.write("Module.resources/shop.har", saying: "bundled")
        let (_, failures) = try await record(.replay, rules: [.record(.any, .all)], in: bundle)
        #expect(failures.map(\.code) == [.unwritableFile])
        #expect(try files == ["Module.resources/shop.har"])
    }

    @Test func `an archive in the test's folder is extended even if the bundle has another one`() async throws {
        try archives.write("Module.resources/shop.har", saying: "bundled")
        try archives.write("Recordings/shop.har", saying: "beside")
        let (text, failures) = try await record(.new, in: bundle)
        #expect(text == "live /a" && failures.isEmpty)
        #expect(
            try HAR.Log(contentsOf: archives.folder.appendingPathComponent("Recordings/shop.har")).entries.count == 2)
    }

    @Test(arguments: ["shop.har", "Recordings/shop.har"], [ReplayMode.new, .all])
    func `a read-only archive is unchanged and not hidden by another one`(file: String, mode: ReplayMode) async throws {
        let url = try archives.write(file, saying: "old")
        let old = try Data(contentsOf: url)
        try setPermissions(0o444, of: file)
        let (text, failures) = try await record(mode)
        #expect(text == nil && server.requests.isEmpty)
        let failure = try #require(failures.first)
        #expect(failures.count == 1 && failure.code == .unwritableFile)
        for file in ["shop.har", "Recordings/shop.har"] { #expect(failure.description.contains(path(file))) }
        #expect(try Data(contentsOf: url) == old)
        #expect(try files == [file])
    }

    @Test func `an archive in a read-only folder is unchanged`() async throws {
        try archives.write("Recordings/shop.har", saying: "old")
        try setPermissions(0o555, of: "Recordings")
        defer { try? setPermissions(0o755, of: "Recordings") }
        #expect(try await record(.new).failures.map(\.code) == [.unwritableFile])
        #expect(try files == ["Recordings/shop.har"])
    }

    @Test func `a read-only archive is replayed`() async throws {
        try archives.write("shop.har", saying: "old")
        try setPermissions(0o444, of: "shop.har")
        for mode in [ReplayMode.new, .once, .replay] {
            let (text, failures) = try await record(mode, asking: "http://a/")
            #expect(text == "old" && failures.isEmpty)
        }
    }

    @Test func `an existing archive in the test's folder is preferred to the Recordings folder`() async throws {
        try archives.write("shop.har", saying: "old")
        let (text, failures) = try await record(.new)
        #expect(text == "live /a" && failures.isEmpty)
        #expect(try files == ["shop.har"])
    }

    @Test func `a read-only archive is not extended`() throws {
        let url = try archives.write("shop.har", saying: "old")
        try setPermissions(0o444, of: "shop.har")
        #expect {
            try Interceptor(recordingTo: url)
        } throws: { error in
            (error as? HARError)?.code == .unwritableFile && "\(error)".contains(url.path)
        }
    }

    @Test func `a request cannot be recorded to a read-only archive`() throws {
        let url = try archives.write("shop.har", saying: "old")
        try setPermissions(0o444, of: "shop.har")
        let target = RequestArchive(url, keepingOpen: OpenArchives())
        let error = #expect(throws: HARError.self) { try target.change(to: url) }
        #expect(error?.code == .unwritableFile)
    }
}
