import Foundation
import Relay
import Testing

@testable import FoundationInternals
@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Interceptions that end with their task while another interceptor is active.
@Suite(.limited) struct CallerInterceptionTests {
    private func answer() async -> String { await URLSession.shared.text("http://example.invalid/") { $0() } }

    private func besideAnother(_ test: @escaping @Sendable () async throws -> Void) async throws {
        try await Interceptor.saying("other").interceptEverySession {
            try await Task.detached { try await test() }.value
        }
    }

    @Test func `an interception does not need to be retained, and the task's next interception replaces it`()
        async throws
    {
        try await besideAnother {
            try Interceptor.saying("first").beginInterceptingForCaller()
            #expect(await answer() == "first")
            let second = try Interceptor.saying("second").beginInterceptingForCaller()
            #expect(await answer() == "second")
            second.end()
            #expect(Interceptor.current == nil)
        }
    }

    @Test func `the interceptor is released at the next lookup after the task ends`() async throws {
        try await besideAnother {
            let (number, life) = try await Task {
                let begun = Interceptor.saying("begun")
                try begun.beginInterceptingForCaller()
                return (begun.number, TaskLife())
            }.value
            try await wait { life?.isOver == true }
            #expect(Interceptor.current == nil)
            try await wait { InterceptorTable.interceptor(number) == nil }
        }
    }

    @Test func `interceptions that begin in child tasks of a group end with the tasks`() async throws {
        try await besideAnother {
            let lives = await withTaskGroup(of: TaskLife?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        _ = try? Interceptor.saying("begun").beginInterceptingForCaller()
                        return TaskLife()
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try await wait(until: { lives.allSatisfy { $0?.isOver == true } })
        }
    }

    @Test func `a running task has not ended, and the end of an async let child task cannot be detected`()
        async throws
    {
        let life = try #require(TaskLife())
        await Task.yield()
        #expect(!life.isOver)
        async let child = TaskLife()
        #expect(await child == nil)
    }

    @Test func `a thread keeps its interception until the interception is ended`() async throws {
        try await besideAnother {
            let thread = WaitingThread()
            defer { thread.end() }
            let begun = Log<ActiveInterception>()
            let text = await URLSession.shared.text("http://example.invalid/") { start in
                thread.run {
                    (try? Interceptor.saying("thread").beginInterceptingForCaller()).map(begun.append)
                    start()
                }
            }
            #expect(text == "thread")
            begun.events.first?.end()
        }
    }
}
