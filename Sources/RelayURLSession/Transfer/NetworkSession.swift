import Dispatch
import Foundation
import FoundationInternals
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session that sends the requests of another session to the network and reuses connections.
final class NetworkSession: Sendable {
    private struct Key: Hashable {
        /// The original session, or nil if it is unknown.
        let origin: ObjectIdentifier?

        let handlesCookies: Bool
    }

    private static let known = Mutex<[Key: NetworkSession]>([:])

    private let session: URLSession
    private let delegate: NetworkDelegate

    /// Returns the network session for another session, cached for the lifetime of that session.
    ///
    /// - Parameters:
    ///   - origin: The original session, or nil if it is unknown. In that case, the result is ephemeral.
    ///   - handlesCookies: Whether the session stores and sends cookies like the original session; `true` by default.
    /// - Returns: The network session.
    static func session(for origin: URLSession?, handlesCookies: Bool = true) -> NetworkSession {
        let key = Key(origin: origin.map(ObjectIdentifier.init), handlesCookies: handlesCookies)
        let (session, gone) = known.withLock { known in
            if let session = known[key], session.delegate.origin === origin { return (session, [NetworkSession]()) }
            let gone = known.filter { $0.key.origin != nil && $0.value.delegate.origin == nil }
            for key in gone.keys { known[key] = nil }
            let session = NetworkSession(for: origin, handlesCookies: handlesCookies)
            known[key] = session
            return (session, Array(gone.values))
        }
        if !gone.isEmpty {
            DispatchQueue.global().async { for network in gone { network.session.finishTasksAndInvalidate() } }
        }
        return session
    }

    private init(for origin: URLSession?, handlesCookies: Bool) {
        let configuration = origin?.configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        // FoundationNetworking ignores `httpShouldHandleCookies`.
        if !handlesCookies { configuration.httpCookieStorage = nil }
        configuration.protocolClasses = configuration.protocolClasses?.filter { !($0 is any InterceptingClass.Type) }
        delegate = NetworkDelegate(for: origin)
        #if canImport(FoundationNetworking)
            // A task that is canceled during a cache lookup completes twice, which crashes the process.
            configuration.urlCache = nil
            configuration.protocolClasses = [TransferWatch.self] + (configuration.protocolClasses ?? [])
            session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: DirectQueue())
        #else
            session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        #endif
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - file: The file that contains the body, or nil if the request has no body or contains it.
    ///   - origin: The original task.
    ///   - receiver: The receiver of the completed exchange, or nil if it is not recorded. With a receiver, redirects
    ///     are not followed.
    ///   - handle: Called with all events, in order.
    /// - Returns: The running request.
    func load(
        _ request: URLRequest, from file: URL?, for origin: URLSessionTask, receiver: ExchangeReceiver?,
        handle: @escaping @Sendable (PassThrough.Event) -> Void
    ) -> PassThrough {
        var sent = RequestExemption.exempt(request)
        if file != nil { sent.httpBody = nil }
        let task = file.map { session.uploadTask(with: sent, fromFile: $0) } ?? session.dataTask(with: sent)
        let tap = receiver.map { ExchangeCapture(request, for: $0) }
        let passThrough = PassThrough(task, of: session, for: origin, tap: tap, handle: handle)
        delegate.expect(passThrough, of: task)
        RequestExemption.send { passThrough.start() }
        return passThrough
    }
}

extension URLSession {
    /// Sends a request with a `URLSession` that a configuration specifies for network requests.
    ///
    /// The session is used like any session: it follows redirects, and can belong to another interceptor.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - receiver: The receiver of the completed exchange, or nil if it is not recorded.
    ///   - handle: Called with all events, in order.
    /// - Returns: A closure that cancels the request.
    func load(
        _ request: URLRequest, receiver: ExchangeReceiver?, handle: @escaping @Sendable (PassThrough.Event) -> Void
    ) -> @Sendable () -> Void {
        let tap = receiver.map { ExchangeCapture(request, followsRedirects: true, for: $0) }
        let task = dataTask(with: request) { body, response, error in
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
        RequestExemption.send { task.resume() }
        return { self.delegateQueue.addOperation { task.cancel() } }
    }
}

#if canImport(FoundationNetworking)
    /// A serial delegate queue that does not create an operation for each block.
    ///
    /// Creating operations would account for half the time of a response. Blocks are dispatched immediately, and never
    /// appear in the `operations` of the queue.
    final class DirectQueue: OperationQueue, @unchecked Sendable {
        private let queue = DispatchQueue(label: "Relay.DirectQueue")

