import Foundation
import HTTPArchive
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a task, with the redirects that follow it, from its start to what is delivered.
///
/// Everything that changes is in `state`. All steps but those of the delegate and of the network run on the
/// interceptor's queue.
final class Exchange: @unchecked Sendable {
    /// How an exchange ends.
    enum Outcome {
        case response(HTTPURLResponse, Data)
        case failure(any Error)

        /// The URL loading system is to follow a redirect; for platforms where it can be told to.
        case redirect(URLRequest, HTTPURLResponse)
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

    /// Begins, unless it was cancelled before.
    func start() {
        guard !state.withLock(\.isCancelled) else { return }
        if let refusal { return fail(refusal) }
        task.readBody(of: original, in: session) { [self] body in
            interceptor.queue.async { [self] in
                do throws(URLError) {
                    let headers = configuration.httpAdditionalHeaders
                    answer(InterceptedRequest(original, body: try body.get(), additionalHeaders: headers), redirects: 0)
                } catch {
                    fail(error)
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

    private func answer(_ request: InterceptedRequest, redirects: Int) {
        guard !state.withLock(\.isCancelled) else { return }
        switch interceptor.answer(to: request) {
        case .response(let response): receive(response, to: request, redirects: redirects)
        case .failure(let error): fail(error)
        case .passThrough: passThrough(request)
        }
    }

    private func receive(_ response: InterceptedResponse, to request: InterceptedRequest, redirects: Int) {
        guard let url = URL(text: request.url), let head = response.httpURLResponse(requestedFrom: url) else {
            return fail(URLError(.badServerResponse, "The status \(response.status) is none of HTTP."))
        }
        configuration.storeCookies(of: response, from: url, requestedBy: original)
        guard let next = request.redirected(by: response) else { return conclude(self, .response(head, response.body)) }
        guard redirects < InterceptedRequest.redirectLimit else {
            return fail(URLError(.httpTooManyRedirects, "More than \(redirects) redirects in a row."))
        }
        guard let proposed = original.replacing(with: next, cookiesOf: configuration) else {
            return conclude(self, .response(head, response.body))
        }
        #if canImport(FoundationNetworking)
            askDelegate(proposed, after: head) { [self] accepted in
                guard let accepted else { return conclude(self, .response(head, response.body)) }
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
                    self.interceptor.queue.async {
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
