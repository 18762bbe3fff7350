import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Exchange {
    /// Follows a redirect, if the delegate agrees; else the response is delivered that has it.
    func follow(_ proposed: URLRequest, after head: HTTPURLResponse, body: Data, redirects: Int) {
        if var observation = state.withLock({ $0.observation.take() }) {
            observation.note(.response(head, body))
            observation.end(tell: interceptor)
        }
        #if canImport(FoundationNetworking)
            askDelegate(proposed, after: head) { [self] accepted in
                guard let accepted else { return conclude(.response(head, body)) }
                answer(InterceptedRequest(accepted, body: accepted.httpBody), redirects: redirects + 1)
            }
        #else
            conclude(.redirect(proposed, head))
        #endif
    }
}

#if canImport(FoundationNetworking)
    extension Exchange {
        /// Lets the task's delegate change a redirect or refuse it, as if it came from the network.
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
