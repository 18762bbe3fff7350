import Foundation
import FoundationInternals
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TaskLoad {
    /// Follows a redirect if the delegate agrees; otherwise delivers the redirect response itself.
    func follow(_ proposed: URLRequest, after head: HTTPURLResponse, body: Data, redirects: Int) {
        noteRedirect(head, body: body)
        #if canImport(FoundationNetworking)
            askDelegate(proposed, after: head) { [self] accepted in
                guard let accepted else { return conclude(.response(head, body)) }
                answer(InterceptedRequest(accepted, body: accepted.httpBody), redirects: redirects + 1)
            }
        #else
            conclude(.redirect(proposed, head))
        #endif
    }

    /// Follows a redirect from the network in the same way as a session does internally.
    ///
    /// The proposed request has the cookies for the redirecting URL. They are replaced with the cookies for the new URL
    /// when the request is sent.
    func redirect(to proposed: URLRequest, after head: HTTPURLResponse, body: Data, of sending: Sending) {
        guard !isOver else { return }
        guard sending.redirects < InterceptedRequest.redirectLimit else {
            return conclude(.failure(tooManyRedirects(sending.redirects)))
        }
        noteRedirect(head, body: body)
        #if canImport(FoundationNetworking)
            var proposed = proposed
            if proposed.httpShouldHandleCookies { proposed.setValue(nil, forHTTPHeaderField: "Cookie") }
            askDelegate(proposed, after: head) { [self] accepted in
                let decision = sending.decision
                guard let accepted else {
                    if !decision.changes.isEmpty { return change(.success((head, body)), of: sending) }
                    return conclude(.response(head, body))
                }
                let next = InterceptedRequest(accepted, body: accepted.httpBody)
                answer(next, redirects: sending.redirects + 1, changedBy: decision)
            }
        #else
            conclude(.redirect(proposed, head))
        #endif
    }

    /// Returns the error of a task with too many redirects.
    func tooManyRedirects(_ count: Int) -> URLError {
        URLError(.httpTooManyRedirects, "More than \(count) redirects in a row.")
    }

    private func noteRedirect(_ head: HTTPURLResponse, body: Data) {
        guard var observation = state.withLock({ $0.observation.take() }) else { return }
        observation.note(.response(head, body))
        observation.end(tell: interceptor)
    }
}

#if canImport(FoundationNetworking)
    extension TaskLoad {
        /// Lets the task's delegate change or reject a redirect, as if it came from the network.
        private func askDelegate(
            _ proposed: URLRequest, after response: HTTPURLResponse,
            then follow: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let session, let delegate = task.delegate else { return follow(proposed) }
            state.withLock { $0.waitsForDelegate = true }
            session.delegateQueue.addOperation { [self] in
                delegate.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: proposed) {
                    accepted in
                    self.interceptor.enqueue {
                        let isFirst = self.state.withLock { state in
                            defer { state.waitsForDelegate = false }
                            return state.waitsForDelegate
                        }
                        if isFirst { follow(accepted) }
                    }
                }
            }
        }
    }
#endif
