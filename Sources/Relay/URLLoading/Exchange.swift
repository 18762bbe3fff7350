import Foundation
import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a task, with the redirects that follow it, from its start to what is delivered.
///
/// Everything that changes is in `state`. What the interceptor knows is answered where the task starts; all other steps,
/// but those of the delegate and of the network, run on the interceptor's queue.
final class Exchange: @unchecked Sendable {
    /// How an exchange ends.
    enum Outcome {
        case response(HTTPURLResponse, Data)
        case failure(any Error)

        /// The URL loading system is to follow a redirect; for platforms where it can be told to.
        case redirect(URLRequest, HTTPURLResponse)
    }

    /// What follows from an answer.
    private enum Step {
        case end(Outcome)

        /// A redirect to be followed, if the delegate agrees; else the response is delivered that has it.
        case redirect(URLRequest, HTTPURLResponse, Data)

        case network(InterceptedRequest)
    }

    private struct State {
        var isCancelled = false
        var waitsForDelegate = false
        var passThrough: PassThrough?
    }

    private let task: URLSessionTask
    private let session: URLSession?
    private let original: URLRequest
    private let interceptor: Interceptor
    private let conclude: @Sendable (Exchange, Outcome) -> Void
    private let state = Mutex(State())

    private var configuration: URLSessionConfiguration { session?.configuration ?? .ephemeral }

    /// Prepares an exchange; `conclude` is called once at most, with how it ended.
    init(
        of task: URLSessionTask, loading request: URLRequest, with interceptor: Interceptor,
        conclude: @escaping @Sendable (Exchange, Outcome) -> Void
    ) {
        self.task = task
        session = task.ownSession
        original = request
        self.interceptor = interceptor
        self.conclude = conclude
    }

    /// Begins; to be called where the task starts.
    ///
    /// - Returns: The outcome if it is known at once; `conclude` is called for others.
    func start() -> Outcome? {
        if let refusal { return .failure(refusal) }
        guard task.hasBodyAtHand(in: original) else {
            readBody()
            return nil
        }
        let request = InterceptedRequest(
            original, body: original.httpBody, additionalHeaders: configuration.httpAdditionalHeaders)
        guard let known = interceptor.knownResponse(to: request) else {
            interceptor.enqueue { [self] in answer(request, redirects: 0) }
            return nil
        }
        let step = step(after: known.response, to: request) { url in
            known.form { $0.httpURLResponse(requestedFrom: url) }
        }
        if case .end(let outcome) = step { return outcome }
        interceptor.enqueue { [self] in take(step, redirects: 0) }
        return nil
    }

    private func readBody() {
        interceptor.enqueue { [self] in
            guard !isCancelled else { return }
            task.readBody(of: original, in: session) { [self] body in
                interceptor.enqueue { [self] in
                    do throws(URLError) {
                        let headers = configuration.httpAdditionalHeaders
                        let request = InterceptedRequest(original, body: try body.get(), additionalHeaders: headers)
                        answer(request, redirects: 0)
                    } catch {
                        fail(error)
                    }
                }
            }
        }
    }

    /// Stops what is going on; nothing is delivered afterwards.
    func cancel() {
        let passThrough = state.withLock { state in
            state.isCancelled = true
            return state.passThrough
        }
        passThrough?.cancel()
    }

    private var isCancelled: Bool { state.withLock(\.isCancelled) }

    private func answer(_ request: InterceptedRequest, redirects: Int) {
        guard !isCancelled else { return }
        take(step(after: interceptor.answer(to: request), to: request), redirects: redirects)
    }

    private func step(after answer: Answer, to request: InterceptedRequest) -> Step {
        switch answer {
        case .failure(let error): .end(.failure(error))
        case .passThrough: .network(request)
        case .response(let response):
            step(after: response, to: request) { response.httpURLResponse(requestedFrom: $0) }
        }
    }

    /// What follows from a response, whose cookies are stored.
    private func step(
        after response: InterceptedResponse, to request: InterceptedRequest, head: (URL) -> HTTPURLResponse?
    ) -> Step {
        guard let url = url(of: request), let head = head(url) else {
            return .end(
                .failure(URLError(.badServerResponse, "The status \(response.status) is none of HTTP.")))
        }
        configuration.storeCookies(of: response, from: url, requestedBy: original)
        guard let next = request.redirected(by: response),
            let proposed = original.replacing(with: next, cookiesOf: configuration)
        else { return .end(.response(head, response.body)) }
        return .redirect(proposed, head, response.body)
    }

    /// The URL of a request; that of the task needs no parsing.
    private func url(of request: InterceptedRequest) -> URL? {
        if let url = original.url, url.absoluteString == request.url { return url.absoluteURL }
        return URL(text: request.url)
    }

    private func take(_ step: Step, redirects: Int) {
        guard !isCancelled else { return }
        switch step {
        case .end(let outcome): conclude(self, outcome)
        case .network(let request): passThrough(request)
        case .redirect(let proposed, let head, let body):
            guard redirects < InterceptedRequest.redirectLimit else {
                return fail(URLError(.httpTooManyRedirects, "More than \(redirects) redirects in a row."))
            }
            follow(proposed, after: head, body: body, redirects: redirects)
        }
    }

    private func follow(_ proposed: URLRequest, after head: HTTPURLResponse, body: Data, redirects: Int) {
        #if canImport(FoundationNetworking)
            askDelegate(proposed, after: head) { [self] accepted in
                guard let accepted else { return conclude(self, .response(head, body)) }
                answer(InterceptedRequest(accepted, body: accepted.httpBody), redirects: redirects + 1)
            }
        #else
            conclude(self, .redirect(proposed, head))
        #endif
    }

    private func passThrough(_ request: InterceptedRequest) {
        guard let live = original.replacing(with: request) else {
            return fail(URLError(.badURL, "\(request.url) is no URL."))
        }
        let passThrough = PassThrough(of: live, for: task, of: session, configuration: configuration) { [self] in
            conclude(self, $0)
        }
        let isCancelled = state.withLock { state in
            state.passThrough = passThrough
            return state.isCancelled
        }
        isCancelled ? passThrough.cancel() : passThrough.start()
    }

    private func fail(_ error: any Error) { conclude(self, .failure(error)) }

    /// Why the request cannot be intercepted at all, if so.
    private var refusal: (any Error)? {
        #if canImport(FoundationNetworking)
            if task is URLSessionDownloadTask {
                return HARError(
                    .unsupportedTask,
                    "A download task cannot be intercepted on this platform; use a data task and write what it gives.")
            }
        #endif
        guard let url = original.url else { return URLError(.badURL, "The request has no URL.") }
        return url.isHTTP ? nil : URLError(.unsupportedURL, "\(url.absoluteString) is neither http nor https.")
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

extension URLError {
    /// An error with a description of its own.
    init(_ code: Code, _ description: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: description])
    }
}
