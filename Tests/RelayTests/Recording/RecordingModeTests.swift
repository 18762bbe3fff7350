import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RecordingModeTests {
    private let archives: TemporaryArchives
    private let server: LoopbackServer

    init() throws {
        archives = try TemporaryArchives()
        server = try LoopbackServer { request in
            LoopbackServer.ok("live \(request.target)", headers: "Content-Type: text/plain\r\n")
        }
    }

    private var shop: URL { archives.folder.appendingPathComponent("Recordings/shop.har") }

    /// Writes an archive that exists before the recording starts.
    private func writeOld(_ paths: String..., startedDateTime: String = "2026-01-01T00:00:00.000Z") throws {
        try FileManager.default.createDirectory(
            at: shop.deletingLastPathComponent(), withIntermediateDirectories: true)
        let entries = paths.map { path in
            var entry = HAR.Entry.entry("GET", server.url(path), text: "old \(path)")
            entry.startedDateTime = startedDateTime
            return entry
        }
        try HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries).write(to: shop)
    }

    /// Makes requests in a mode, and returns the response bodies and the recording report.
    private func run(
        _ mode: ReplayMode, _ paths: String..., rules: [Rule] = [], keeping isKept: Bool = true
    ) async throws -> (answers: [String], report: RecordingReport) {
        let interceptor = try Interceptor.replaying("shop", rules: rules, mode: mode, filePath: archives.sourceFile)
        let session = interceptor.session()
        var answers: [String] = []
        for path in paths { answers.append((try? await session.text(server.url(path))) ?? "failed") }
        let report = try #require(await interceptor.finishRecording(keeping: isKept))
        #expect(report.failures.isEmpty, "\(report.failures)")
        return (answers, report)
    }

    /// Returns the response bodies of the archive's entries, in order.
    private func recorded() throws -> [String] {
        let archive = try HARArchive(contentsOf: shop)
        return try (0..<archive.count).map { index in
            let entry = try archive.entry(at: index)
            return entry.response.content.text ?? "none"
        }
    }

    @Test(arguments: [ReplayMode.once, .new, .all, .refresh(olderThan: .seconds(60))])
    func `a missing archive is created`(mode: ReplayMode) async throws {
        let (answers, report) = try await run(mode, "/a", "/b", "/a")
        #expect(answers == ["live /a", "live /b", "live /a"])
        #expect(report.recordedCount == 3 && report.replacedCount == 0)
        #expect(try recorded() == answers)
        #expect(try await run(.replay, "/b", "/a").answers == ["live /b", "live /a"])
        #expect(server.requests.count == 3)
    }

    @Test func `mode 'once' does not change an existing archive`() async throws {
        try writeOld("/a")
        #expect(try await run(.once, "/a", "/b").answers == ["old /a", "failed"])
        #expect(try recorded() == ["old /a"])
        #expect(server.requests.isEmpty)
    }

    @Test func `mode 'once' extends an archive that the process itself created`() async throws {
        _ = try await run(.once, "/a")
        #expect(try await run(.once, "/a", "/b").answers == ["live /a", "live /b"])
        #expect(try recorded() == ["live /a", "live /b"])
        #expect(server.requests.count == 2)
    }

    @Test func `mode 'new' replays existing entries and records missing ones`() async throws {
        try writeOld("/a")
        let old = try Data(contentsOf: shop)
        #expect(try await run(.new, "/b", "/a").answers == ["live /b", "old /a"])
        #expect(try recorded() == ["old /a", "live /b"])
        // Existing entries are preserved byte for byte.
        let start = try #require(old.range(of: Data("live".utf8), options: .backwards) ?? old.range(of: Data("]".utf8)))
        #expect(try Data(contentsOf: shop).starts(with: old[..<start.lowerBound].dropLast(8)))
    }

    @Test func `mode 'all' replaces existing entries`() async throws {
        try writeOld("/a", "/b", "/c")
        let (answers, report) = try await run(.all, "/b")
        #expect(answers == ["live /b"])
        #expect(report.recordedCount == 1 && report.replacedCount == 3)
        #expect(try recorded() == ["live /b"])
    }

    @Test func `mode 'all' keeps entries recorded by the process itself`() async throws {
        try writeOld("/a")
        _ = try await run(.all, "/b")
        _ = try await run(.all, "/c")
        #expect(try recorded() == ["live /b", "live /c"])
    }

    @Test func `the archive is unchanged if nothing is recorded`() async throws {
        try writeOld("/a")
        let old = try Data(contentsOf: shop)
        #expect(try await run(.all).report.replacedCount == 0)
        #expect(try Data(contentsOf: shop) == old)
    }

    @Test func `entries older than the maximum age are recorded again and replaced`() async throws {
        try writeOld("/a", "/b")
        let (answers, report) = try await run(.refresh(olderThan: .seconds(3600)), "/a", "/a")
        #expect(answers == ["live /a", "live /a"])
        #expect(report.replacedCount == 1)
        #expect(try recorded() == ["old /b", "live /a", "live /a"])
    }

    @Test func `entries younger than the maximum age are replayed`() async throws {
        try writeOld("/a", startedDateTime: HAR.text(Date()))
        #expect(try await run(.refresh(olderThan: .seconds(3600)), "/a").answers == ["old /a"])
        #expect(server.requests.isEmpty)
    }

    @Test func `an outdated entry is kept if it cannot be recorded again`() async throws {
        let gone = try LoopbackServer(inPieces: { _, _ in })
        try FileManager.default.createDirectory(
            at: shop.deletingLastPathComponent(), withIntermediateDirectories: true)
        try HAR.Log(
            creator: HAR.Creator(name: "Tests", version: "1"), entries: [.entry("GET", gone.url("/"), text: "old")]
        ).write(to: shop)
        let interceptor = try Interceptor.replaying(
            "shop", mode: .refresh(olderThan: .seconds(1)), filePath: archives.sourceFile)
        await #expect(throws: URLError.self) { try await interceptor.session().text(gone.url("/")) }
        let report = try #require(await interceptor.finishRecording())
        #expect(report.recordedCount == 0)
        #expect(try recorded() == ["old"])
    }

    @Test func `a discarded recording does not change any files`() async throws {
        try writeOld("/a")
        let old = try Data(contentsOf: shop)
        let (answers, report) = try await run(.all, "/b", keeping: false)
        #expect(answers == ["live /b"])
        #expect(report.recordedCount == 0)
        #expect(try Data(contentsOf: shop) == old)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shop.deletingLastPathComponent().path).count == 1)
    }

    @Test func `a rule sets the mode for the requests that it matches`() async throws {
        try writeOld("/a/1", "/a/2", "/b/1", "/b/2")
        let rules: [Rule] = [.record(.url("127.0.0.1:\(server.port)/a/*"), .all)]
        let (answers, _) = try await run(.replay, "/a/1", "/b/1", "/c/1", rules: rules)
        #expect(answers == ["live /a/1", "old /b/1", "failed"])
        #expect(try recorded() == ["old /b/1", "old /b/2", "live /a/1"])
    }

    @Test func `a rule can exclude requests from the recording`() async throws {
        let rules: [Rule] = [.record(.url("127.0.0.1:\(server.port)/a/*"), .live)]
        #expect(try await run(.all, "/a/1", "/b/1", rules: rules).answers == ["live /a/1", "live /b/1"])
        #expect(try recorded() == ["live /b/1"])
    }

    @Test func `without an archive to record to, requests fail with an error that states the reason`() async throws {
        let interceptor = Interceptor.with(.record(.any, .new))
        await #expect {
            try await interceptor.session().text(server.url("/"))
        } throws: { error in
            "\(error)".contains("no archive to record into")
        }
        #expect(await interceptor.finishRecording() == nil)
    }

    @Test func `interceptors that record to the same archive update it one at a time`() async throws {
        try writeOld("/old")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { _ = try? await run(.all, "/\(number)/1", "/\(number)/2") }
            }
        }
        let expected = Set((0..<8).flatMap { ["live /\($0)/1", "live /\($0)/2"] })
        let recorded = try recorded()
        #expect(recorded.count == 16 && Set(recorded) == expected)
    }

    @Test func `entries are recorded in the order in which their requests started`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request in
            if request.target == "/0" { gate.wait() }
            return LoopbackServer.ok(request.target)
        }
        let interceptor = try Interceptor.replaying("shop", mode: .all, filePath: archives.sourceFile)
        let session = interceptor.session(configuration: .patient)
        async let first = session.text(server.url("/0"))
        try await wait { interceptor.isAnythingRunning }
        for number in 1..<5 { _ = try await session.text(server.url("/\(number)")) }
        gate.signal()
        _ = try await first
        await interceptor.finishRecording()
        #expect(try recorded() == ["/0", "/1", "/2", "/3", "/4"])
    }

    @Test func `recording the same responses again produces the same bytes, regardless of the order of requests`()
        async throws
    {
        let clock = Log<Int>()
        let server = try LoopbackServer { request in
            clock.append(0)
            let fields =
                "Content-Type: text/plain\r\nDate: Mon, 01 Jan 2026 00:00:\(10 + clock.events.count) GMT\r\n"
                + "X-Request-Id: \(clock.events.count)\r\n"
            return LoopbackServer.ok("live \(request.target)", headers: fields)
        }
        var configuration = Interceptor.Configuration()
        configuration.recording.repeatable = .init()
        configuration.recording.redaction?.key = .init(phrase: "a phrase for tests alone")
        var recordings: [Data] = []
        for paths in [["/a?token=hunter2hunter2", "/b", "/c"], ["/c", "/b", "/a?token=hunter2hunter2"]] {
            let name = "shop\(recordings.count)"
            let interceptor = try Interceptor.replaying(
                name, configuration: configuration, mode: .all, filePath: archives.sourceFile)
            let session = interceptor.session()
            for path in paths { _ = try await session.text(server.url(path)) }
            await interceptor.finishRecording()
            let file = archives.folder.appendingPathComponent("Recordings/\(name).har")
            recordings.append(try Data(contentsOf: file))
        }
        let isEqual = recordings[0] == recordings[1]
        #expect(isEqual)
        #expect(recordings[0].range(of: Data("REDACTED-".utf8)) != nil)
        #expect(recordings[0].range(of: Data("hunter2".utf8)) == nil)
        // Each field has its own line, so a changed field is one changed line in a diff.
        #expect(String(decoding: recordings[0], as: UTF8.self).contains("\n        \"time\": 0.0,\n"))
    }
}
