import Foundation
import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Exchange {
    /// Delivers what the network gives, as it arrives where the task's client takes pieces.
    func stream(_ request: InterceptedRequest, by route: Route?) {
        task.performOnItsQueue { [self] in
            let takesPieces = task.takesPieces
            // A session makes no task on the queue of one of another session.
            interceptor.enqueue { [self] in
                guard takesPieces else { return collectWhole(request, by: route) }
                load(request, by: route) { [self] event in
                    switch event {
                    case .head(let head): emit(.head(head))
                    case .data(let data): emit(.data(data))
                    case .end(let error): conclude(error.map(Delivery.failure) ?? .end)
                    }
                }
            }
        }
    }

    private func collectWhole(_ request: InterceptedRequest, by route: Route?) {
        collect(request, by: route) { [self] result in
            switch result {
            case .success((let head, let body)): conclude(.response(head, body))
            case .failure(let error): conclude(.failure(error))
            }
        }
    }

    /// The reply of the network.
    func networkReply(to request: InterceptedRequest, by route: Route?) async -> Reply {
        await withCheckedContinuation { continuation in
            collect(request, by: route) { result in
                continuation.resume(
                    returning: Reply(result.map { InterceptedResponse($0, url: request.url, body: $1) }))
            }
        }
    }

    private func collect(
        _ request: InterceptedRequest, by route: Route?,
        completion: @escaping @Sendable (Result<(HTTPURLResponse, Data), any Error>) -> Void
    ) {
        let collected = Mutex<(head: HTTPURLResponse?, body: Data)>((nil, Data()))
        load(request, by: route) { event in
            switch event {
            case .head(let head): collected.withLock { $0.head = head }
            case .data(let data): collected.withLock { $0.body += data }
            case .end(let error):
                let (head, body) = collected.withLock { $0 }
                if let head, error == nil { return completion(.success((head, body))) }
                completion(.failure(error ?? URLError(.badServerResponse)))
            }
        }
    }

    /// Sends a request to the network; the events come one after another.
    private func load(
        _ request: InterceptedRequest, by route: Route?, handle: @escaping @Sendable (PassThrough.Event) -> Void
    ) {
        var target = request
        if let route { target.url = route.rerouted(request.url) ?? request.url }
        guard let live = original.replacing(with: target), let url = URL(text: request.url) else {
            return handle(.end(URLError(.badURL, "\(SecretNames.masked(url: target.url)) is no URL.")))
        }
        let passThrough = NetworkSession.session(for: session).load(live, for: task) { [self] event in
            guard let route, case .head(let head) = event else { return handle(event) }
            // The client sees the place that it asked, with that place's cookies.
            var response = InterceptedResponse(head, url: request.url, body: Data())
            let isWhereSent = response.url == live.url?.absoluteString
            response.url = (isWhereSent ? nil : route.original(response.url)) ?? request.url
            configuration.storeCookies(of: response, from: url, requestedBy: original)
            handle(.head(response.httpURLResponse(requestedFrom: url) ?? head))
        }
        cancelling { passThrough.cancel() }
    }
}

extension InterceptedResponse {
    /// A response of a session, which was decoded there.
    ///
    /// - Parameters:
    ///   - response: The response, without its body.
    ///   - url: The URL that was asked for.
    ///   - body: The body.
    init(_ response: HTTPURLResponse, url: String, body: Data) {
        let headers = response.allHeaderFields.compactMap { name, value -> HeaderField? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HeaderField(name: name, value: value)
        }
        self.init(
            url: response.url?.absoluteString ?? url, status: response.statusCode,
            headers: headers.sorted { $0.name < $1.name }, body: body)
    }
}
