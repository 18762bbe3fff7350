import FoundationInternals
import RelayCore
#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension TaskLoad {
        /// What loads a request in the task itself; `nil` where another session has to.
        ///
        /// The task can only send what it was made with, and its answer is only known as a whole.
        func loader(for sending: Sending) -> URLProtocol.Type? {
            guard sending.decision.changes.isEmpty, sending.route == nil,
                isUnchanged(sending, to: sending.request.url)
            else { return nil }
            return loader
        }

        /// What loads the task where nothing is changed in it.
        private var loader: URLProtocol.Type? {
            guard bodyTaking == .whole, interceptor.configuration.networkSession == nil, let session else { return nil }
            return NetworkSession.session(for: session).loader
        }

        /// Sends a request to the network at once, where it is clear that this becomes of it; to be called where the task
        /// starts.
        ///
        /// - Returns: Whether it is sent.
        func transfersAtOnce(_ request: InterceptedRequest) -> Bool {
            guard let loader, let decision = interceptor.knownDecision(on: request) else { return false }
            transfer(Sending(request: request, decision: decision, redirects: 0), by: loader)
            return true
        }

        /// Sends a request to the network in the task itself.
        func transfer(_ sending: Sending, by loader: URLProtocol.Type) {
            guard let session else { return }
            // Where nothing could be observed, redirects are followed.
            let tap = sending.decision.receiver.map { ExchangeCapture(original, followsRedirects: true, for: $0) }
            let transfer = OwnTransfer(of: task, in: session, by: loader, isRecorded: tap != nil) { [self] outcome in
                if isChallenge(outcome) { return interceptor.enqueue { [self] in collect(sending) } }
                take(answer(to: sending, in: outcome), of: sending)
                guard let tap else { return }
                if let response = outcome.response { tap.note(response) }
                if !outcome.body.isEmpty { tap.note(outcome.body) }
                tap.end(outcome.error, facts: outcome.facts)
            }
            transfer.start()
            cancelling { [interceptor] in transfer.cancel(endingTask: interceptor.isStopped) }
        }

        /// Whether an answer asks for credentials that somebody may have: then the request is sent again in a session that
        /// asks for them.
        private func isChallenge(_ outcome: OwnTransfer.Outcome) -> Bool {
            guard outcome.error == nil, outcome.response?.statusCode == 401,
                outcome.response?.value(forHTTPHeaderField: "WWW-Authenticate") != nil
            else { return false }
            return task.delegate != nil || configuration.urlCredentialStorage?.allCredentials.isEmpty == false
        }

        /// What becomes of a request: what came, or the redirect that it is.
        private func answer(to sending: Sending, in transfer: OwnTransfer.Outcome) -> Outcome {
            guard transfer.error == nil, let response = transfer.response else {
                return .answer(.failure(transfer.error ?? URLError(.badServerResponse)))
            }
            let isHeld = sending.decision.receiver != nil && 300..<400 ~= response.statusCode
            // Nobody is asked for credentials, since nobody has any.
            guard isHeld || response.statusCode == 401, let url = original.url else {
                return .answer(.success((response, transfer.body)))
            }
            var whole = InterceptedResponse(response, url: sending.request.url, body: transfer.body)
            if isHeld, let head = transfer.facts?().head { whole.headers = head.headers }
            let head = whole.httpURLResponse(requestedFrom: url) ?? response
            if isHeld, let location = response.value(forHTTPHeaderField: OwnTransfer.locationField),
                let proposed = original.followedByLibrary(status: response.statusCode, location: location)
            {
                return .redirect(proposed, head, transfer.body)
            }
            return .answer(.success((head, transfer.body)))
        }
    }
#endif
