import Foundation
import Relay
import Testing

@testable import FoundationInternals
@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Interceptions that begin while another interceptor is active, as in parallel tests.
@Suite(.limited) struct ActiveInterceptionTests {
    private let server: LoopbackServer
    private let session = URLSession(configuration: .default)
    private var url: String { server.url("/") }

    init() throws {
        server = try LoopbackServer { _ in LoopbackServer.ok("live") }
    }

    /// Returns the response to a request started by the current task.
    private func answer() async -> String { await session.text(url) { $0() } }

    /// Runs a test while another interceptor is active.
    private func besideAnother(_ test: @escaping @Sendable () async throws -> Void) async throws {
        try await Interceptor.saying("other").interceptEverySession {
            try await Task.detached { try await test() }.value
        }
    }

    @Test func `each task and thread uses only its own interception`() async throws {
        try await besideAnother {
            let oldThread = WaitingThread()
            defer { oldThread.end() }
            let interception = try Interceptor.saying("begun").beginInterceptingEverySession()
            defer { interception.end() }
            for session in [session, .shared, URLSession(configuration: .ephemeral)] {
                for place in Place.allCases {
                    let text = try await place.text(url, from: session, oldThread: oldThread)
                    #expect(text == ([.itself, .queueSync].contains(place) ? "begun" : "live"), "\(place)")
                }
            }
        }
    }

    @Test func `the latest active interception applies, regardless of the order in which interceptions end`()
        async throws
    {
        try await besideAnother {
            let interceptions = try ["1", "2", "3"].map { try Interceptor.saying($0).beginInterceptingEverySession() }
            #expect(await answer() == "3")
            interceptions[1].end()
            #expect(await answer() == "3")
            interceptions[2].end()
            #expect(await answer() == "1")
            interceptions[2].end()
            #expect(await answer() == "1")
            interceptions[0].end()
            #expect(await answer() == "live")
        }
    }

    @Test func `one interceptor can begin several interceptions`() async throws {
        try await besideAnother {
            let (first, second) = (Interceptor.saying("1"), Interceptor.saying("2"))
            let interceptions = try [first, second, first].map { try $0.beginInterceptingEverySession() }
            interceptions[0].end()
            #expect(await answer() == "1")
            interceptions[2].end()
            #expect(await answer() == "2")
            interceptions[1].end()
            #expect(await answer() == "live")
        }
    }

    @Test func `an interception that is deallocated ends and releases its interceptor`() async throws {
        try await besideAnother {
            weak var interceptor: Interceptor?
            do {
                let begun = Interceptor.saying("begun")
                interceptor = begun
                let interception = try begun.beginInterceptingEverySession()
                #expect(InterceptionScope.interception(for: URLRequest(url))?.interceptor === begun)
                withExtendedLifetime(interception) {}
            }
            // A request of a parallel test can retain each active interceptor for a moment.
            for _ in 0..<100_000 where interceptor != nil { await Task.yield() }
            #expect(interceptor == nil)
            #expect(await answer() == "live")
        }
    }

    @Test func `another task can end an interception`() async throws {
        try await besideAnother {
            let interception = try Interceptor.saying("begun").beginInterceptingEverySession()
            await Task.detached { interception.end() }.value
            #expect(await answer() == "live")
        }
    }

    @Test func `an operation's scope takes precedence over interceptions that begin before or inside it`() async throws
    {
        try await besideAnother {
            let first = try Interceptor.saying("begun").beginInterceptingEverySession()
            try await Interceptor.saying("operation").interceptEverySession {
                let before = await answer()
                let second = try Interceptor.saying("begun inside").beginInterceptingEverySession()
                let after = await answer()
                #expect([before, after] == ["operation", "operation"])
                withExtendedLifetime(second) {}
            }
            #expect(await answer() == "begun")
            first.end()
        }
    }

    @Test func `an interception still applies when its task resumes on any thread`() async throws {
        try await besideAnother {
            let interception = try Interceptor.saying("begun").beginInterceptingEverySession()
            defer { interception.end() }
            for _ in 0..<50 {
                await Task.yield()
                #expect(await answer() == "begun")
            }
        }
    }

    @Test func `each thread without a task has its own interception`() async throws {
        try await besideAnother {
            let threads = (0..<3).map { _ in WaitingThread() }
            let begun = Log<ActiveInterception>()
            for (index, thread) in threads.enumerated() {
                let text = await session.text(url) { start in
                    thread.run {
                        (try? Interceptor.saying("\(index)").beginInterceptingEverySession()).map(begun.append)
                        start()
                    }
                }
                #expect(text == "\(index)")
            }
            for (index, thread) in threads.enumerated() {
                #expect(await session.text(url) { thread.run($0) } == "\(index)")
                begun.events[index].end()
                #expect(await session.text(url) { thread.run($0) } == "live")
                thread.end()
            }
        }
    }

    @Test func `a task at the address of an ended task does not use that task's interception`() async throws {
        try await besideAnother {
            let begun = Log<ActiveInterception>()
            @Sendable func run(_ turn: Int) async throws -> (caller: Caller?, answer: String) {
                if turn == 0 { begun.append(try Interceptor.saying("begun").beginInterceptingEverySession()) }
                return (.current, await answer())
            }
            func address(_ caller: Caller?) -> UInt? {
                guard case .task(let identity) = caller else { return nil }
                return identity.address
            }
            var results: [(caller: Caller?, answer: String)] = []
            for turn in 0..<3 {
                async let child = run(turn)  // Each child task reuses the memory of the previous one.
                results.append(try await child)
            }
            #expect(Set(results.map { address($0.caller) }).count == 1)
            #expect(results.map(\.answer) == ["begun", "live", "live"])
        }
    }

    @Test func `a thread with the handle of an ended thread does not use that thread's interception`() async throws {
        try await besideAnother {
            let begun = Log<ActiveInterception>()
            for _ in 0..<20 {
                let thread = WaitingThread()
                #expect(await session.text(url) { thread.run($0) } == "live")
                thread.run { (try? Interceptor.saying("begun").beginInterceptingEverySession()).map(begun.append) }
                #expect(await session.text(url) { thread.run($0) } == "begun")
                thread.end()
            }
            #expect(begun.events.count == 20)
        }
    }
}
