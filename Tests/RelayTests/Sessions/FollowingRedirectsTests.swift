import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct FollowingRedirectsTests {
    /// Returns an interceptor that redirects `/start` to `/end?x#y`, and describes any other request in its response.
    private static func interceptor(_ status: Int) -> Interceptor {
        .responding { request in
            if request.url.hasSuffix("/start") {
                return request.reply("moved", status: status, headers: ["Location": "end?x#y"])
            }
            return request.reply("\(request.method) \(String(decoding: request.body ?? Data(), as: UTF8.self))")
        }
    }

    @Test(arguments: [(301, "GET "), (302, "GET "), (303, "GET "), (307, "POST body"), (308, "POST body")])
    func `a redirect is followed, and the response has the final URL`(status: Int, expected: String) async throws {
        let request = URLRequest("https://example.com/start", method: "POST", body: "body")
        let (data, response) = try await Self.interceptor(status).session().data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == expected)
        #expect(response.url == URL("https://example.com/end?x#y"))
    }

    @Test func `twenty redirects are followed, and the twenty-first fails`() async throws {
        let interceptor = Interceptor.responding { request in
            let left = Int(request.url.split(separator: "/").last ?? "") ?? 0
            return left == 0 ? request.reply("end") : request.reply(status: 302, headers: ["Location": "/\(left - 1)"])
        }
        let session = interceptor.session()
        #expect(try await session.text("https://example.com/20") == "end")
        let error = await #expect(throws: URLError.self) { try await session.text("https://example.com/21") }
        #expect(error?.code == .httpTooManyRedirects)
    }

    @Test(arguments: ["http://[bad", "ftp://example.com/", ""])
    func `a redirect without a supported target is delivered as the response`(location: String) async throws {
        let interceptor = Interceptor.responding { $0.reply("moved", status: 302, headers: ["Location": location]) }
        let (data, response) = try await interceptor.session().data(from: URL("https://example.com/start"))
        #expect((response as? HTTPURLResponse)?.statusCode == 302)
        #expect(data == Data("moved".utf8))
    }

    @Test func `a delegate receives a redirect and allows it`() async {
        let delegate = RecordingDelegate()
        let session = Self.interceptor(302).session(delegate: delegate)
        let error = await delegate.run(session.dataTask(with: URL("https://example.com/start")))
        #expect(error == nil)
        #expect(delegate.log.events == ["redirect 302 to /end", "response 200", "data GET ", "end"])
    }

    @Test func `a delegate that refuses a redirect receives it as the response`() async {
        let delegate = RecordingDelegate(redirect: { _ in nil })
        let session = Self.interceptor(302).session(delegate: delegate)
        let error = await delegate.run(session.dataTask(with: URL("https://example.com/start")))
        #expect(error == nil)
        #expect(delegate.log.events == ["redirect 302 to /end", "response 302", "data moved", "end"])
    }

    @Test func `a delegate can change the target of a redirect`() async {
        let delegate = RecordingDelegate(redirect: { _ in URLRequest("https://other.example/", method: "OPTIONS") })
        let session = Self.interceptor(302).session(delegate: delegate)
        let task = session.dataTask(with: URL("https://example.com/start"))
        _ = await delegate.run(task)
        #expect(delegate.log.events.contains("data OPTIONS "))
        #expect(task.response?.url == URL("https://other.example/"))
    }
}
