import Foundation
import FoundationInternals
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that is sent to the network with the settings of its session, bypassing every interceptor.
final class PassThrough: Sendable {
    /// An event of the request: a head, body chunks and an end, or only a redirect.
    enum Event: Sendable {
        case head(HTTPURLResponse)
        case data(Data)
        case end((any Error)?)

        /// A redirect with its response, delivered instead of all other events.
        case redirect(URLRequest, HTTPURLResponse, Data)
    }

    /// A response that is delivered only when it is complete, because another response may replace it.
    private struct Held {
        /// The request that follows the response, if the response is a redirect that the session does not follow.
        var redirect: URLRequest?

        var head: HTTPURLResponse?
        var body = Data()

        /// Whether the response is delivered even if its task is canceled.
        var isFinal = false
    }

    private struct State {
        var held: Held?

        /// Whether a response head was received.
        var hasHead = false
    }

    /// The original task, whose delegate makes the decisions.
    let origin: URLSessionTask

    private let task: URLSessionTask
    private let session: URLSession
    private let handle: @Sendable (Event) -> Void
    private let tap: ExchangeCapture?
    private let state = Mutex(State())

    #if canImport(FoundationNetworking)
        private let log = Mutex<TransferLog?>(nil)
    #else
        private let facts = Mutex<TransferFacts?>(nil)
    #endif

    /// Prepares a request.
    ///
    /// - Parameters:
    ///   - task: The task that sends the request.
    ///   - session: The session of that task.
    ///   - origin: The original task.
    ///   - tap: The capture of the exchange, which records each redirect separately, or nil if it is not recorded.
    ///   - handle: Called with all events.
    init(
        _ task: URLSessionTask, of session: URLSession, for origin: URLSessionTask, tap: ExchangeCapture?,
        handle: @escaping @Sendable (Event) -> Void
    ) {
        self.task = task
        self.session = session
        self.origin = origin
        self.tap = tap
        self.handle = handle
    }

    /// Sends the request.
    ///
    /// This must be called only once.
    func start() {
        #if canImport(FoundationNetworking)
            if tap != nil {
                let log = TransferLog()
                self.log.withLock { $0 = log }
                return TransferWatch.resume(task, observedBy: log)
            }
        #endif
        task.resume()
    }

    /// Cancels the request.
    ///
    /// This can be called on any thread. The task is canceled on the delegate queue, on which FoundationNetworking
    /// marks tasks as completed. If a task is canceled on another queue at the same time, FoundationNetworking notifies
    /// a deallocated task, which crashes the process. Canceling a task on another task's queue deadlocks.
    func cancel() { session.delegateQueue.addOperation { [task] in task.cancel() } }

    // MARK: - Events

    func receive(_ head: HTTPURLResponse) {
        let isHeld = state.withLock { state in
            state.hasHead = true
            // If a delegate or a stored credential answers a challenge, the request starts again.
            if head.isChallenge, state.held == nil { state.held = Held() }
            state.held?.head = head
            return state.held != nil
        }
        if !isHeld { deliver(head) }
    }

    func receive(_ data: Data) {
        let isHeld = state.withLock { state in
            state.held?.body.append(data)
            return state.held != nil
        }
        if !isHeld { deliver(data) }
    }

    func end(_ error: (any Error)?) {
        let state = state.withLock { state in
            defer { state = State() }
            return state
        }
        var error = state.held?.isFinal == true ? nil : error
        if let held = state.held, let head = held.head {
            if error == nil, let redirect = held.redirect {
                tap?.note(head)
                tap?.note(held.body)
                handle(.redirect(redirect, head, held.body))
                return endCapture(nil)
            }
            deliver(head)
            if !held.body.isEmpty { deliver(held.body) }
        } else if error == nil, !state.hasHead {
            // FoundationNetworking does not report the head of a redirect that it cannot follow.
            if let head = task.response as? HTTPURLResponse {
                deliver(head)
            } else {
                error = URLError(.badServerResponse)
            }
        }
        handle(.end(error))
        endCapture(error)
    }

    private func deliver(_ head: HTTPURLResponse) {
        handle(.head(head))
        tap?.note(head)
    }

    private func deliver(_ data: Data) {
        handle(.data(data))
        tap?.note(data)
    }

    private func endCapture(_ error: (any Error)?) {
        guard let tap else { return }
        #if canImport(FoundationNetworking)
            let log = log.withLock { $0.take() }
            task.performOnItsQueue { tap.end(error, facts: log?.endWithFacts()) }
        #else
            let facts = facts.withLock { $0 }
            tap.end(error, facts: facts.map { facts in { facts } })
        #endif
    }

    /// Ends the request at a redirect if the exchange is recorded.
    ///
    /// - Parameter request: The request that would follow the redirect.
    /// - Returns: Whether the request ends. If not, the redirect must be followed.
    func stop(before request: URLRequest) -> Bool {
        guard tap != nil else { return false }
        state.withLock { $0.held = Held(redirect: request) }
        return true
    }

    #if canImport(FoundationNetworking)
        /// Delivers the response that requests credentials, because none are available.
        ///
        /// - Returns: `false` if that response was not received.
        func endsWithChallenge() -> Bool {
            state.withLock { state in
                state.held?.isFinal = true
                return state.held?.head != nil
            }
        }

        /// Discards the response that requests credentials, because the request is about to be repeated with them.
        ///
        /// The repeated request is not observed.
        func beginsAnew() {
            state.withLock { $0 = State() }
            guard let log = log.withLock({ $0.take() }) else { return }
            task.performOnItsQueue { _ = log.end() }
        }
    #else
        /// Records the facts reported by the network.
        func note(_ facts: TransferFacts) { self.facts.withLock { $0 = facts } }
    #endif
}

extension HTTPURLResponse {
    /// Whether this is a challenge, after which the session can look for credentials and repeat the request.
    fileprivate var isChallenge: Bool { statusCode == 401 && value(forHTTPHeaderField: "WWW-Authenticate") != nil }
}
