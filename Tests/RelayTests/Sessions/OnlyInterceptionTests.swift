#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Testing

    import FoundationInternals
    import Relay
    @testable import RelayCore
    @testable import RelayURLSession

    /// The behavior while only one interceptor is active.
    ///
    /// Each test runs in its own process.
    @Suite(.limited) struct OnlyInterceptionTests {
        @Test func `an interceptor applies to every task and thread while no other is active`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let sessions = [.shared, URLSession(configuration: .default), URLSession(configuration: .ephemeral)]
                let oldThread = WaitingThread()
                for expected in ["begun", "live"] {
                    let interception = try Interceptor.saying("begun").beginInterceptingEverySession()
                    if expected == "live" { interception.end() }
                    for session in sessions + [URLSession(configuration: .default)] {
                        for place in Place.allCases {
                            let text = try await place.text(server.url("/"), from: session, oldThread: oldThread)
                            #expect(text == expected, "\(place)")
                        }
                    }
                    interception.end()
                }
            }
        }

        @Test func `code without a scope uses the network while a second interceptor is active`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let url = server.url("/")
                let thread = WaitingThread()
                let session = URLSession.shared
                let (first, second) = (Interceptor.saying("first"), Interceptor.saying("second"))
                let interception = try first.beginInterceptingEverySession()
                let again = try first.beginInterceptingEverySession()
                #expect(await session.text(url) { thread.run($0) } == "first")
                try await second.interceptEverySession {
                    let text = try await session.text(url)
                    #expect(text == "second")
                    #expect(await session.text(url) { thread.run($0) } == "live")
                }
                #expect(await session.text(url) { thread.run($0) } == "first")
                let other = try second.beginInterceptingEverySession()
                #expect(await session.text(url) { thread.run($0) } == "live")
                other.end()
                again.end()
                #expect(await session.text(url) { thread.run($0) } == "first")
                interception.end()
                #expect(await session.text(url) { thread.run($0) } == "live")
            }
        }

        @Test func `an operation's scope does not affect other code, even if it is the only one`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                try await Interceptor.saying("operation").interceptEverySession {
                    let text = try await Task.detached { try await URLSession.shared.text(server.url("/")) }.value
                    #expect(text == "live")
                }
            }
        }

        @Test func `requests that are passed through reach the network`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let interceptor = Interceptor.with(.passThrough(.any))
                let interception = try interceptor.beginInterceptingEverySession()
                let own = interceptor.session()
                let texts = try await [own, .shared, URLSession(configuration: .default)].asyncMap {
                    try await $0.text(server.url("/"))
                }
                #expect(texts == ["live", "live", "live"])
                #expect(server.requests.count == 3)
                interception.end()
            }
        }

        @Test func `concurrent requests receive either response while an interception begins and ends`() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                let sessions = [.shared, URLSession(configuration: .default), URLSession(configuration: .ephemeral)]
                let texts = Log<String>()
                let changing = Task.detached {
                    while !Task.isCancelled {
                        try Interceptor.saying("begun").beginInterceptingEverySession().end()
                        let interception = try Interceptor.saying("begun").beginInterceptingEverySession()
                        await Task.yield()
                        interception.end()
                        await Task.yield()
                    }
                }
                await withTaskGroup(of: Void.self) { group in
                    for index in 0..<8 {
                        group.addTask {
                            for turn in 0..<50 {
                                texts.append(await sessions[(index + turn) % 3].text(server.url("/")) { $0() })
                            }
                        }
                    }
                }
                changing.cancel()
                try await changing.value
                #expect(texts.events.count == 400)
                #expect(Set(texts.events).subtracting(["begun", "live"]) == [])
            }
        }

        @Test func `a task that an interception has accepted receives its response even if the interception ends`()
            async
        {
            await #expect(processExitsWith: .success) {
                let request = URLRequest("http://127.0.0.1/")
                let classes = URLSessionConfiguration.default.protocolClasses?.compactMap { $0 as? URLProtocol.Type }
                let http = try #require(classes?.first { $0.canInit(with: request) })
                let interceptor = Interceptor.saying("begun")
                let interception = try interceptor.beginInterceptingEverySession()
                #expect(
                    !http.canInit(with: request),
                    "The protocol class refuses an intercepted request even without a task.")
                DispatchQueue(label: "org.swift.URLSessionTask.WorkQueue").sync {
                    #expect(!http.canInit(with: request))
                    interception.end()
                    #expect(RelayURLProtocol.canInit(with: request))
                    #expect(TaskAttachment.current === interceptor)
                }
                DispatchQueue(label: "org.swift.URLSessionTask.WorkQueue").sync {
                    #expect(http.canInit(with: request))
                    #expect(!RelayURLProtocol.canInit(with: request))
                }
            }
        }

        @Test func `all changes are undone after the last interception ends`() async {
            await #expect(processExitsWith: .success) {
                let request = URLRequest("http://127.0.0.1/")
                let configuration = URLSession.shared.configuration
                let cache = configuration.urlCache
                func classes() -> [[ObjectIdentifier]?] {
                    [configuration, .default].map { $0.protocolClasses?.map(ObjectIdentifier.init) }
                }
                let before = classes()
                let http = try #require(
                    URLSessionConfiguration.default.protocolClasses?.compactMap { $0 as? URLProtocol.Type }.first {
                        $0.canInit(with: request)
                    })
                func isAsBefore() -> Bool {
                    classes() == before && configuration.urlCache === cache && http.canInit(with: request)
                        && !RelayURLProtocol.canInit(with: request)
                }
                let interceptor = Interceptor.saying("scope")
                let begun = try interceptor.beginInterceptingEverySession()
                _ = try await URLSession.shared.text("https://example.invalid/")
                begun.end()
                #expect(isAsBefore())
                try await interceptor.interceptEverySession(covering: .sharedSession) {
                    #expect(classes() != before)
                    let text = try await URLSession.shared.text("https://example.invalid/")
                    #expect(text == "scope")
                    #expect(URLSession.shared.configuration.urlCache === cache)
                }
                #expect(isAsBefore())

                // A protocol class registered by other code handles only its own requests.
                #expect(URLProtocol.registerClass(ForeignProtocol.self))
                let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
                #expect(try await URLSession.shared.text("foreign://x/") == "foreign")
                #expect(try await URLSession.shared.text(server.url("/")) == "live")
                let again = try interceptor.beginInterceptingEverySession()
                #expect(try await URLSession.shared.text("foreign://x/") == "foreign")
                again.end()
                #expect(try await URLSession.shared.text("foreign://x/") == "foreign")
                #expect(try await URLSession.shared.text(server.url("/")) == "live")
            }
        }
    }

    /// A protocol class that answers requests with its own scheme.
    private final class ForeignProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "foreign" }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let url = request.url else { return }
            let response = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("foreign".utf8))
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }

    extension Array {
        /// Transforms the elements one at a time.
        fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
            var results: [Result] = []
            for element in self { results.append(try await transform(element)) }
            return results
        }
    }
#endif
