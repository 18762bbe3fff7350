public import Dispatch
import Foundation

/// A future value for coroutine-style code.
///
/// `@unchecked Sendable`: the lock guards the result and the callbacks.
public class CoFuture<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var result: Result<Value, any Error>?
    private var callbacks: [(Result<Value, any Error>) -> Void] = []

    fileprivate init() {}

    /// Creates a future that runs asynchronous code in a task.
    ///
    /// ``cancel()`` cancels the task.
    public convenience init(_ make: @escaping @Sendable () async throws -> sending Value) {
        self.init()
        let task = Task {
            do { finish(.success(try await make())) } catch { finish(.failure(error)) }
        }
        whenCanceled { task.cancel() }
    }

    /// Waits for the value, or throws the error.
    ///
    /// This function blocks the calling thread. On the main thread, the run loop keeps running. In a task, use the
    /// `async` function instead.
    @available(*, noasync)
    public func await() throws -> Value {
        let isThere = DispatchSemaphore(value: 0)
        whenComplete { _ in isThere.signal() }
        while isThere.wait(timeout: Thread.isMainThread ? .now() + .milliseconds(5) : .distantFuture) == .timedOut {
            _ = RunLoop.current.run(mode: .default, before: Date())
        }
        return try known.get()
    }

    /// Waits for the value, or throws the error.
    ///
    /// Canceling the waiting task cancels the future.
    public func await() async throws -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in whenComplete { _ in continuation.resume() } }
        } onCancel: {
            cancel()
        }
        return try known.get()
    }

    /// Calls a closure with the result, immediately if the result is already available.
    public func whenComplete(_ callback: @escaping (Result<Value, any Error>) -> Void) {
        let known = lock.withLock {
            if result == nil { callbacks.append(callback) }
            return result
        }
        if let known { callback(known) }
    }

    /// Calls a closure when the future is canceled.
    public func whenCanceled(_ callback: @escaping () -> Void) {
        whenComplete { if case .failure(let error) = $0, error is CancellationError { callback() } }
    }

    /// Cancels the future.
    ///
    /// Waiting callers receive a `CancellationError`.
    public func cancel() { finish(.failure(CancellationError())) }

    /// Sets the result and calls the callbacks.
    ///
    /// Only the first call has an effect.
    fileprivate func finish(_ result: Result<Value, any Error>) {
        lock.lock()
        let waiting = self.result == nil ? callbacks : []
        self.result = self.result ?? result
        callbacks = []
        lock.unlock()
        for callback in waiting { callback(result) }
    }

    /// Returns a future that transforms this future's result.
    func then<New>(_ make: @escaping (Result<Value, any Error>) throws -> New) -> CoFuture<New> {
        let new = CoFuture<New>()
        whenComplete { result in new.finish(Result { try make(result) }) }
        new.whenCanceled { self.cancel() }
        return new
    }

    /// The result.
    ///
    /// It is available when the callbacks are called.
    private var known: Result<Value, any Error> { lock.withLock { result } ?? .failure(CancellationError()) }
}

/// A future whose result is set by its creator.
///
/// Only the first result counts.
public final class CoPromise<Value>: CoFuture<Value>, @unchecked Sendable {
    /// Creates a promise without a result.
    override public init() { super.init() }

    /// Completes the future with a value.
    public func success(_ value: Value) { finish(.success(value)) }

    /// Completes the future with an error.
    public func fail(_ error: any Error) { finish(.failure(error)) }
}

extension DispatchQueue {
    /// Runs code on this queue.
    ///
    /// The code can wait with `.await()`.
    ///
    /// Errors that the code throws are ignored.
    public func startCoroutine(_ work: @escaping @Sendable () throws -> Void) { async { try? work() } }
}
