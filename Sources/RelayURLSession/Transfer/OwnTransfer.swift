import FoundationInternals
import RelayCore
#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// A request that goes to the network after all, in the very task that it came from.
    ///
    /// A task of another session costs nearly as much as a request to a server nearby. Here, what FoundationNetworking would
    /// have loaded the task with is made and told to load it, and tells this of the end. It fits tasks that give their
    /// answer as a whole: where there is a delegate for pieces, it is called past this.
    final class OwnTransfer: NSObject, URLProtocolClient, @unchecked Sendable {
        /// What came of the request: an answer or an error, and with an error what came before.
        struct Outcome: Sendable {
            var response: HTTPURLResponse?
            var body: Data
            var error: (any Error)?

            /// Finds out what the network says of it; `nil` where that is nothing.
            var facts: (@Sendable () -> TransferFacts)?
        }

        private let task: URLSessionTask
        private let delegateQueue: OperationQueue
        private let loaderClass: URLProtocol.Type
        private let isRecorded: Bool
        private let handle: @Sendable (Outcome) -> Void

        /// What loads the task; it is used on the task's queue alone, as all below.
        private var loader: URLProtocol?
        private var log: TransferLog?
        private var body = Data()
        private var isOver = false

        /// What the loader collects the body in, and drops where the transfer breaks off.
        private var collected: NSData?

        /// The name that `Location` has where redirects are not followed (`transfer_observe`).
        static let locationField = "-ocation"

        private static let state = StoredProperty("internalState")
        private static let redirectBody = StoredProperty("lastRedirectBody")

        /// Prepares a request.
        ///
        /// - Parameters:
        ///   - task: The task, which sends its original request.
        ///   - session: The session of the task.
        ///   - loader: The class that loads the task.
        ///   - isRecorded: Whether what passes over the wire is of interest; redirects are not followed then, and the answer's
        ///     field that says where they go has another name.
        ///   - handle: Is called once with what came of it, on the task's queue.
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

        /// Sends the request; to be called once, from anywhere.
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

        /// Ends the request, from wherever this is called.
        ///
        /// What loads a task can only be stopped where the task is cancelled or suspended. Where it was suspended and is
        /// resumed already, it goes on, and nobody hears of it any more.
        ///
        /// - Parameter endsTask: Whether the task is cancelled for that; what it is told on its queue in the same block as
        ///   this goes before.
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

        /// Stops what loads the task, if it may be stopped.
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

        // MARK: - What comes back

        func urlProtocol(_: URLProtocol, didReceive _: URLResponse, cacheStoragePolicy _: URLCache.StoragePolicy) {}

        func urlProtocol(_: URLProtocol, didLoad data: Data) { body += data }

        func urlProtocolDidFinishLoading(_ loader: URLProtocol) {
            guard let response = task.response as? HTTPURLResponse else {
                return finish(with: URLError(.badServerResponse))
            }
            // That of a redirect is kept apart, and stays there where it is followed.
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
            // It has this as its client.
            loader = nil
            if error != nil, let collected { body = Data(referencing: collected) }
            handle(Outcome(response: response, body: body, error: error, facts: log?.endWithFacts()))
        }

        /// Keeps what the loader collects the body in, while it does: in the state of a transfer in progress.
        private func keepBody() {
            guard collected == nil, let loader, let transfer = Self.payload(of: Self.state.value(in: loader)),
                let drain = Mirror(reflecting: transfer).descendant("bodyDataDrain")
            else { return }
            collected = Self.payload(of: drain) as? NSData
        }

        /// What a case of an enumeration carries.
        private static func payload(of value: Any?) -> Any? {
            value.flatMap { Mirror(reflecting: $0).children.first?.value }
        }
    }
#endif
