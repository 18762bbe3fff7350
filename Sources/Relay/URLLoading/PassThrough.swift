import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that goes to the network after all, with the settings of its session and past every interceptor.
///
/// The delegate of the original task decides about redirects and authentication, as it would have done.
final class PassThrough: Sendable {
    private let network: URLSession
    private let networkTask: URLSessionTask

    /// Prepares a request; `conclude` is called with how it ended.
    init(
        of request: URLRequest, for task: URLSessionTask, of session: URLSession?,
        configuration: URLSessionConfiguration, conclude: @escaping @Sendable (Exchange.Outcome) -> Void
    ) {
        let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.protocolClasses = configuration.protocolClasses?.filter { !($0 is InterceptingProtocol.Type) }
        let forwarder = Forwarder(task: task, session: session)
        network = URLSession(configuration: configuration, delegate: forwarder, delegateQueue: nil)
        networkTask = network.dataTask(with: InterceptionScope.exempt(request)) { data, response, error in
            if let error { return conclude(.failure(error)) }
            guard let response = response as? HTTPURLResponse else {
                return conclude(.failure(URLError(.badServerResponse)))
            }
            conclude(.response(response, data ?? Data()))
        }
    }

    func start() {
        InterceptionScope.leave { networkTask.resume() }
        network.finishTasksAndInvalidate()
    }

    func cancel() { network.invalidateAndCancel() }
}

/// Asks the delegate of the task that a request came from.
private final class Forwarder: NSObject, URLSessionTaskDelegate {
    private let task: URLSessionTask
    private let session: URLSession?

    init(task: URLSessionTask, session: URLSession?) {
        self.task = task
        self.session = session
    }

    #if canImport(FoundationNetworking)
        func urlSession(
            _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            guard let session, let delegate = task.delegate else { return completionHandler(request) }
            session.delegateQueue.addOperation { [task] in
                delegate.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                    completionHandler: completionHandler)
            }
        }

        func urlSession(
            _: URLSession, task _: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let session, let delegate = task.delegate else {
                return completionHandler(.performDefaultHandling, nil)
            }
            session.delegateQueue.addOperation { [task] in
                delegate.urlSession(
                    session, task: task, didReceive: challenge, completionHandler: completionHandler)
            }
        }
    #endif
}
