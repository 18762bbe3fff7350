import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sessions whose responses are cached before a task is created.
@Suite(.limited) struct CachedResponsesInSessionsTests {
    /// Returns an interceptor that has cached the response of each entry by using it once.
    private static func knowing(_ entries: HAR.Entry...) throws -> Interceptor {
        let interceptor = Interceptor(entries: entries)
        for entry in entries { _ = try interceptor.response(entry.request.method, entry.request.url) }
        return interceptor
    }

    private static func site() throws -> Interceptor {
        try knowing(
            .entry("GET", "https://a/1", text: "1"), .entry("POST", "https://a/2", text: "2"),
            .entry("PUT", "https://a/3", text: "3"), .entry("GET", "https://a/empty"),
            .entry("GET", "https://a/start", status: 302, headers: [("Location", "/1")], text: "moved"))
    }

    @Test func `cached responses are delivered to calls and delegates, with and without a body`() async throws {
        let session = try Self.site().session()
        #expect(try await session.text("https://a/1") == "1")
        #expect(try await session.text("https://a/empty") == "")
        #expect(try await session.text(URLRequest("https://a/2", method: "POST", body: "b")) == "2")
        let upload = try await session.upload(for: URLRequest("https://a/3", method: "PUT"), from: Data("up".utf8))
        #expect(String(decoding: upload.0, as: UTF8.self) == "3")
        let delegate = RecordingDelegate()
        let task = try Self.site().session(delegate: delegate).dataTask(with: URL("https://a/1"))
        #expect(await delegate.run(task) == nil)
        #expect(delegate.log.events == ["response 200", "data 1", "end"])
    }

    @Test func `redirects are followed unless the delegate refuses them`() async throws {
        #expect(try await Self.site().session().text("https://a/start") == "1")
        let delegate = RecordingDelegate(redirect: { _ in nil })
        let task = try Self.site().session(delegate: delegate).dataTask(with: URL("https://a/start"))
        #expect(await delegate.run(task) == nil)
        #expect(delegate.log.events == ["redirect 302 to /1", "response 302", "data moved", "end"])
    }

    @Test func `cookies are stored before the response is delivered`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        let session = try Self.knowing(.entry("GET", "https://example.com/", headers: [("Set-Cookie", "a=1")]))
            .session(configuration: configuration)
        _ = try await session.text("https://example.com/")
        #expect(configuration.httpCookieStorage?.cookies?.map(\.name) == ["a"])
    }

    @Test func `canceling at any time is safe`() async throws {
        let session = try Self.site().session(delegate: RecordingDelegate())
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let path = index.isMultiple(of: 2) ? "start" : "1"
                    let call = Task { try await session.data(from: URL("https://a/\(path)")) }
                    if index.isMultiple(of: 3) { await Task.yield() }
                    call.cancel()
                    _ = await call.result
                }
            }
        }
    }

    @Test func `several archives are replayed concurrently, in sessions and in scopes`() async throws {
        let plain = URLSession(configuration: .default)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<20 {
                group.addTask {
                    let interceptor = Interceptor(entries: [.entry("GET", "https://a/", text: "\(index)")])
                    let session = interceptor.session()
                    for _ in 0..<20 {
                        let own = try await session.text("https://a/")
                        let scoped = try await interceptor.interceptEverySession { try await plain.text("https://a/") }
                        #expect([own, scoped] == ["\(index)", "\(index)"])
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a task that is resumed twice receives its response once`() async throws {
        let delegate = RecordingDelegate()
        let task = try Self.site().session(delegate: delegate).dataTask(with: URL("https://a/1"))
        #expect(await delegate.run(task, resumedTimes: 2) == nil)
        #expect(delegate.log.events == ["response 200", "data 1", "end"])
    }
}
