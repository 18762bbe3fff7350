import FoundationInternals
import HTTPArchive
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    package import Foundation
#endif

extension TaskLoad {
    /// The result of a request to the network.
    enum Outcome: Sendable {
        case answer(Result<(HTTPURLResponse, Data), any Error>)

        /// A redirect, which is a separate exchange when requests are recorded.
        case redirect(URLRequest, HTTPURLResponse, Data)
    }

    /// A request to be sent to the network.
    struct Sending: Sendable {
        let request: InterceptedRequest

        /// The decision on the request, which may have the overrides of an earlier request that was redirected to this
        /// one.
        let decision: Decision

        let redirects: Int

        /// The route for the request, or nil if it is sent to its own URL.
        var route: Route? {
            switch decision.origin {
            case .network(let route), .record(let route, _): route
            case .reply, .closure: nil
            }
        }
    }

    /// Sends a request and delivers the response, in chunks if the client supports that and no override changes it.
    func send(_ sending: Sending) {
        #if canImport(FoundationNetworking)
            if let loader = loader(for: sending) { return transfer(sending, by: loader) }
        #endif
        guard bodyTaking == .inPieces, sending.decision.changes.isEmpty else { return collect(sending) }
        load(sending) { [self] event in
            switch event {
            case .head(let head): emit(.head(head))
            case .data(let data): emit(.data(data))
            case .end(let error): conclude(error.map(Delivery.failure) ?? .end)
            case .redirect(let proposed, let head, let body): take(.redirect(proposed, head, body), of: sending)
            }
        }
    }

    func collect(_ sending: Sending) {
        let collected = Mutex<(head: HTTPURLResponse?, body: Data)>((nil, Data()))
        load(sending) { [self] event in
            switch event {
            // A response that requests credentials is followed by another one.
            case .head(let head): collected.withLock { $0 = (head, Data()) }
            case .data(let data): collected.withLock { $0.body += data }
            case .end(let error):
                let (head, body) = collected.withLock { $0 }
                if let head, error == nil { return take(.answer(.success((head, body))), of: sending) }
                take(.answer(.failure(error ?? URLError(.badServerResponse))), of: sending)
            case .redirect(let proposed, let head, let body): take(.redirect(proposed, head, body), of: sending)
            }
        }
    }

    /// Continues with the result of a request.
    func take(_ outcome: Outcome, of sending: Sending) {
        switch outcome {
        case .redirect(let proposed, let head, let body):
            interceptor.enqueue { [self] in redirect(to: proposed, after: head, body: body, of: sending) }
        case .answer(let result):
            guard sending.decision.changes.isEmpty else { return change(result, of: sending) }
            switch result {
            case .success((let head, let body)): conclude(.response(head, body))
            case .failure(let error): conclude(.failure(error))
            }
        }
    }

    /// Applies overrides to a result and delivers the outcome.
    func change(_ result: Result<(HTTPURLResponse, Data), any Error>, of sending: Sending) {
        let url = sending.request.url
        let reply = Reply(result.map { InterceptedResponse($0, url: url, body: $1) })
        complete(sending.decision, of: sending.request, redirects: sending.redirects, live: reply)
    }

    /// Sends a request to the network and passes its events to a handler, in order.
    private func load(_ sending: Sending, handle: @escaping @Sendable (PassThrough.Event) -> Void) {
        let request = sending.request
        let route = sending.route
        let target = route?.rerouted(request.url) ?? request.url
        guard let live = live(sending, to: target), let url = URL(text: request.url) else {
            return handle(.end(URLError(.badURL, "\(MessageText.url(target)) is not a valid URL.")))
        }
        /// Returns the response for the client, with the original URL and the cookies for it.
        @Sendable func seen(_ head: HTTPURLResponse) -> HTTPURLResponse {
            guard let route else { return head }
            var response = InterceptedResponse(head, url: request.url, body: Data())
            let isWhereSent = response.url == live.url?.absoluteString
            response.url = (isWhereSent ? nil : route.original(response.url)) ?? request.url
            configuration.storeCookies(of: response, from: url, requestedBy: original)
            return response.httpURLResponse(requestedFrom: url) ?? head
        }
        @Sendable func tell(_ event: PassThrough.Event) {
            switch event {
            case .head(let head): handle(.head(seen(head)))
            case .redirect(var proposed, let head, let body):
                let original = proposed.url.flatMap { route?.original($0.absoluteString) }
                if let original = original.flatMap({ URL(text: $0) }) { proposed.url = original }
                handle(.redirect(proposed, seen(head), body))
            case .data, .end: handle(event)
            }
        }
        let receiver = sending.decision.receiver
        if let given = interceptor.configuration.networkSession {
            return cancelling(GivenSession(session: given).load(live, receiver: receiver, handle: tell))
        }
        let network = NetworkSession.session(for: session)
        let passThrough = network.load(live, for: task, receiver: receiver, handle: tell)
        cancelling { passThrough.cancel() }
    }

    /// Whether a request is the unchanged request of the task.
    func isUnchanged(_ sending: Sending, to url: String) -> Bool {
        sending.redirects == 0 && url == original.url?.absoluteString && task.hasBodyAtHand(in: original)
            && isOriginalOfTask
    }

    /// Returns the request for the network: the original request of the task if nothing changed, or else a modified
    /// copy.
    private func live(_ sending: Sending, to url: String) -> URLRequest? {
        if isUnchanged(sending, to: url) { return original }
        var target = sending.request
        target.url = url
        return original.replacing(with: target)
    }
}
