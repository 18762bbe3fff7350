import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct UseLogTests {
    private let archives: TemporaryArchives
    private let log: UseLog

    init() throws {
        archives = try TemporaryArchives()
        log = UseLog(archives.folder.appendingPathComponent("use.log"))
    }

    private func lines() throws -> [UseLog.Line] {
        try String(contentsOf: log.url, encoding: .utf8).split(separator: "\n")
            .map { try #require(UseLog.Line(JSONValue(parsing: Data($0.utf8)))) }
    }

    @Test func `an interceptor logs the used entries of each archive file`() throws {
        let urls = [try archives.write("a.har", saying: "a"), try archives.write("b.har", saying: "b")]
        let interceptor = try Interceptor(archives: urls)
        #expect(try interceptor.text() == "a")
        interceptor.noteUse(in: log)
        Interceptor(entries: [.entry()]).noteUse(in: log)
        let lines = try lines()
        #expect(lines.map(\.archive) == urls.map(\.path))
        #expect(lines.map(\.entryCount) == [1, 1])
        #expect(lines.map(\.used.text) == ["0", ""])
        #expect(lines.map(\.stamp) == (try urls.map { try HARArchive.fingerprint(of: $0) }))
        #expect(lines[0].stamp != lines[1].stamp)
        #expect(abs(lines[0].date.timeIntervalSinceNow) < 3_600)
    }

    @Test func `a log line is a JSON object`() throws {
        let line = UseLog.Line(
            archive: "/a \"b\".har", entryCount: 9, used: UsedEntries(IndexSet([0, 1, 8])), stamp: "1-ff",
            date: Date(timeIntervalSince1970: 1_700_000_000.25))
        try log.append([line, line])
        let text = #"""
            {"archive":"/a \"b\".har","entries":9,"used":"0-1,8","stamp":"1-ff","at":"2023-11-14T22:13:20.250Z"}

            """#
        #expect(try String(contentsOf: log.url, encoding: .utf8) == text + text)
        #expect(try lines() == [line, line])
    }

    @Test(arguments: [
        "{}", "[]", #"{"archive":"a","entries":1,"used":"1","stamp":"","at":"2023-11-14T22:13:20.250Z"}"#,
    ])
    func `an invalid line is ignored`(text: String) throws {
        #expect(UseLog.Line(try JSONValue(parsing: Data(text.utf8))) == nil)
    }

    @Test func `lines of concurrent writers are not interleaved`() async throws {
        let used = UsedEntries(IndexSet((0..<2_000).filter { $0 % 2 == 0 }))
        let line = UseLog.Line(archive: "/a.har", entryCount: 2_000, used: used, stamp: "1-f", date: Date())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { [log] in try log.append([line, line]) } }
            try await group.waitForAll()
        }
        #expect(try lines().count == 128)
    }

    @Test func `writing to a log that cannot be written fails`() throws {
        let log = UseLog(archives.folder.appendingPathComponent("missing/use.log"))
        #expect(throws: HARError.self) {
            try log.append([UseLog.Line(archive: "", entryCount: 0, used: UsedEntries(), stamp: "", date: Date())])
        }
        try Interceptor(archive: archives.write("a.har", saying: "a")).noteUse(in: log)
    }

    @Test func `an environment variable sets the log file`() {
        #expect(UseLog.named(in: [:]) == nil)
        #expect(UseLog.named(in: ["RELAY_USE_LOG": ""]) == nil)
        #expect(UseLog.named(in: ["RELAY_USE_LOG": "/a/b"])?.url.path == "/a/b")
    }

    @Test func `each interceptor of a process logs its use once, when it is stopped or deallocated`() async throws {
        let archive = try archives.write("a.har", saying: "a")
        await #expect(processExitsWith: .success) { [archive = archive.path as String, log = log.url.path as String] in
            setenv(UseLog.variable, log, 1)
            let stopped = try Interceptor(archive: URL(fileURLWithPath: archive))
            #expect(try stopped.text() == "a")
            stopped.stop()
            stopped.stop()
            _ = try Interceptor(archive: URL(fileURLWithPath: archive))
        }
        #expect(try lines().map(\.used.text) == ["0", ""])
    }
}
