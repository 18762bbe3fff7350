import ErrorCatalog
import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The error messages of the original Relay's API.
///
/// Each example triggers the actual error, except for public cases that only custom processors throw.
@Suite(.limited) struct ErrorCatalogTests {
    @Test func `the messages of all errors are listed in the catalog`() async throws {
        let records = try Records()
        let server = try LoopbackServer.counting()
        let root = URL(fileURLWithPath: records.file).deletingLastPathComponent().path
        var catalog = ErrorCatalog(replacing: [root: "FOLDER", String(server.port): "PORT"])
        func begin(recording: Bool) -> RecordingAndReplayingRequestProcessor {
            Relay.recordAndReplay(
                recordingRootFolder: records.file, recordingFolder: "posts()", isRecordingEnabled: recording,
                urlKeywords: [server.keyword])
        }
        let replaying = begin(recording: false)
        let request = URLRequest(url: try #require(URL(string: server.url("/a?page=2"))))
        await catalog.add("no recording", awaiting: { try await replaying.process(request: request) })
        let recording = begin(recording: true)
        _ = try await recording.process(request: URLRequest(url: try #require(URL(string: server.url("/a?page=1")))))
        let replayed = begin(recording: false)
        await catalog.add("a request without a recording", awaiting: { try await replayed.process(request: request) })
        replayed.stop()
        try Data("<html>".utf8).write(to: records.folder("posts").appendingPathComponent("posts.har"))
        let broken = begin(recording: false)
        await catalog.add("a broken recording", awaiting: { try await broken.process(request: request) })
        var empty = request
        empty.url = nil
        await catalog.add("a request without a URL", awaiting: { try await broken.process(request: empty) })
        await catalog.add(
            "a live request without a URL",
            awaiting: { try await LiveRequestAndReplayRequestProcessor().process(request: empty) })
        broken.stop()
        let none: [any RequestProcessor] = []
        await catalog.add("no processor", awaiting: { try await none.process(request: request) })
        catalog.add(
            "an error that this library never throws", error: LiveRequestPerformerError.invalidResponse(request))
        catalog.add(
            "a second error that this library never throws",
            error: RecordingAndReplayingRequestProcessorError.sessionReplayNotConfigured(request))
        catalog.add("interception without a processor", error: RelayURLProtocolError.noRequestsToExecute)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("errors.txt")
        if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
    }
}
