import Foundation
import FoundationInternals
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TaskLoad {
    /// Follows a redirect if the delegate allows it, or else delivers the redirect response itself.
    ///
    /// - Parameters:
    ///   - proposed: The request that would follow the redirect.
    ///   - head: The head of the redirect response.
    ///   - body: The body of the redirect response.
    ///   - step: The redirected request.
    func follow(_ proposed: URLRequest, after head: HTTPURLResponse, _ body: Data, of step: Step) {
        guard !isOver else { return }
        guard step.redirects < InterceptedRequest.redirectLimit else {
            let reason = """
                The request for \(MessageText.url(step.request.url)) was redirected again after \(step.redirects) \
                redirects, which may form a loop. Check the Location fields of the responses.
                """
            return conclude(.failure(URLError(.httpTooManyRedirects, reason)))
        }
        let observation = state.withLock { $0.observation.take() }
        observation?.end(with: .response(head, body), tell: interceptor)
        #if canImport(FoundationNetworking)
            askDelegate(proposed, after: head) { [self] accepted in
                if let accepted {
                    let next = InterceptedRequest(accepted, body: accepted.httpBody)
                    let isLive = step.decision.isLive
                    respond(to: next, redirects: step.redirects + 1, changedBy: isLive ? step.decision : nil)
                } else if step.decision.isLive {
                    receive(head, body, of: step)
                } else {
                    conclude(.response(head, body))
                }
            }
        #else
            conclude(.redirect(proposed, head))
        #endif
    }

    #if canImport(FoundationNetworking)
        /// Lets the task's delegate change or reject a redirect, as for a redirect from the network.
        private func askDelegate(
            _ proposed: URLRequest, after response: HTTPURLResponse,
            then follow: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let session, let delegate = task.delegate else { return follow(proposed) }
            state.withLock { $0.waitsForDelegate = true }
            session.delegateQueue.addOperation { [self] in
                delegate.urlSession(session, task: task, willPerformHTTPRedirection: response, newRequest: proposed) {
                    accepted in
                    let isFirst = self.state.withLock { state in
                        defer { state.waitsForDelegate = false }
                        return state.waitsForDelegate
                    }
                    if isFirst { follow(accepted) }
                }
            }
        }
    #endif
}
