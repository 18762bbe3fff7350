import Foundation
import FoundationInternals
import HTTPArchive
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TaskLoad {
    /// Sends a request to the network and delivers its response.
    ///
    /// The response is delivered as it arrives. If overrides change it or the client does not receive chunks, it is
    /// delivered when it is complete.
    func send(_ step: Step) {
        guard case .network(let route, let receiver) = step.decision.origin else { return }
        let target = route?.rerouted(step.request.url) ?? step.request.url
        // Recording sends and stores the same cookies as replay.
        let ownsCookies = receiver != nil && configuration.sharesCookies
        guard let live = live(step, to: target, ownsCookies), let url = URL(text: step.request.url) else {
            let reason = "\(MessageText.url(target)) is not a valid URL. Correct it, or stub the request."
            return fail(URLError(.badURL, reason), of: step)
        }
        let isWhole = deliversWhole || !step.decision.changes.isEmpty
        @Sendable func handle(_ event: PassThrough.Event) {
            switch event {
            case .head(let head):
                let head = delivered(head, to: live, from: url, by: route, ownsCookies)
                if isWhole { state.withLock { $0.collected = (head, Data()) } } else { emit(.head(head)) }
            case .data(let data):
                if isWhole { state.withLock { $0.collected?.body += data } } else { emit(.data(data)) }
            case .end(let error):
                interceptor.reportMissingCapabilities()
                if let error {
                    fail(error, of: step)
                } else if let (head, body) = state.withLock({ $0.collected.take() }) {
                    receive(head, body, of: step)
                } else {
                    conclude(.end)
                }
            case .redirect(var proposed, let head, let body):
                let original = proposed.url.flatMap { route?.original($0.absoluteString) }
                if let original = original.flatMap({ URL(text: $0) }) { proposed.url = original }
                #if canImport(FoundationNetworking)
                    // The proposed request has the cookies of the redirecting URL. The new URL's cookies are added when
                    // it is sent.
                    if proposed.httpShouldHandleCookies { proposed.setValue(nil, forHTTPHeaderField: "Cookie") }
                #endif
                let head = delivered(head, to: live, from: url, by: route, ownsCookies)
                follow(ownsCookies ? addingCookies(to: proposed) : proposed, after: head, body, of: step)
            }
        }
        if let given = interceptor.configuration.networkSession {
            return cancelling(given.load(live, receiver: receiver, handle: handle))
        }
        let network = NetworkSession.session(for: session, handlesCookies: !ownsCookies)
        #if canImport(FoundationNetworking)
            // FoundationNetworking copies a body in memory, but reads a file in chunks.
            let file = step.redirects == 0 ? task.uploadedFile : nil
        #else
            let file: URL? = nil
        #endif
        let passThrough = network.load(live, from: file, for: task, receiver: receiver, handle: handle)
        cancelling { passThrough.cancel() }
    }

    /// Delivers a complete live response after applying overrides.
    func receive(_ head: HTTPURLResponse, _ body: Data, of step: Step) {
        guard !step.decision.changes.isEmpty else { return conclude(.response(head, body)) }
        complete(step, live: .response(InterceptedResponse(head, url: step.request.url, body: body)))
    }

    private func fail(_ error: any Error, of step: Step) {
        guard !step.decision.changes.isEmpty else { return conclude(.failure(error)) }
        complete(step, live: .error(error))
    }

    /// Returns the request for the network: the task's original request if nothing changed, otherwise a modified copy.
    private func live(_ step: Step, to url: String, _ ownsCookies: Bool) -> URLRequest? {
        var target = step.request
        target.url = url
        let isSame =
            step.redirects == 0 && url == original.url?.absoluteString && original.httpBody == step.request.body
        let live = isSame ? original : original.replacing(with: target)
        #if !canImport(FoundationNetworking)
            // The system adds cookies when it sends a request, but not if the interceptor owns them.
            if ownsCookies, task.originalRequest?.value(forHTTPHeaderField: "Cookie") == nil {
                return live.map(addingCookies)
            }
        #endif
        return live
    }

    /// Returns the head of a live response in the form that the client receives.
    ///
    /// If a route changed the URL, the head has the original URL, and cookies are stored for that URL. The challenge of
    /// a response that requests credentials is hidden, because the session of the live request has already looked for
    /// credentials. The interceptor stores the cookies if it owns them.
    private func delivered(
        _ head: HTTPURLResponse, to live: URLRequest, from url: URL, by route: Route?, _ ownsCookies: Bool
    ) -> HTTPURLResponse {
        guard route != nil || ownsCookies || head.statusCode == 401 else { return head }
        var response = InterceptedResponse(head, url: url.absoluteString, body: Data())
        if let route {
            let isWhereSent = response.url == live.url?.absoluteString
            response.url = (isWhereSent ? nil : route.original(response.url)) ?? url.absoluteString
        }
        if ownsCookies {
            interceptor.cookies.store(response, from: url, requestedBy: original, in: configuration)
            if route == nil, head.statusCode != 401 { return head }
        } else if route != nil {
            let storage = configuration.httpCookieStorage
            configuration.storeCookies(of: response, from: url, requestedBy: original, in: storage)
        }
        return response.httpURLResponse(requestedFrom: url) ?? head
    }
}
