import FoundationInternals
import HTTPArchive
public import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A protocol class that loads requests from an interceptor, which a subclass provides.
///
/// Create a subclass if a configuration needs a protocol class before the interceptor is known. Override
/// `canInit(with:)`, which accepts no requests by default, and ``interceptor``.
///
/// The client is called only on the queue on which `URLSession` starts and stops the protocol, so nothing is delivered
/// after a request has been stopped.
open class InterceptingProtocol: URLProtocol, InterceptingClass {
    private enum State {
        case stopped
        case loading(TaskLoad)
        case finished
    }

    private let state = Mutex(State.stopped)

    /// The turn of the task, or nil if the order of tasks does not matter.
    var turn: TaskOrder.Turn?

    /// Whether the client receives the body in chunks; nil before the first chunk.
    ///
    /// This property and the next one are used only on the task's queue.
    private var receivesChunks: Bool?

    /// The body received so far, for a client that does not receive chunks.
    private var body = Data()

    /// The interceptor for the request.
    ///
    /// If it is nil because the interceptor was deallocated, the request fails.
    ///
    /// This property is read once, when the task starts loading.
    open var interceptor: Interceptor? { nil }

    /// Returns `false`.
    ///
    /// Subclasses return whether to intercept a request.
    open override class func canInit(with request: URLRequest) -> Bool { false }

    /// Returns the request unchanged.
    open override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Starts loading, unless the task has been canceled or has completed.
    ///
    /// A canceled task can complete before it starts loading.
    open override func startLoading() {
        guard let task, let turn else { return load() }
        nonisolated(unsafe) let loader = self
        let isFirst = turn.begin {
            task.performOnItsQueue { if turn.isOpen { loader.load() } }
        }
        if isFirst { load() }
    }

    private func load() {
        guard let task, ![.canceling, .completed].contains(task.state) else {
            turn?.end()
            return
        }
        task.endOnDelegateQueue()
        if let missing = task.missingCapability {
            interceptor?.reportMissingCapabilities()
            return fail(RelayError(without: [missing]))
        }
        guard let interceptor else { return fail(interceptorIsGone) }
        nonisolated(unsafe) let loader = self
        let exchange = TaskLoad(of: task, loading: request, with: interceptor.answering, turn: turn) {
            exchange, delivery in
            task.performOnItsQueue { loader.take(delivery, of: exchange) }
        }
        let isNew = state.withLock { state in
            guard case .stopped = state else { return false }
            state = .loading(exchange)
            return true
        }
        guard isNew else { return }
        for delivery in exchange.start() { take(delivery, of: exchange) }
    }

    /// Fails the request before it starts.
    ///
    /// Must be called on the task's queue.
    private func fail(_ error: any Error) {
        state.withLock { $0 = .finished }
        deliver(.failure(error))
    }

    /// Stops the running exchange.
    ///
    /// If a task is canceled while its completion is being delivered, the system stops this object and then reports the
    /// cancellation to the client. The report would crash the process if the task had completed by then, so the client
    /// is removed.
    open override func stopLoading() {
        turn?.end()
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

    /// Passes a delivery of an exchange to the client, unless the exchange was stopped.
    private func take(_ delivery: Delivery, of exchange: TaskLoad) {
        let isCurrent = state.withLock { state in
            guard case .loading(let current) = state, current === exchange else { return false }
            if delivery.isLast { state = .finished }
            return true
        }
        guard isCurrent else { return }
        #if canImport(FoundationNetworking)
            if let download = exchange.download, let client {
                download.pass(delivery, to: client, of: self)
                if delivery.isLast { turn?.end() }
                return
            }
        #endif
        deliver(delivery)
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
            load(data)
        case .end:
            if !body.isEmpty { client?.urlProtocol(self, didLoad: body) }
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        case .redirect(let request, let response):
            client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
            client?.urlProtocolDidFinishLoading(self)
        case .written: break
        }
        if delivery.isLast { turn?.end() }
    }

    /// Passes a chunk to the client, or stores it until the body is complete.
    ///
    /// FoundationNetworking passes only the last chunk to completion handlers and awaiting callers.
    private func load(_ chunk: Data) {
        let receivesChunks = receivesChunks ?? task?.receivesChunks ?? false
        self.receivesChunks = receivesChunks
        guard receivesChunks else { return body.append(chunk) }
        client?.urlProtocol(self, didLoad: chunk)
    }

    private var interceptorIsGone: RelayError {
        RelayError(
            .interceptorGone,
            "The interceptor for \(request.url.map { MessageText.url($0.absoluteString) } ?? "a request") no longer exists. Retain it while its "
                + "requests are running.")
    }
}

/// A delivery to a task's client.
enum Delivery: Sendable {
    /// A complete response.
    case response(HTTPURLResponse, Data)

    /// The head of a response.
    case head(HTTPURLResponse)

    /// The next chunk of the body.
    case data(Data)

    /// A number of bytes of the body that were written to the file of a download, instead of ``data(_:)``.
    case written(Int)

    /// The end of the body.
    case end

    case failure(any Error)

    /// A redirect for the URL loading system to follow, on platforms that support it.
    case redirect(URLRequest, HTTPURLResponse)

    /// Whether this is the last delivery.
    var isLast: Bool {
        switch self {
        case .head, .data, .written: false
        case .response, .end, .failure, .redirect: true
        }
    }
}

/// The progress of a running request, for observers.
struct Observation: Sendable {
    private let request: InterceptedRequest
    private let source: ObservedExchange.Source
    private let start = ContinuousClock.now
    private var result: Result<Int, any Error> = .failure(URLError(.unknown))
    private var bodySize = 0

    /// Starts the observation when the source of the response is known.
    init(request: InterceptedRequest, source: ObservedExchange.Source) {
        self.request = request
        self.source = source
    }

    /// Updates the observation with a delivery.
    mutating func note(_ delivery: Delivery) {
        switch delivery {
        case .head(let head), .redirect(_, let head): result = .success(head.statusCode)
        case .data(let data): bodySize += data.count
        case .written(let count): bodySize += count
        case .response(let head, let body):
            result = .success(head.statusCode)
            bodySize = body.count
        case .failure(let error): result = .failure(error)
        case .end: break
        }
    }

    /// Reports the exchange to the observers of an interceptor after the last delivery.
    consuming func end(with last: Delivery, tell interceptor: Interceptor) {
        note(last)
        interceptor.observe(
            ObservedExchange(
                request: request, source: source, result: result, bodySize: bodySize,
                duration: start.duration(to: .now)))
    }
}

extension Clock<Duration> {
    /// Returns a closure that returns the time since this call.
    func stopwatch() -> () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
