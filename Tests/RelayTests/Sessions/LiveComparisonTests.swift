import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Compares the results of an interceptor and of a live server for the same exchange.
@Suite(.limited) struct LiveComparisonTests {
    private let fields: [(String, String)] = [
        ("Set-Cookie", "a=1; Path=/; Expires=Wed, 21 Oct 2037 07:28:00 GMT"), ("Set-Cookie", "b=2"),
        ("content-type", "text/plain; charset=utf-8"), ("ETag", "\"x\""), ("X-Repeated", "1"), ("X-Repeated", "2"),
        ("x-lower", "l"), ("Vary", "Accept"), ("X-Empty", ""), ("Vary", "Origin"), ("Content-Length", "4"),
        ("Cache-Control", "no-store"), ("X-Quoted", "a, \"b, c\""),
    ]

    private func sessions(
        status: String, delegate: RecordingDelegate? = nil
    ) throws -> (server: LoopbackServer, live: URLSession, intercepted: URLSession) {
        let lines = fields.map { "\($0): \($1)\r\n" }.joined()
        let server = try LoopbackServer { _ in "HTTP/1.1 \(status)\r\n\(lines)\r\nbody" }
        let interceptor = Interceptor.responding { [fields] request in
            InterceptedResponse(
                url: request.url, status: Int(status.prefix(3)) ?? 0, headers: fields.map(HeaderField.init),
                body: Data("body".utf8))
        }
        let live = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        return (server, live, interceptor.session(delegate: delegate))
    }

    @Test(arguments: ["200 OK", "201 Created", "404 Not Found", "500 Oh", "401 Unauthorized", "418 I am a teapot"])
    func `intercepted and live responses are equal, including duplicate header fields`(status: String) async throws {
        let (server, live, intercepted) = try sessions(status: status)
        let url = URL(server.url("/path?query"))
        let (expectedBody, expected) = try await live.data(from: url)
        let (body, response) = try await intercepted.data(from: url)
        let expectedHead = try #require(expected as? HTTPURLResponse)
        let head = try #require(response as? HTTPURLResponse)
        #expect(body == expectedBody)
        #expect(head.statusCode == expectedHead.statusCode)
        #expect(head.allHeaderFields as? [String: String] == expectedHead.allHeaderFields as? [String: String])
        #expect(head.url == expectedHead.url)
        #expect(head.mimeType == expectedHead.mimeType)
        #expect(head.textEncodingName == expectedHead.textEncodingName)
        #expect(head.expectedContentLength == expectedHead.expectedContentLength)
        #expect(head.suggestedFilename == expectedHead.suggestedFilename)
        #expect(server.requests.count == 1)
    }

    @Test func `intercepted and live requests cause the same delegate calls`() async throws {
        let delegate = RecordingDelegate()
        let (server, live, intercepted) = try sessions(status: "200 OK", delegate: delegate)
        let url = URL(server.url("/"))
        let errors = [
            await delegate.run(live.dataTask(with: url)), await delegate.run(intercepted.dataTask(with: url)),
        ]
        #expect(errors.allSatisfy { $0 == nil })
        let calls = delegate.log.events
        #expect(Array(calls.prefix(calls.count / 2)) == Array(calls.suffix(calls.count / 2)))
    }

    @Test func `intercepted and live responses store the same cookies`() async throws {
        let (server, live, intercepted) = try sessions(status: "200 OK")
        let url = URL(server.url("/"))
        let stored = try await [live, intercepted].asyncMap { session in
            _ = try await session.data(from: url)
            let cookies = session.configuration.httpCookieStorage?.cookies(for: url) ?? []
            return cookies.map { "\($0.name)=\($0.value) \($0.domain)\($0.path)" }.sorted()
        }
        #expect(stored[0] == stored[1])
        #expect(stored[0].count == 2)
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
