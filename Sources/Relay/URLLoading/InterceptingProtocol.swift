import Foundation
import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads requests by asking an interceptor; its subclasses say which one.
///
/// `URLSession` starts and stops it on one queue, exchanges end on others: `state` guards what they share.
class InterceptingProtocol: URLProtocol {
    private enum State {
        case stopped
        case loading(Exchange)
        case finished
    }

    private let state = Mutex(State.stopped)

    /// The interceptor that the request belongs to, or `nil` when it is gone.
    var interceptor: Interceptor? { nil }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let interceptor, let task else { return conclude(nil, with: .failure(interceptorIsGone)) }
        nonisolated(unsafe) let loader = self
        let exchange = Exchange(of: task, loading: request, with: interceptor) { loader.conclude($0, with: $1) }
        let isNew = state.withLock { state in
            guard case .stopped = state else { return false }
            state = .loading(exchange)
            return true
        }
        if isNew { interceptor.queue.async { exchange.start() } }
    }

    override func stopLoading() {
        let exchange: Exchange? = state.withLock { state in
            guard case .loading(let exchange) = state else { return nil }
            state = .stopped
            return exchange
        }
        exchange?.cancel()
    }

    /// Delivers how an exchange ended, unless it was stopped before.
    ///
    /// The lock is held meanwhile: a client that is told of a task which is already over ends the process, and a task
    /// that is cancelled is over only after `stopLoading`. No method of the client calls back.
    private func conclude(_ exchange: Exchange?, with outcome: Exchange.Outcome) {
        state.withLock { state in
            if let exchange {
                guard case .loading(let current) = state, current === exchange else { return }
            }
            state = .finished
            deliver(outcome)
        }
    }

    private func deliver(_ outcome: Exchange.Outcome) {
        switch outcome {
        case .response(let response, let body):
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            if !body.isEmpty { client?.urlProtocol(self, didLoad: body) }
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        case .redirect(let request, let response):
            client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    private var interceptorIsGone: HARError {
        HARError(
            .interceptorGone,
            "The interceptor of \(request.url?.absoluteString ?? "a request") no longer exists; keep it for as long as "
                + "sessions that it was installed in are used.")
    }
}

/// Loads every request of the sessions that an interceptor made or was installed in.
final class SessionProtocol<Number: TypeNumber>: InterceptingProtocol {
    override var interceptor: Interceptor? { InterceptorTable.interceptor(Number.value) }

    override class func canInit(with request: URLRequest) -> Bool { true }
}

/// Loads the requests that are made in a scope of an interceptor.
///
/// The scope is known where a request starts, which is where `canInit` runs; an object of this class may be made
/// elsewhere, so that the class itself has to say which interceptor it is for.
final class ScopeProtocol<Number: TypeNumber>: InterceptingProtocol {
    override var interceptor: Interceptor? { InterceptorTable.interceptor(Number.value) }

    override class func canInit(with request: URLRequest) -> Bool {
        InterceptionScope.taking(request)?.interceptor.number == Number.value
    }
}

extension Interceptor {
    /// The class that loads every request of a session.
    var sessionProtocol: AnyClass {
        func make<Number: TypeNumber>(_: Number.Type) -> AnyClass { SessionProtocol<Number>.self }
        return make(typeNumber(number))
    }

    /// The class that loads the requests of this interceptor's scopes.
    var scopeProtocol: AnyClass {
        func make<Number: TypeNumber>(_: Number.Type) -> AnyClass { ScopeProtocol<Number>.self }
        return make(typeNumber(number))
    }
}
