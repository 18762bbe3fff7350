import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Interceptors that send live requests through a session from their configuration.
@Suite(.limited) struct GivenSessionTests {
    private let archives: TemporaryArchives

    init() throws { archives = try TemporaryArchives() }

    private var file: URL { archives.folder.appendingPathComponent("new/recorded.har") }

    private func configuration(_ session: URLSession) -> Interceptor.Configuration {
        var configuration = Interceptor.Configuration.patient
        configuration.networkSession = session
        return configuration
    }

    private func recorder(_ session: URLSession, entries: [HAR.Entry] = []) -> Interceptor {
        Interceptor(
            entries: entries, name: "old", folder: nil, failures: [:], recordingInto: file,
            configuration: configuration(session))
    }

    private func recorded() throws -> [HAR.Entry] {
        let archive = try HARArchive(contentsOf: file)
        return try (0..<archive.count).map { try archive.entry(at: $0) }
    }

    @Test func `live requests can be sent through the session of another interceptor`() async throws {
        let other = Interceptor.responding { $0.reply("\($0.method) \($0.url) \($0.body?.count ?? 0)", status: 201) }
        var configuration = configuration(other.session())
        configuration.unmatchedRequests = .passThrough
        let interceptor = Interceptor(configuration: configuration)
        interceptor.add(.override("a/changed", .replacing("POST", with: "SENT")))
        let session = interceptor.session()
        #expect(try await session.text(URLRequest("http://a/", method: "PUT", body: "123")) == "PUT http://a/ 3")
        #expect(try await session.text(URLRequest("http://a/changed", method: "POST")) == "SENT http://a/changed 0")
        let (body, _) = try await session.upload(for: URLRequest("http://a/", method: "POST"), from: Data("12".utf8))
        #expect(String(decoding: body, as: UTF8.self) == "POST http://a/ 2")
    }

    @Test func `a request fails with the error from the session`() async throws {
        let other = Interceptor.with(.stub(.any, .failure(.timedOut)))
        let session = recorder(other.session()).session()
        let error = await #expect(throws: URLError.self) { try await session.data(from: URL("http://a/")) }
        #expect(error?.code == .timedOut)
    }

    @Test func `requests without an entry are recorded, with the URL after redirects`() async throws {
        let other = Interceptor.responding { request in
            request.url.contains("/start")
                ? request.reply(status: 302, headers: ["Location": "/end?api_key=planted-secret"])
                : request.reply("at the end", headers: ["Content-Type": "text/plain"])
        }
        let interceptor = recorder(other.session(), entries: [.entry("GET", "http://a/old", text: "old")])
        let session = interceptor.session()
        #expect(try await session.text("http://a/old") == "old")
        #expect(try await session.text("http://a/start") == "at the end")
        #expect(try await session.text("http://a/plain") == "at the end")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(interceptor.finishRecordingAndWait().isEmpty)
        let entries = try recorded()
        #expect(entries.map(\.request.url) == ["http://a/start", "http://a/plain"])
        #expect(entries[0].response["_url"]?.text?.hasPrefix("http://a/end?api_key=REDACTED") == true)
        #expect(entries[1].response["_url"] == nil)
        let replayed = try await Interceptor(archive: file).session().data(from: URL("http://a/start"))
        #expect(replayed.1.url?.path == "/end")
        #expect(String(decoding: replayed.0, as: UTF8.self) == "at the end")
    }

    @Test func `existing entries can be written before the recorded entries, or alone`() async throws {
        let old: [HAR.Entry] = [.entry("GET", "http://a/old", text: "old")]
        let first = recorder(Interceptor.saying("live").session(), entries: old)
        #expect(first.finishRecordingAndWait(after: old).isEmpty)
        #expect(try recorded().map(\.request.url) == ["http://a/old"])
        let second = recorder(Interceptor.saying("live").session(), entries: old)
        _ = try await second.session().text("http://a/new")
        #expect(second.finishRecordingAndWait(after: old).isEmpty)
        #expect(try recorded().map(\.request.url) == ["http://a/old", "http://a/new"])
        #expect(Interceptor().finishRecordingAndWait(after: old).isEmpty)
    }

    @Test func `a recording that cannot be written is reported, but the request succeeds`() async throws {
        let interceptor = Interceptor(
            entries: [], name: "old", folder: nil, failures: [:],
            recordingInto: URL(fileURLWithPath: "/dev/null/new.har"),
            configuration: configuration(Interceptor.saying("live").session()))
        #expect(try await interceptor.session().text("http://a/new") == "live")
        let failures = interceptor.finishRecordingAndWait(after: [])
        #expect(!failures.isEmpty && failures.allSatisfy { $0.code == .unwritableFile })
    }

    @Test func `requests are forwarded unchanged, without header fields that a session adds`() async throws {
        let settings = URLSessionConfiguration.ephemeral
        settings.httpAdditionalHeaders = ["X-Added": "1"]
        let cookie = HTTPCookie(properties: [.name: "a", .value: "b", .domain: "a.test", .path: "/"])
        settings.httpCookieStorage?.setCookie(try #require(cookie))
        let interceptor = Interceptor.responding { $0.reply($0.headers.map(\.name).joined(separator: " ")) }
        let own = interceptor.configuration(like: settings)
        #expect(own.httpCookieStorage === settings.httpCookieStorage && settings.httpAdditionalHeaders != nil)
        let request = URLRequest("http://a.test/", headers: ["X-Own": "1"])
        #expect(try await URLSession(configuration: own).text(request) == "X-Own")
        withExtendedLifetime(interceptor) {}
    }

    @Test func `canceling a request cancels the live request in the session`() async throws {
        let begun = Log<Void>()
        let never = AsyncStream.makeStream(of: Void.self)
        let other = Interceptor.with(
            .stub(.any) { _ in
                begun.append(())
                for await _ in never.stream {}
                try Task.checkCancellation()
                return .text("late")
            })
        let exchanges = other.exchanges
        let session = recorder(other.session()).session()
        let task = Task { try await session.text("http://a/") }
        try await wait { !begun.events.isEmpty }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        for await exchange in exchanges {
            #expect(throws: (any Error).self) { try exchange.result.get() }
            break
        }
    }
}
