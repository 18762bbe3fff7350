import FoundationInternals
import RelayCore
import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
#else
    package import Foundation
#endif

extension TaskLoad {
    /// What becomes of a request on the network, once it is over.
    enum Outcome: Sendable {
        case answer(Result<(HTTPURLResponse, Data), any Error>)

        /// A redirect, which is an exchange of its own where requests are recorded.
        case redirect(URLRequest, HTTPURLResponse, Data)
    }

    /// A request on its way to the network.
    struct Sending: Sendable {
        let request: InterceptedRequest

        /// How it was decided on; its overrides may be those of a request that was redirected to this one.
        let decision: Decision

        let redirects: Int

        /// Where it goes instead, if anywhere.
        var route: Route? {
            switch decision.origin {
            case .network(let route), .record(let route, _): route
            case .reply, .closure: nil
            }
        }
    }

    /// Delivers what the network gives: as it arrives, where the task's client takes pieces and nothing changes them.
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
            // There are several where credentials are sent after the first.
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

    /// Goes on with what came of a request.
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

    /// Delivers what overrides make of an answer.
    func change(_ result: Result<(HTTPURLResponse, Data), any Error>, of sending: Sending) {
        let url = sending.request.url
        let reply = Reply(result.map { InterceptedResponse($0, url: url, body: $1) })
        complete(sending.decision, of: sending.request, redirects: sending.redirects, live: reply)
    }

    /// Sends a request to the network; the events come one after another.
    private func load(_ sending: Sending, handle: @escaping @Sendable (PassThrough.Event) -> Void) {
        let request = sending.request
        let route = sending.route
        let target = route?.rerouted(request.url) ?? request.url
        guard let live = live(sending, to: target), let url = URL(text: request.url) else {
            return handle(.end(URLError(.badURL, "\(SecretNames.masked(url: target)) is no URL.")))
        }
        /// The client sees the place that it asked, with that place's cookies.
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

    /// Whether a request is that of the task.
    func isUnchanged(_ sending: Sending, to url: String) -> Bool {
        sending.redirects == 0 && url == original.url?.absoluteString && task.hasBodyAtHand(in: original)
            && isOriginalOfTask
    }

    /// The request for the network: that of the task where nothing is changed in it, whose fields need no reading.
    private func live(_ sending: Sending, to url: String) -> URLRequest? {
        if isUnchanged(sending, to: url) { return original }
        var target = sending.request
        target.url = url
        return original.replacing(with: target)
    }
}
