import Foundation
import HTTPArchive
import Testing

@testable import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sessions whose responses are known where a task starts, from the first one on.
@Suite struct KnownResponsesInSessionsTests {
    private static func knowing(_ respond: @escaping @Sendable (InterceptedRequest) -> InterceptedResponse)
        -> Interceptor
    {
        Interceptor(name: "test", known: { KnownResponse(respond($0)) }, answer: { .response(respond($0)) })
    }

    /// Answers with what was asked, after a redirect where the path says `start`.
    private static let echo = knowing { request in
        if request.url.hasSuffix("/start") {
            return request.reply("moved", status: 302, headers: ["Location": "/end"])
        }
        return request.reply("\(request.url) \(String(decoding: request.body ?? Data(), as: UTF8.self))")
    }

    @Test func `they are delivered, with and without a body, to a call and to a delegate`() async throws {
        let session = Self.echo.session()
        #expect(try await session.text("https://a/1") == "https://a/1 ")
        #expect(try await session.text(URLRequest("https://a/2", method: "POST", body: "b")) == "https://a/2 b")
        let upload = try await session.upload(for: URLRequest("https://a/3", method: "PUT"), from: Data("up".utf8))
        #expect(String(decoding: upload.0, as: UTF8.self) == "https://a/3 up")
        let delegate = RecordingDelegate()
        let task = Self.echo.session(delegate: delegate).dataTask(with: URL("https://a/4"))
        #expect(await delegate.run(task) == nil)
        #expect(delegate.log.events == ["response 200", "data https://a/4 ", "end"])
    }

    @Test func `a status that is none of HTTP is an error`() async {
        let session = Self.knowing { $0.reply(status: 99) }.session()
        let error = await #expect(throws: URLError.self) { try await session.data(from: URL("https://a/")) }
        #expect(error?.code == .badServerResponse)
    }

    @Test func `redirects are followed, and a delegate is asked`() async throws {
        #expect(try await Self.echo.session().text("https://a/start") == "https://a/end ")
        let delegate = RecordingDelegate(redirect: { _ in nil })
        let task = Self.echo.session(delegate: delegate).dataTask(with: URL("https://a/start"))
        #expect(await delegate.run(task) == nil)
        #expect(delegate.log.events == ["redirect 302 to /end", "response 302", "data moved", "end"])
    }

    @Test func `cookies are stored before the answer is there`() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        let session = Self.knowing { $0.reply(headers: ["Set-Cookie": "a=1"]) }
            .session(configuration: configuration)
        _ = try await session.text("https://example.com/")
        #expect(configuration.httpCookieStorage?.cookies?.map(\.name) == ["a"])
    }

    @Test func `cancelling at any moment does no harm`() async {
        let session = Self.echo.session(delegate: RecordingDelegate())
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let path = index.isMultiple(of: 2) ? "start" : "end"
                    let call = Task { try await session.data(from: URL("https://a/\(path)")) }
                    if index.isMultiple(of: 3) { await Task.yield() }
                    call.cancel()
                    _ = await call.result
                }
            }
        }
    }

    @Test func `archives answer beside each other, in sessions and in scopes`() async throws {
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

    @Test func `a task that is resumed again is answered once`() async {
        let delegate = RecordingDelegate()
        let task = Self.echo.session(delegate: delegate).dataTask(with: URL("https://a/"))
        #expect(await delegate.run(task, resumedTimes: 2) == nil)
        #expect(delegate.log.events == ["response 200", "data https://a/ ", "end"])
    }
}
