import Foundation
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct CoFutureTests {
    @Test func `tasks and threads receive the value, whether they wait before or after it is set`() async throws {
        let promise = CoPromise<Int>()
        async let task = promise.await()
        async let thread = blocking { try promise.await() }
        promise.success(7)
        #expect(try await task == 7)
        #expect(try await thread == 7)
        #expect(try await promise.await() == 7)
        #expect(try await blocking { try promise.await() } == 7)
    }

    @Test func `tasks and threads receive the error`() async throws {
        let promise = CoPromise<Int>()
        let task = Task { try await promise.await() }
        promise.fail(URLError(.badURL))
        await #expect(throws: URLError(.badURL)) { try await task.value }
        await #expect(throws: URLError(.badURL)) { try await blocking { try promise.await() } }
    }

    @Test func `only the first result is used`() async throws {
        let promise = CoPromise<Int>()
        promise.success(1)
        promise.success(2)
        promise.fail(URLError(.badURL))
        promise.cancel()
        #expect(try await promise.await() == 1)
    }

    @Test func `callbacks are called once, before or after the result is set`() {
        let promise = CoPromise<Int>()
        let log = Log<String>()
        promise.whenComplete { log.append("early \((try? $0.get()) ?? 0)") }
        promise.whenCanceled { log.append("cancelled") }
        promise.success(7)
        promise.success(8)
        promise.whenComplete { log.append("late \((try? $0.get()) ?? 0)") }
        #expect(log.events == ["early 7", "late 7"])
    }

    @Test func `a future can be canceled`() async {
        let promise = CoPromise<Int>()
        let log = Log<String>()
        promise.whenCanceled { log.append("cancelled") }
        promise.cancel()
        promise.cancel()
        #expect(log.events == ["cancelled"])
        await #expect(throws: CancellationError.self) { try await promise.await() }
    }

    @Test func `an asynchronous call provides the value, and is canceled with the future`() async throws {
        #expect(try await CoFuture { 7 }.await() == 7)
        await #expect(throws: URLError(.badURL)) { try await CoFuture<Int> { throw URLError(.badURL) }.await() }
        let stream = AsyncStream<Int>.makeStream()
        let ended = AsyncStream<Bool>.makeStream()
        let future = CoFuture<Int> {
            for await _ in stream.stream {}
            ended.continuation.yield(Task.isCancelled)
            return 0
        }
        let waiting = Task { try await future.await() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        for await isCancelled in ended.stream {
            #expect(isCancelled)
            break
        }
    }

    @Test func `many callers can wait concurrently`() async throws {
        let promises = (0..<200).map { _ in CoPromise<Int>() }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for (number, promise) in promises.enumerated() {
                group.addTask { try await promise.await() == number }
                group.addTask {
                    promise.success(number)
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func `code on a queue can wait like a coroutine`() async throws {
        let carrier = NotingSession(body: #"{"value":7}"#)
        let request = JSONRequest<Value, Failure>(method: .get, path: "x", session: JSONSession(carrier))
        let value = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().startCoroutine {
                let first = try request.perform().await()
                let second = try request.perform(parameters: ["value": String(first.value)]).await()
                continuation.resume(returning: second)
            }
        }
        #expect(value == Value(value: 7))
        #expect(carrier.requests.map { $0.url?.query } == [nil, "value=7"])
    }

    @Test func `code on the main queue can also wait`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok(#"{"value":7}"#) }
        let session = JSONSession(URLSession(configuration: .ephemeral), baseURL: server.url("/"))
        let request = JSONRequest<Value, Failure>(method: .get, path: "x", session: session)
        let value = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.main.startCoroutine {
                continuation.resume(with: Result { try request.perform().await() })
            }
        }
        #expect(value == Value(value: 7))
    }
}
