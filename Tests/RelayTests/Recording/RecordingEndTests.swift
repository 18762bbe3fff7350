import Foundation
import HTTPArchive
import Testing

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
}
