import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session of somebody else in which requests go to the network.
///
/// It is asked as everyone asks it: it follows redirects, and may be that of another interceptor.
struct GivenSession {
    let session: URLSession

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - receiver: Is given the exchange once it is over; `nil` where nothing is recorded.
    ///   - handle: Is called with all that comes of it, in order.
    /// - Returns: What cancels the request.
    func load(
        _ request: URLRequest, receiver: ExchangeReceiver?, handle: @escaping @Sendable (PassThrough.Event) -> Void
    ) -> @Sendable () -> Void {
        let tap = receiver.map { ExchangeTap(request, followsRedirects: true, for: $0) }
        let task = session.dataTask(with: request) { body, response, error in
            let error = error ?? (response is HTTPURLResponse ? nil : URLError(.badServerResponse))
            if let head = response as? HTTPURLResponse {
                handle(.head(head))
                tap?.note(head)
            }
            if let body, !body.isEmpty {
                handle(.data(body))
                tap?.note(body)
            }
            handle(.end(error))
            tap?.end(error, facts: nil)
        }
        InterceptionScope.leaveForNetwork { task.resume() }
        return { [session] in session.delegateQueue.addOperation { task.cancel() } }
    }
}
