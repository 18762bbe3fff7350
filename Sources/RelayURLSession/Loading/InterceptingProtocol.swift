import FoundationInternals
public import RelayCore
import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Loads requests by asking an interceptor; its subclasses say which one.
///
/// A subclass is for configurations that have to name a class, and are made before the interceptor is known. It overrides
/// `canInit(with:)`, which by default takes nothing, and ``interceptor``.
///
/// Its client is only called where `URLSession` also starts and stops it: nothing is delivered that was stopped.
open class InterceptingProtocol: URLProtocol, InterceptingClass {
    private enum State {
        case stopped
        case loading(TaskLoad)
        case finished
    }

    private let state = Mutex(State.stopped)

    /// The interceptor that the request belongs to, or `nil` when it is gone, which lets the request fail.
    ///
    /// It is asked once, where the task begins to load.
    open var interceptor: Interceptor? { nil }

    /// Whether requests are taken; none is by this class itself.
    open override class func canInit(with request: URLRequest) -> Bool { false }

    /// The request as it is.
    open override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Begins to load, unless the task was cancelled: it may have been, and be over, before it was started.
    open override func startLoading() {
        guard let task, ![.canceling, .completed].contains(task.state) else { return }
        let isAwaited = task.endOnDelegateQueue()
        guard let interceptor else {
            state.withLock { $0 = .finished }
            return deliver(.failure(interceptorIsGone))
        }
        nonisolated(unsafe) let loader = self
        let exchange = TaskLoad(
            of: task, isAwaited: isAwaited, loading: request, with: interceptor.answering
        ) { exchange, delivery in
            task.performOnItsQueue { loader.take(delivery, of: exchange) }
        }
        let isNew = state.withLock { state in
            guard case .stopped = state else { return false }
            state = .loading(exchange)
            return true
        }
        if isNew, let delivery = exchange.start() { take(delivery, of: exchange) }
    }

    /// Ends what is going on.
    ///
    /// A task that is cancelled while its end is on the way to the caller stops this object, and would then report the
    /// cancellation through the client of a task that may be over, which ends the process; without a client it does not.
    open override func stopLoading() {
        let exchange: TaskLoad? = state.withLock { state in
            switch state {
            case .loading(let exchange):
                state = .stopped
                return exchange
            case .finished:
                client = nil
                return nil
            case .stopped:
                return nil
            }
        }
        exchange?.cancel()
    }

    /// Delivers what an exchange gives, unless it was stopped before.
    private func take(_ delivery: Delivery, of exchange: TaskLoad) {
        let isCurrent = state.withLock { state in
            guard case .loading(let current) = state, current === exchange else { return false }
            if delivery.isLast { state = .finished }
            return true
        }
        if isCurrent { deliver(delivery) }
    }

    private func deliver(_ delivery: Delivery) {
        switch delivery {
        case .response(let response, let body):
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            if !body.isEmpty { client?.urlProtocol(self, didLoad: body) }
            client?.urlProtocolDidFinishLoading(self)
        case .head(let response):
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        case .data(let data):
            client?.urlProtocol(self, didLoad: data)
        case .end:
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        case .redirect(let request, let response):
            client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    private var interceptorIsGone: RelayError {
        RelayError(
            .interceptorGone,
            "The interceptor of \(request.url?.absoluteString ?? "a request") no longer exists; keep it for as long as "
                + "its requests run.")
    }
}

#if canImport(FoundationNetworking)
    extension InterceptingProtocol {
        /// Makes `URLSession.shared` ask this class for every request, before the library's own classes.
        package class func insertIntoSharedSession() { SharedSessionClasses.insert(self) }

        /// Undoes one call of ``insertIntoSharedSession()``.
        package class func removeFromSharedSession() { SharedSessionClasses.remove(self) }
    }
#endif
