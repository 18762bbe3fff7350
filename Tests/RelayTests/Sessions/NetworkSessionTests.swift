import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct NetworkSessionTests {
    @Test func `a session is always associated with the same network session`() {
        let first = URLSession(configuration: .ephemeral)
        let second = URLSession(configuration: .ephemeral)
        let network = NetworkSession.session(for: first)
        #expect(NetworkSession.session(for: first) === network)
        #expect(NetworkSession.session(for: second) !== network)
        withExtendedLifetime((first, second)) {}
    }

    #if canImport(FoundationNetworking)
        @Test(arguments: [true, false])
        func `no decision is made on a redirect of a canceled task`(isCanceled: Bool) throws {
            let session = URLSession(configuration: .ephemeral)
            let url = try #require(URL(string: "http://127.0.0.1:9/"))
            let task = session.dataTask(with: url)
            if isCanceled { task.cancel() }
            let response = try #require(
                HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: ["Location": "/next"]))
            let decisions = Log<URLRequest?>()
            NetworkDelegate(for: nil).urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: URLRequest(url: url)
            ) { decisions.append($0) }
            #expect(decisions.events.count == (isCanceled ? 0 : 1))
        }
    #endif

    @Test func `associations of deallocated sessions are removed at the next lookup`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        weak var gone: NetworkSession?
        do {
            let session = Interceptor.with(.passThrough(.any)).session()
            #expect(try await session.text(server.url("/")) == "live")
            gone = NetworkSession.session(for: session)
            session.finishTasksAndInvalidate()
        }
        try await wait {
            let other = URLSession(configuration: .ephemeral)
            _ = NetworkSession.session(for: other)
            other.finishTasksAndInvalidate()
            return gone == nil
        }
    }
}
