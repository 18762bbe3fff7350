import FoundationInternals
import RelayCore
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that goes to the network after all, with the settings of its session and past every interceptor.
final class PassThrough: Sendable {
    /// What comes of it, in order: the head, pieces of the body, and the end in any case.
    enum Event: Sendable {
        case head(HTTPURLResponse)
        case data(Data)
        case end((any Error)?)

        /// In place of all of that: where a redirect goes, and the answer that has it.
        case redirect(URLRequest, HTTPURLResponse, Data)
    }

    private struct Redirect {
        let request: URLRequest
        var head: HTTPURLResponse?
        var body = Data()
    }

    /// The task that the request came from, whose delegate decides as it would have done.
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
    ///   - task: The task that sends it.
    ///   - session: The session of that task.
    ///   - origin: The task that it came from.
    ///   - tap: What records it, and each redirect by itself; `nil` where nothing does.
    ///   - handle: Is called with all that comes of the request.
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

    /// Sends the request; to be called once.
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

    /// Ends the request, from wherever this is called.
    ///
    /// FoundationNetworking marks a task as completed on the delegate queue. Cancelled elsewhere at that moment, it tells a
    /// task that is gone of it, and ends the process; called on the queue of another task, it waits for itself.
    func cancel() { session.delegateQueue.addOperation { [task] in task.cancel() } }

    // MARK: - What comes back

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

    /// Takes a redirect as the end of the request, where requests are recorded.
    ///
    /// - Parameter request: Where it goes.
    /// - Returns: `false` where it is to be followed.
    func stop(before request: URLRequest) -> Bool {
        guard tap != nil else { return false }
        redirect.withLock { $0 = Redirect(request: request) }
        return true
    }

    /// Keeps what belongs to a redirect that is not followed here.
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
        /// Has nothing recorded of the exchange but what its caller sees, since it is about to begin anew unobserved.
        func beginsAnew() {
            guard let log = log.withLock({ $0.take() }) else { return }
            task.performOnItsQueue { _ = log.end() }
        }
    #else
        /// Takes note of what the network says of the exchange.
        func note(_ facts: TransferFacts) { self.facts.withLock { $0 = facts } }
    #endif
}
