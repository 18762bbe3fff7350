import Foundation
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A delegate that forwards network events to requests, and decisions to the delegates of their original tasks.
final class NetworkDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// The original session, or nil if it is unknown or was deallocated.
    ///
    /// It is set only once.
    private weak var origin: URLSession?

    private let passing = Mutex<[Int: PassThrough]>([:])

    init(for origin: URLSession?) {
        self.origin = origin
    }

    /// Registers the request that receives a task's events.
    func expect(_ passThrough: PassThrough, of task: URLSessionTask) {
        passing.withLock { $0[task.taskIdentifier] = passThrough }
    }

    private func passThrough(_ task: URLSessionTask) -> PassThrough? {
        passing.withLock { $0[task.taskIdentifier] }
    }

    // MARK: - Events

    func urlSession(
        _: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let head = response as? HTTPURLResponse { passThrough(task)?.receive(head) }
        completionHandler(.allow)
    }

    func urlSession(_: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
        passThrough(task)?.receive(data)
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        passing.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
    }

    // MARK: - Decisions of the task's delegate

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Responding to the redirect of a canceled task crashes the process: "Received callback for HTTP
            // redirection, but we're not waiting for it" (`HTTPURLProtocol.swift`). Tasks are canceled only on this
            // queue.
            guard !task.isCanceled else { return }
        #endif
        if passThrough(task)?.stop(before: request) == true { return completionHandler(nil) }
        #if canImport(FoundationNetworking)
            // FoundationNetworking adds cookies to this request only in sessions without a delegate.
            let followed = { completionHandler(request.addingCookies(of: session.configuration)) }
            let live = task
            ask(about: task, orElse: followed) { origin, task, delegate in
                delegate.urlSession(origin, task: task, willPerformHTTPRedirection: response, newRequest: request) {
                    accepted in
                    session.delegateQueue.addOperation { if !live.isCanceled { completionHandler(accepted) } }
                }
            }
        #else
            completionHandler(request)
        #endif
    }

    #if canImport(FoundationNetworking)
        func urlSession(
            _: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let passThrough = passThrough(task)
            let proceed: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
                disposition, credential in
                // Without a credential, FoundationNetworking never completes a challenged task.
                let isUnanswered = disposition == .performDefaultHandling && challenge.proposedCredential == nil
                if isUnanswered, passThrough?.endsWithChallenge() == true {
                    return completionHandler(.cancelAuthenticationChallenge, nil)
                }
                passThrough?.beginsAnew()
                completionHandler(disposition, credential)
            }
            ask(about: task, orElse: { proceed(.performDefaultHandling, nil) }) { origin, task, delegate in
                delegate.urlSession(origin, task: task, didReceive: challenge, completionHandler: proceed)
            }
        }

        private func ask(
            about task: URLSessionTask, orElse fallback: () -> Void,
            _ question: @escaping @Sendable (URLSession, URLSessionTask, any URLSessionTaskDelegate) -> Void
        ) {
            guard let origin, let original = passThrough(task)?.origin, let delegate = original.delegate else {
                return fallback()
            }
            origin.delegateQueue.addOperation { question(origin, original, delegate) }
        }
    #else
        func urlSession(
            _: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            if let facts = TransferFacts(metrics) { passThrough(task)?.note(facts) }
        }
    #endif
}

#if canImport(FoundationNetworking)
    extension URLSessionTask {
        /// Whether the task was canceled or has already ended.
        fileprivate var isCanceled: Bool { state == .canceling || state == .completed }
    }
#endif
