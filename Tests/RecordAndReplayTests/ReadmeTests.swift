import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The unchanged examples from the library's README.
@Suite(.limited) struct ReadmeTests {
    static let urlSession: URLSession = {
        let config = URLSessionConfiguration.default
        config.httpAdditionalHeaders = ["x-key": "key", "x-platform": "ios"]
        config.protocolClasses = [RelayURLProtocol.self]
        return URLSession(configuration: config)
    }()

    @Test func `a call records requests`() throws {
        let processor = Relay.recordAndReplay(
            isRecordingEnabled: true,  // Set to true for your first run to record
            urlKeywords: ["api.example.com"],
            jsonValueOverrides: ["token": "REDACTED"]
        )
        defer { processor.stop() }
        let interceptor = try #require(Interceptor.current)
        #expect(interceptor.name == "Relay")
    }

    @Test func `responses are modified without recording`() {
        Relay.interceptAndModify(
            urlKeywords: ["api.example.com"],
            jsonValueOverrides: ["token": "REDACTED"]
        )
        #expect(Interceptor.current != nil)
        Relay.stop()
    }

    @Test func `a session with the protocol class is intercepted, and keeps its header fields`() async throws {
        let server = try LoopbackServer { request in
            LoopbackServer.ok(
                "{\"token\": \"secret\", \"platform\": \(request.head.lowercased().contains("x-platform: ios"))}")
        }
        Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: ["token": "REDACTED"])
        #expect(try await Self.urlSession.text(server.url("/")) == "{\"token\": \"REDACTED\", \"platform\": true}")
    }

    @Test func `a session created after the call is intercepted`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("{\"token\": \"secret\"}") }
        Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: ["token": "REDACTED"])
        let session = URLSession(configuration: .default)
        #expect(try await session.text(server.url("/")) == "{\"token\": \"REDACTED\"}")
    }

    @Test func `recordings are in a folder named after the function, next to the calling file`() async throws {
        let server = try LoopbackServer.counting()
        let processor = Relay.recordAndReplay(isRecordingEnabled: true, urlKeywords: [server.keyword])
        defer { #expect(throws: Never.self) { try processor.removeRecordingSessionFolder() } }
        _ = try await URLSession.shared.text(server.url("/posts"))
        let function = "\(#function)".replacingOccurrences(of: "()", with: "")
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("__RelayRecords__/\(function)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["\(function).har"])
    }
}
