import Foundation
import FoundationInternals
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that is sent to the network with the settings of its session, bypassing every interceptor.
final class PassThrough: Sendable {
    /// An event of the request: a head, body chunks, and always an end.
    enum Event: Sendable {
        case head(HTTPURLResponse)
        case data(Data)
        case end((any Error)?)

        /// A redirect with its response, in place of all other events.
        case redirect(URLRequest, HTTPURLResponse, Data)
    }

    private struct Redirect {
        let request: URLRequest
        var head: HTTPURLResponse?
        var body = Data()
    }

    /// The original task, whose delegate makes the decisions.
    let origin: URLSessionTask

    private let task: URLSessionTask
    private let session: URLSession
    private let handle: @Sendable (Event) -> Void
    private let tap: ExchangeCapture?
    private let redirect = Mutex<Redirect?>(nil)

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
    ///   - tap: The capture of the exchange, which treats redirects separately; nil for no recording.
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
    /// This must be called once.
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
    /// This can be called on any thread. FoundationNetworking marks a task as completed on the delegate queue. If it is
    /// canceled elsewhere at that moment, the library notifies a deallocated task, which crashes the process. On the
    /// queue of another task, the call deadlocks.
    func cancel() { session.delegateQueue.addOperation { [task] in task.cancel() } }

    // MARK: - Events

    func receive(_ head: HTTPURLResponse) {
        if !hold({ $0.head = head }) { handle(.head(head)) }
        tap?.note(head)
    }

    func receive(_ data: Data) {
        if !hold({ $0.body += data }) { handle(.data(data)) }
        tap?.note(data)
    }

    func end(_ error: (any Error)?) {
        if error == nil, let redirect = redirect.withLock({ $0.take() }), let head = redirect.head {
            handle(.redirect(redirect.request, head, redirect.body))
        } else {
            handle(.end(error))
        }
        guard let tap else { return }
        #if canImport(FoundationNetworking)
            let log = log.withLock { $0.take() }
            task.performOnItsQueue { tap.end(error, facts: log?.endWithFacts()) }
        #else
            let facts = facts.withLock { $0 }
            tap.end(error, facts: facts.map { facts in { facts } })
        #endif
    }

    /// Ends the request at a redirect if requests are recorded.
    ///
    /// - Parameter request: The redirected request.
    /// - Returns: `false` if the redirect is to be followed.
    func stop(before request: URLRequest) -> Bool {
        guard tap != nil else { return false }
        redirect.withLock { $0 = Redirect(request: request) }
        return true
    }

    /// Stores an event of a redirect that is not followed, and returns whether there is a redirect.
    private func hold(_ change: (inout Redirect) -> Void) -> Bool {
        redirect.withLock { redirect in
            guard var held = redirect else { return false }
            redirect = nil
            change(&held)
            redirect = held
            return true
        }
    }

    #if canImport(FoundationNetworking)
        /// Stops observing the transfer, because the request is about to be repeated unobserved.
        func beginsAnew() {
            guard let log = log.withLock({ $0.take() }) else { return }
            task.performOnItsQueue { _ = log.end() }
        }
    #else
        /// Records the facts reported by the network.
        func note(_ facts: TransferFacts) { self.facts.withLock { $0 = facts } }
    #endif
}
