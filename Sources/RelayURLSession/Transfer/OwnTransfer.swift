import FoundationInternals
import RelayCore

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// A request that is sent to the network in its original task.
    ///
    /// Creating a task in another session costs nearly as much as a request to a nearby server. This class creates the
    /// object with which FoundationNetworking would have loaded the task, and becomes its client. It supports only
    /// tasks that deliver complete responses, because the library calls data delegates directly.
    final class OwnTransfer: NSObject, URLProtocolClient, @unchecked Sendable {
        /// The result of a request: a response or an error, with the body received so far.
        struct Outcome: Sendable {
            var response: HTTPURLResponse?
            var body: Data
            var error: (any Error)?

            /// Returns the facts reported by the network; nil if there are no facts.
            var facts: (@Sendable () -> TransferFacts)?
        }

        private let task: URLSessionTask
        private let delegateQueue: OperationQueue
        private let loaderClass: URLProtocol.Type
        private let isRecorded: Bool
        private let handle: @Sendable (Outcome) -> Void

        /// The object that loads the task.
        ///
        /// Like all properties below, it is used on the task's queue alone.
        private var loader: URLProtocol?
        private var log: TransferLog?
        private var body = Data()
        private var isOver = false

        /// The loader's buffer for the body, which the loader discards if the transfer fails.
        private var collected: NSData?

        /// The name of the `Location` field when redirects are not followed (`transfer_observe`).
        static let locationField = "-ocation"

        private static let state = StoredProperty("internalState")
        private static let redirectBody = StoredProperty("lastRedirectBody")

        /// Prepares a request.
        ///
        /// - Parameters:
        ///   - task: The task, which sends its original request.
        ///   - session: The session of the task.
        ///   - loader: The class that loads the task.
        ///   - isRecorded: Whether the transfer is observed. In that case, redirects are not followed, and the
        ///     `Location` field of the response has another name.
        ///   - handle: Called once with the result, on the task's queue.
        init(
            of task: URLSessionTask, in session: URLSession, by loader: URLProtocol.Type, isRecorded: Bool,
            handle: @escaping @Sendable (Outcome) -> Void
        ) {
            self.task = task
            delegateQueue = session.delegateQueue
            loaderClass = loader
            self.isRecorded = isRecorded
            self.handle = handle
        }

        /// Sends the request.
        ///
        /// This must be called once, on any thread.
        func start() {
            task.performOnItsQueue { [self] in
                guard !isOver, task.state == .running else { return finish(with: URLError(.cancelled)) }
                let loader = loaderClass.init(task: task, cachedResponse: nil, client: self)
                self.loader = loader
                if isRecorded {
                    let log = TransferLog { [unowned self] in keepBody() }
                    log.begin(loader, hidingLocations: true)
                    self.log = log
                }
                loader.startLoading()
            }
        }

        /// Cancels the request.
        ///
        /// This can be called on any thread. The loader can be stopped only while the task is canceled or suspended. If
        /// the task was suspended and has already been resumed, the transfer continues, but its result is ignored.
        ///
        /// - Parameter endsTask: Whether to cancel the task itself. Calls to its client in the same block as this call
        ///   take precedence.
        func cancel(endingTask endsTask: Bool) {
            task.performOnItsQueue { [self] in
                if isOver || stop() { return }
                guard endsTask else { return leave() }
                delegateQueue.addOperation { [self] in
                    task.cancel()
                    task.performOnItsQueue { [self] in if !isOver, !stop() { leave() } }
                }
            }
        }

        /// Stops the loader, if possible.
        private func stop() -> Bool {
            guard let loader, task.error != nil || task.state == .suspended else { return false }
            loader.client = nil
            loader.stopLoading()
            finish(with: URLError(.cancelled))
            return true
        }

        private func leave() {
            keepBody()
            loader?.client = nil
            finish(with: URLError(.cancelled))
        }

        // MARK: - Events

        func urlProtocol(_: URLProtocol, didReceive _: URLResponse, cacheStoragePolicy _: URLCache.StoragePolicy) {}

        func urlProtocol(_: URLProtocol, didLoad data: Data) { body += data }

        func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
            guard let response = task.response as? HTTPURLResponse else {
                return finish(with: URLError(.badServerResponse))
            }
            // The body of a redirect is stored separately, and stays there if the redirect is followed.
            if isRecorded, 300..<400 ~= response.statusCode, body.isEmpty,
                let kept = Self.redirectBody.value(in: loader) as? Data
            {
                body = kept
            }
            finish(response)
        }

        func urlProtocol(_: URLProtocol, didFailWithError error: any Error) { finish(with: error) }

        func urlProtocol(_: URLProtocol, wasRedirectedTo _: URLRequest, redirectResponse _: URLResponse) {}

        func urlProtocol(_: URLProtocol, cachedResponseIsValid _: CachedURLResponse) {}

        func urlProtocol(_: URLProtocol, didReceive _: URLAuthenticationChallenge) {}

        func urlProtocol(_: URLProtocol, didCancel _: URLAuthenticationChallenge) {}

        private func finish(_ response: HTTPURLResponse? = nil, with error: (any Error)? = nil) {
            guard !isOver else { return }
            isOver = true
            // The loader retains this object as its client.
            loader = nil
            if error != nil, let collected { body = Data(referencing: collected) }
            handle(Outcome(response: response, body: body, error: error, facts: log?.endWithFacts()))
        }

        /// Keeps the loader's body buffer, which is part of the state of a running transfer.
        private func keepBody() {
            guard collected == nil, let loader, let transfer = Self.payload(of: Self.state.value(in: loader)),
                let drain = Mirror(reflecting: transfer).descendant("bodyDataDrain")
            else { return }
            collected = Self.payload(of: drain) as? NSData
        }

        /// Returns the associated value of an enumeration case.
        private static func payload(of value: Any?) -> Any? {
            value.flatMap { Mirror(reflecting: $0).children.first?.value }
        }
    }
#endif
