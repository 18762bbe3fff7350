import Foundation
import Testing

import Relay
@testable import FoundationInternals
@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Interceptions that end with their task, while another interceptor intercepts.
@Suite struct CallerInterceptionTests {
    private func answer() async -> String { await URLSession.shared.text("http://example.invalid/") { $0() } }

    private func besideAnother(_ test: @escaping @Sendable () async throws -> Void) async throws {
        try await Interceptor.saying("other").interceptEverySession {
            try await Task.detached { try await test() }.value
        }
    }

    @Test func `it needs no keeping, and the next one of the task takes its place`() async throws {
        try await besideAnother {
            Interceptor.saying("first").beginInterceptingForCaller()
            #expect(await answer() == "first")
            let second = Interceptor.saying("second").beginInterceptingForCaller()
            #expect(await answer() == "second")
            second.end()
            #expect(Interceptor.current == nil)
        }
    }

    @Test func `the interceptor goes when the task is over and somebody asks`() async throws {
        try await besideAnother {
            let (number, life) = await Task {
                let begun = Interceptor.saying("begun")
                begun.beginInterceptingForCaller()
                return (begun.number, TaskLife())
            }.value
            for _ in 0..<20000 where life?.isOver != true { await Task.yield() }
            #expect(life?.isOver == true)
            #expect(Interceptor.current == nil)
            for _ in 0..<20000 where InterceptorTable.interceptor(number) != nil { await Task.yield() }
            #expect(InterceptorTable.interceptor(number) == nil)
        }
    }

    @Test func `what tasks of groups have begun ends with them`() async throws {
        try await besideAnother {
            let lives = await withTaskGroup(of: TaskLife?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        Interceptor.saying("begun").beginInterceptingForCaller()
                        return TaskLife()
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try await wait(until: { lives.allSatisfy { $0?.isOver == true } })
        }
    }

    @Test func `a task that goes on has not ended, and the life of one in its parent cannot be told`() async throws {
        let life = try #require(TaskLife())
        await Task.yield()
        #expect(!life.isOver)
        async let child = TaskLife()
        #expect(await child == nil)
    }

    @Test func `a thread has one until it is ended`() async throws {
        try await besideAnother {
            let thread = WaitingThread()
            defer { thread.end() }
            let begun = Log<ActiveInterception>()
            let text = await URLSession.shared.text("http://example.invalid/") { start in
                thread.run {
                    begun.append(Interceptor.saying("thread").beginInterceptingForCaller())
                    start()
                }
            }
            #expect(text == "thread")
            begun.events.first?.end()
        }
    }
}
