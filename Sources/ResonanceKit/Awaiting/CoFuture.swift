public import Dispatch
import Foundation

/// A value that will be there, for code that was written for coroutines; the lock guards what is shared.
public class CoFuture<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var result: Result<Value, any Error>?
    private var callbacks: [(Result<Value, any Error>) -> Void] = []

    fileprivate init() {}

    /// Begins to make a value by asynchronous code, which ``cancel()`` cancels.
    public convenience init(_ make: @escaping @Sendable () async throws -> sending Value) {
        self.init()
        let task = Task {
            do { finish(.success(try await make())) } catch { finish(.failure(error)) }
        }
        whenCanceled { task.cancel() }
    }

    /// Waits for the value, or throws what there is in its place.
    ///
    /// It blocks its thread; the main thread goes on with its run loop. Tasks wait by the function that is `async`.
    @available(*, noasync)
    public func await() throws -> Value {
        let isThere = DispatchSemaphore(value: 0)
        whenComplete { _ in isThere.signal() }
        while isThere.wait(timeout: Thread.isMainThread ? .now() + .milliseconds(5) : .distantFuture) == .timedOut {
            _ = RunLoop.current.run(mode: .default, before: Date())
        }
        return try known.get()
    }

    /// Waits for the value, or throws what there is in its place; a task that is cancelled cancels it.
    public func await() async throws -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in whenComplete { _ in continuation.resume() } }
        } onCancel: {
            cancel()
        }
        return try known.get()
    }

    /// Calls a closure with the value or what there is in its place, at once if it is there.
    public func whenComplete(_ callback: @escaping (Result<Value, any Error>) -> Void) {
        let known = lock.withLock {
            if result == nil { callbacks.append(callback) }
            return result
        }
        if let known { callback(known) }
    }

    /// Calls a closure once nobody wants the value any more.
    public func whenCanceled(_ callback: @escaping () -> Void) {
        whenComplete { if case .failure(let error) = $0, error is CancellationError { callback() } }
    }

    /// Says that nobody wants the value any more; those who wait get a `CancellationError`.
    public func cancel() { finish(.failure(CancellationError())) }

    /// Tells all who wait; the first result counts.
    fileprivate func finish(_ result: Result<Value, any Error>) {
        lock.lock()
        let waiting = self.result == nil ? callbacks : []
        self.result = self.result ?? result
        callbacks = []
        lock.unlock()
        for callback in waiting { callback(result) }
    }

    /// What is made of the value, or of what there is in its place, once that is there.
    func then<New>(_ make: @escaping (Result<Value, any Error>) throws -> New) -> CoFuture<New> {
        let new = CoFuture<New>()
        whenComplete { result in new.finish(Result { try make(result) }) }
        new.whenCanceled { self.cancel() }
        return new
    }

    /// The result, which those ask for who were told that it is there.
    private var known: Result<Value, any Error> { lock.withLock { result } ?? .failure(CancellationError()) }
}

/// A value that will be there once somebody says it; what is said first counts.
public final class CoPromise<Value>: CoFuture<Value>, @unchecked Sendable {
    /// Promises a value.
    override public init() { super.init() }

    /// Gives the value.
    public func success(_ value: Value) { finish(.success(value)) }

    /// Says why there is none.
    public func fail(_ error: any Error) { finish(.failure(error)) }
}

extension DispatchQueue {
    /// Runs code in the queue that waits by `.await()`, and handles its errors itself.
    public func startCoroutine(_ work: @escaping @Sendable () throws -> Void) { async { try? work() } }
}
