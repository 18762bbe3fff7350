import Foundation
import HTTPArchive
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import Relay

@Suite struct RecordingEndTests {
    @Test func `a recording ends though somebody still holds what records an exchange`() async throws {
        let archives = try TemporaryArchives()
        let archive = archives.folder.appendingPathComponent("a.har")
        let interceptor = try Interceptor(recordingTo: archive, configuration: .patient)
        let record = try #require(interceptor.decide(on: .request()).record)
        record(.exchange(received: Data("a".utf8)))
        let report = try #require(await interceptor.finishRecording())
        #expect(report.recordedCount == 1)
        #expect(report.failures.isEmpty)
        #expect(try HAR.Log(contentsOf: archive).entries.count == 1)
        withExtendedLifetime(record) {}
    }

    @Test func `what had failed when the recording ended is recorded, and what that cancelled is not`() async throws {
        let archives = try TemporaryArchives()
        let archive = archives.folder.appendingPathComponent("a.har")
        let interceptor = try Interceptor(recordingTo: archive, configuration: .patient)
        let failed = try #require(interceptor.decide(on: .request()).record)
        let cancelled = try #require(interceptor.decide(on: .request()).record)
        interceptor.stop()
        failed(.exchange(status: nil, error: URLError(.cannotConnectToHost)))
        cancelled(.exchange(status: nil, error: URLError(.cancelled)))
        #expect(await interceptor.finishRecording()?.failures.isEmpty == true)
        let entries = try HAR.Log(contentsOf: archive).entries
        #expect(entries.map { $0.response["_error"]?.text } == ["net::ERR_CONNECTION_REFUSED"])
    }
}
