import Foundation
import HTTPArchive
import Relay
import Synchronization
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct RecordingFilterTests {
    private struct User: Codable {
        var name: String
        var age: Int
    }

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { request in
            if request.target.hasPrefix("/text") {
                return LoopbackServer.ok("plain", headers: "Content-Type: text/plain\r\nX-Kept: 1\r\n")
            }
            return LoopbackServer.ok(
                #"{"name":"Berta","age":7}"#, headers: "Content-Type: application/json\r\nX-Kept: 1\r\nX-Other: 2\r\n")
        }
    }

    /// Records requests in memory, and returns the entries, the bodies that the client received, and the report.
    private func record(
        _ targets: [String], _ filters: RecordingFilter..., change: (inout RecordingConfiguration) -> Void = { _ in }
    ) async throws -> (entries: [HAR.Entry], received: [String], report: RecordingReport) {
        var configuration = Interceptor.Configuration()
        configuration.recording.filters = filters
        change(&configuration.recording)
        let interceptor = Interceptor(recordingInMemory: "test", configuration: configuration)
        let session = interceptor.session()
        var received: [String] = []
        for target in targets { received.append(try await session.text(server.url(target))) }
        let entries = await interceptor.recordedEntries
        let report = try #require(await interceptor.finishRecording())
        #expect(await interceptor.recordedEntries.count == entries.count)
        return (entries, received, report)
    }

    @Test func `entries are recorded in memory without secrets`() async throws {
        let (entries, received, report) = try await record(["/text?token=0dJ7bkzQ", "/user"])
        #expect(entries.map(\.response.content.text) == ["plain", #"{"name":"Berta","age":7}"#])
        #expect(received == ["plain", #"{"name":"Berta","age":7}"#])
        #expect(entries[0].request.url.contains("token=REDACTED-"))
        #expect(report.recordedCount == 2 && report.placeholderCount == 2 && report.failures.isEmpty)
        #expect(report.description == "2 entries recorded (2 placeholders): memory:test")
    }

    @Test func `dropped exchanges are counted for each filter, and the client receives the responses`() async throws {
        let (entries, received, report) = try await record(
            ["/text", "/user", "/text/2"], .drop("text") { $0.request.url.contains("/text") })
        #expect(entries.count == 1 && received.count == 3)
        #expect(report.discardedCounts == ["filter 'text'": 2])
        #expect(report.description == "1 entry recorded (2 discarded: filter 'text'): memory:test")
        #expect(try await record(["/text", "/user"], .keep("*/user")).entries.map(\.request.url).count == 1)
    }

    @Test(arguments: ["(a+)+$", "(a|a)*$", "^(.*a){20}!$"])
    func `a pattern that takes too much work is a failure of the recording`(expression: String) async throws {
        let pattern = try RequestPattern.matching(regularExpression: expression)
        for pattern in [pattern, .not(pattern)] {
            let target = "/" + String(repeating: "a", count: 50) + "%21"
            let (entries, received, report) = try await record([target], .keep(pattern))
            #expect(entries.isEmpty && received.count == 1 && report.failures.count == 1)
        }
    }

    @Test func `only the named header fields and query items are recorded`() async throws {
        let (entries, _, report) = try await record(
            ["/user?a=1&b=2&c=%33"], .keepHeaders("x-kept", "Accept"), .keepQueryItems("c", "b"))
        let entry = try #require(entries.first)
        #expect(entry.response.headers.map(\.name) == ["X-Kept"])
        #expect(entry.request.headers.allSatisfy { $0.name.lowercased() == "accept" })
        #expect(entry.request.url.hasSuffix("/user?b=2&c=%33"))
        #expect(entry.request.queryString.map(\.name) == ["b", "c"])
        #expect(entry.response.headersSize == nil)
        #expect(report.failures.isEmpty)
        let (others, _, _) = try await record(
            ["/user?a=1&b=2"], .removeHeaders("X-KEPT", "Content-Length"), .removeQueryItems("a", "b"))
        #expect(others.first?.request.url.hasSuffix("/user") == true)
        #expect(others.first?.response.header("x-kept") == nil && others.first?.response.header("x-other") == "2")
    }

    @Test func `filters can decode and change bodies`() async throws {
        let (entries, received, _) = try await record(
            ["/user", "/text"], .changeJSON { (user: inout User) in user.name = "Anna" },
            .changeBody(ofType: "text/*") { $0 = Data("changed".utf8) })
        #expect(entries.map(\.response.content.text) == [#"{"age":7,"name":"Anna"}"#, "changed"])
        #expect(received == [#"{"name":"Berta","age":7}"#, "plain"])
        #expect(entries[0].response.content.size == 23)
        #expect(entries[0].response.header("content-length") == "23")
        let (same, _, _) = try await record(["/user"], .changeJSON { (_: inout User) in })
        #expect(same.first?.response.content.text == #"{"name":"Berta","age":7}"#)
    }

    @Test func `an exchange is not recorded if a filter throws, and the report contains the error`() async throws {
        let (entries, received, report) = try await record(
            ["/text?token=0dJ7bkzQ"], .change("broken") { _ in throw URLError(.badURL) })
        #expect(entries.isEmpty && received == ["plain"])
        let failure = try #require(report.failures.first)
        #expect(failure.message.contains("The filter 'broken' threw an error for "))
        #expect(!failure.message.contains("0dJ7bkzQ"))
    }

    @Test func `changes also apply to archives and attached bodies`() async throws {
        let archives = try TemporaryArchives()
        var configuration = Interceptor.Configuration()
        configuration.recording.bodies = .attach
        configuration.recording.filters = [.changeBody { $0 = Data("changed".utf8) }]
        let url = archives.folder.appendingPathComponent("shop.har")
        let interceptor = try Interceptor(recordingTo: url, configuration: configuration)
        #expect(try await interceptor.session().text(server.url("/text")) == "plain")
        #expect(await interceptor.finishRecording()?.recordedCount == 1)
        let replayed = try Interceptor(archive: url).session()
        #expect(try await replayed.text(server.url("/text")) == "changed")
    }

    @Test func `the entry handler receives each entry`() async throws {
        let received = Mutex<[String]>([])
        _ = try await record(["/text", "/user"]) { recording in
            recording.entryHandler = { entry in received.withLock { $0.append(entry.request.url) } }
        }
        #expect(received.withLock { $0 }.map { $0.hasSuffix("/text") } == [true, false])
    }

    @Test func `discarded entries are counted by reason`() async throws {
        let archives = try TemporaryArchives()
        let interceptor = try Interceptor.replaying("shop", mode: .once, filePath: archives.sourceFile)
        _ = try await interceptor.session().text(server.url("/text"))
        let report = try #require(await interceptor.finishRecording(discardingBecause: "a test failed"))
        let path = archives.folder.appendingPathComponent("Recordings/shop.har").path
        #expect(report.description == "Archive not changed (1 discarded: a test failed): \(path)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
