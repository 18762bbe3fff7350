import FoundationInternals
import RelayCore

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    extension TaskLoad {
        /// Returns the class for loading a request in the task itself, or nil if another session is necessary.
        ///
        /// A task can send only its original request, and delivers only complete responses.
        func loader(for sending: Sending) -> URLProtocol.Type? {
            guard sending.decision.changes.isEmpty, sending.route == nil,
                isUnchanged(sending, to: sending.request.url)
            else { return nil }
            return loader
        }

        /// The class for loading the task if the request is unchanged, or nil.
        private var loader: URLProtocol.Type? {
            guard bodyTaking == .whole, interceptor.configuration.networkSession == nil, let session else { return nil }
            return NetworkSession.session(for: session).loader
        }

        /// Sends a request to the network immediately if the decision is already known, when the task starts.
        ///
        /// - Returns: Whether the request is sent.
        func transfersAtOnce(_ request: InterceptedRequest) -> Bool {
            guard let loader, let decision = interceptor.knownDecision(on: request) else { return false }
            transfer(Sending(request: request, decision: decision, redirects: 0), by: loader)
            return true
        }

        /// Sends a request to the network in the task itself.
        func transfer(_ sending: Sending, by loader: URLProtocol.Type) {
            guard let session else { return }
            // Redirects are followed if the transfer cannot be observed.
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

        /// Whether a response requests credentials that may be available, in which case the request is sent again in a
        /// session that asks for them.
        private func isChallenge(_ outcome: OwnTransfer.Outcome) -> Bool {
            guard outcome.error == nil, outcome.response?.statusCode == 401,
                outcome.response?.value(forHTTPHeaderField: "WWW-Authenticate") != nil
            else { return false }
            return task.delegate != nil || configuration.urlCredentialStorage?.allCredentials.isEmpty == false
        }

        /// Returns the result of a transfer: its response, or the redirect in it.
        private func answer(to sending: Sending, in transfer: OwnTransfer.Outcome) -> Outcome {
            guard transfer.error == nil, let response = transfer.response else {
                return .answer(.failure(transfer.error ?? URLError(.badServerResponse)))
            }
            let isHeld = sending.decision.receiver != nil && 300..<400 ~= response.statusCode
            // No credentials are available, so none are requested.
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
