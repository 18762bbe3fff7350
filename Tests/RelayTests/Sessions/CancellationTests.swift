import Foundation
import Relay
import Synchronization
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct CancellationTests {
    private let url = URL("https://example.com/")

    /// A gate for an interceptor that responds only after the gate has opened.
    private final class Gate: Sendable {
        private let opened = AsyncStream.makeStream(of: Void.self)
        private let requested = AsyncStream.makeStream(of: Void.self)
        let count = Atomic(0)

        var interceptor: Interceptor {
            .with(
                .stub(.any) { [self] request in
                    count.add(1, ordering: .relaxed)
                    requested.continuation.yield()
                    for await _ in opened.stream { break }
                    return .response(request.reply("late"))
                })
        }

        func waitForRequest() async { for await _ in requested.stream { return } }

        func open() { opened.continuation.yield() }
    }

    @Test func `a canceled call ends while its response is pending`() async {
        let gate = Gate()
        let session = gate.interceptor.session()
        let call = Task { try await session.data(from: url) }
        await gate.waitForRequest()
        call.cancel()
        await #expect(throws: URLError.self) { try await call.value }
        gate.open()
    }

    @Test func `a canceled task delivers only the cancellation error`() async {
        let gate = Gate()
        let interceptor = gate.interceptor
        let delegate = RecordingDelegate()
        let task = interceptor.session(delegate: delegate).dataTask(with: url)
        async let error = delegate.run(task)
        await gate.waitForRequest()
        task.cancel()
        #expect((await error as? URLError)?.code == .cancelled)
        gate.open()
        await withCheckedContinuation { continuation in interceptor.queue.async { continuation.resume() } }
        #expect(delegate.log.events == ["end"])
    }

    @Test func `a task that is canceled while it is queued never reaches a rule`() async {
        let gate = Gate()
        let interceptor = gate.interceptor
        let busy = DispatchSemaphore(value: 0)
        interceptor.enqueue { busy.wait() }
        let waiting = Task { [session = interceptor.session()] in try await session.data(from: url) }
        waiting.cancel()
        await #expect(throws: URLError.self) { try await waiting.value }
        busy.signal()
        await withCheckedContinuation { continuation in interceptor.queue.async { continuation.resume() } }
        #expect(gate.count.load(ordering: .relaxed) == 0)
    }

    @Test func `a task that is canceled after it was queued never reaches a rule`() async throws {
        let count = Mutex(0)
        let interceptor = Interceptor.with(
            .stub(
                .where { _ in
                    count.withLock { $0 += 1 }
                    return true
                }, .text("late")))
        let busy = DispatchSemaphore(value: 0)
        interceptor.enqueue { busy.wait() }
        let delegate = RecordingDelegate()
        let task = interceptor.session(delegate: delegate).dataTask(with: url)
        async let error = delegate.run(task)
        try await wait { interceptor.waiting.load(ordering: .relaxed) == 2 }
        task.cancel()
        #expect((await error as? URLError)?.code == .cancelled)
        busy.signal()
        await withCheckedContinuation { continuation in interceptor.queue.async { continuation.resume() } }
        #expect(count.withLock { $0 } == 0)
    }

    @Test func `a suspended task receives its response after it is resumed`() async {
        let gate = Gate()
        let delegate = RecordingDelegate()
        let task = gate.interceptor.session(delegate: delegate).dataTask(with: url)
        async let error = delegate.run(task)
        await gate.waitForRequest()
        task.suspend()
        gate.open()
        task.resume()
        gate.open()
        #expect(await error == nil)
        #expect(delegate.log.events == ["response 200", "data late", "end"])
    }

    @Test func `a request that is active when its scope ends receives its response`() async throws {
        let gate = Gate()
        let session = URLSession(configuration: .default)
        let received = Log<Data?>()
        try gate.interceptor.interceptEverySession {
            session.dataTask(with: URL("https://example.invalid/")) { data, _, _ in received.append(data) }.resume()
        }
        gate.open()
        try await wait { !received.events.isEmpty }
        #expect(received.events == [Data("late".utf8)])
    }

    @Test func `a task that outlives its scope's operation stays in the scope`() async throws {
        let session = URLSession(configuration: .default)
        let (going, start) = AsyncStream.makeStream(of: Void.self)
        let call = try Interceptor.saying("scope").interceptEverySession {
            Task {
                for await _ in going { break }
                return try await session.text("https://example.invalid/")
            }
        }
        start.yield()
        #expect(try await call.value == "scope")
    }

    @Test func `canceling at any time is safe`() async {
        let interceptor = Interceptor.responding {
            $0.reply("x", status: $0.url.hasSuffix("1") ? 302 : 200, headers: ["Location": "/2"])
        }
        let session = interceptor.session(delegate: RecordingDelegate())
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let call = Task { try await session.data(from: URL("https://example.com/\(index % 2)")) }
                    if index.isMultiple(of: 3) { await Task.yield() }
                    call.cancel()
                    _ = await call.result
                }
            }
        }
    }
}
