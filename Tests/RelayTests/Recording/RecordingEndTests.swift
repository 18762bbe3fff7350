import Foundation
import HTTPArchive
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

import Relay
@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RecordingEndTests {
    @Test func `a recording ends even if an exchange is still referenced`() async throws {
        let archives = try TemporaryArchives()
        let archive = archives.folder.appendingPathComponent("a.har")
        let interceptor = try Interceptor(recordingTo: archive, configuration: .patient)
        let receiver = try #require(exchangeReceiver(of: interceptor))
        receiver.take { _ in .exchange(received: Data("a".utf8)) }
        let report = try #require(await interceptor.finishRecording())
        #expect(report.recordedCount == 1)
        #expect(report.failures.isEmpty)
        #expect(try HAR.Log(contentsOf: archive).entries.count == 1)
        withExtendedLifetime(receiver) {}
    }

    @Test func `failures before the end of a recording are recorded, but cancellations at its end are not`()
        async throws
    {
        let archives = try TemporaryArchives()
        let archive = archives.folder.appendingPathComponent("a.har")
        let interceptor = try Interceptor(recordingTo: archive, configuration: .patient)
        let failed = try #require(exchangeReceiver(of: interceptor))
        let cancelled = try #require(exchangeReceiver(of: interceptor))
        interceptor.stop()
        failed.take { _ in .exchange(status: nil, error: URLError(.cannotConnectToHost)) }
        cancelled.take { _ in .exchange(status: nil, error: URLError(.cancelled)) }
        #expect(await interceptor.finishRecording()?.failures.isEmpty == true)
        let entries = try HAR.Log(contentsOf: archive).entries
        #expect(entries.map { $0.response["_error"]?.text } == ["net::ERR_CONNECTION_REFUSED"])
    }

    @Test(arguments: [("http://a/new", ReplayMode.new), ("http://a/", .all), ("http://a/", .refresh(olderThan: .zero))])
    func `a request that starts after the end of the recording is not sent`(url: String, mode: ReplayMode)
        async throws
    {
        let archives = try TemporaryArchives()
        try archives.write("a.har", saying: "recorded")
        let interceptor = try Interceptor.replaying("a", mode: mode, filePath: archives.sourceFile)
        await interceptor.finishRecording()
        let decision = interceptor.decide(on: .request("GET", url)).decision
        #expect(!decision.isLive)
        #expect(throws: RelayError.self) { try decision.immediateReply?.result.get() }
    }

    private func exchangeReceiver(of interceptor: Interceptor) -> ExchangeReceiver? {
        guard case .network(_, let receiver) = interceptor.decide(on: .request()).decision.origin else { return nil }
        return receiver
    }
}