        override func addOperation(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

        override func addOperation(_ operation: Operation) { queue.async { operation.start() } }
    }

    extension URLSessionTask {
        /// Whether the task was canceled or has already ended.
        fileprivate var isCanceled: Bool { state == .canceling || state == .completed }
    }
#endif

/// A protocol class that loads requests from an interceptor.
///
/// Sessions for live requests exclude these classes.
protocol InterceptingClass: URLProtocol {}

/// The exemption of requests that an interceptor sends to the network, which scopes must not intercept again.
enum RequestExemption {
    /// Runs code that sends an interceptor's request to the network.
    static func send<Result>(during operation: () throws -> Result) rethrows -> Result {
        try ScopeExit.$current.withValue(.toNetwork, operation: operation)
    }

    /// Returns a copy of a request that no scope intercepts when it is sent in ``send(during:)``.
    static func exempt(_ request: URLRequest) -> URLRequest {
        #if canImport(FoundationNetworking)
            return request
        #else
            guard let marked = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return request }
            URLProtocol.setProperty(true, forKey: key, in: marked)
            return marked as URLRequest
        #endif
    }

    #if !canImport(FoundationNetworking)
        private static let key = "Relay passes this request through"

        /// Returns whether the request was exempted.
        static func exempts(_ request: URLRequest) -> Bool { URLProtocol.property(forKey: key, in: request) != nil }
    #endif
}

/// A delegate that forwards network events to requests, and decisions to the delegates of their original tasks.
final class NetworkDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    /// The original session, or nil if it is unknown or was deallocated.
    ///
    /// It is set only once.
    private(set) weak var origin: URLSession?

    private let passing = Mutex<[Int: PassThrough]>([:])

    init(for origin: URLSession?) {
        self.origin = origin
    }

    /// Registers the request that receives a task's events.
    func expect(_ passThrough: PassThrough, of task: URLSessionTask) {
        passing.withLock { $0[task.taskIdentifier] = passThrough }
    }

    private func passThrough(_ task: URLSessionTask) -> PassThrough? {
        passing.withLock { $0[task.taskIdentifier] }
    }

    // MARK: - Events

    func urlSession(
        _: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let head = response as? HTTPURLResponse { passThrough(task)?.receive(head) }
        completionHandler(.allow)
    }

    func urlSession(_: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
        passThrough(task)?.receive(data)
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        passing.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
    }

    // MARK: - Decisions of the task's delegate

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // Responding to the redirect of a canceled task crashes the process: "Received callback for HTTP
            // redirection, but we're not waiting for it" (`HTTPURLProtocol.swift`). Tasks are canceled only on this
            // queue.
            guard !task.isCanceled else { return }
        #endif
        if passThrough(task)?.stop(before: request) == true { return completionHandler(nil) }
        #if canImport(FoundationNetworking)
            // FoundationNetworking adds cookies to this request only in sessions without a delegate.
            let followed = { completionHandler(request.addingCookies(of: session.configuration)) }
            let live = task
            ask(about: task, orElse: followed) { origin, task, delegate in
                delegate.urlSession(origin, task: task, willPerformHTTPRedirection: response, newRequest: request) {
                    accepted in
                    session.delegateQueue.addOperation { if !live.isCanceled { completionHandler(accepted) } }
                }
            }
        #else
            completionHandler(request)
        #endif
    }

    #if canImport(FoundationNetworking)
        func urlSession(
            _: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let passThrough = passThrough(task)
            let proceed: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
                disposition, credential in
                // Without a credential, FoundationNetworking never completes a challenged task.
                let isUnanswered = disposition == .performDefaultHandling && challenge.proposedCredential == nil
                if isUnanswered, passThrough?.endsWithChallenge() == true {
                    return completionHandler(.cancelAuthenticationChallenge, nil)
                }
                passThrough?.beginsAnew()
                completionHandler(disposition, credential)
            }
            ask(about: task, orElse: { proceed(.performDefaultHandling, nil) }) { origin, task, delegate in
                delegate.urlSession(origin, task: task, didReceive: challenge, completionHandler: proceed)
            }
        }

        private func ask(
            about task: URLSessionTask, orElse fallback: () -> Void,
            _ question: @escaping @Sendable (URLSession, URLSessionTask, any URLSessionTaskDelegate) -> Void
        ) {
            guard let origin, let original = passThrough(task)?.origin, let delegate = original.delegate else {
                return fallback()
            }
            origin.delegateQueue.addOperation { question(origin, original, delegate) }
        }
    #else
        func urlSession(
            _: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            if let facts = TransferFacts(metrics) { passThrough(task)?.note(facts) }
        }
    #endif
}
