#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    package import FoundationNetworking
    import Synchronization
#endif

/// The tests of the capabilities.
package enum CapabilityProbes {
    #if canImport(FoundationNetworking)
        /// Tests the capabilities that scopes need.
        ///
        /// Only the first call runs the test, which takes a few milliseconds.
        ///
        /// - Returns: The missing capabilities.
        package static func missingForScopes() -> [MissingCapability] {
            SessionProbe.outcome
            return CapabilityTable.missing.filter { [.scopes, .requests].contains($0.capability.need) }
        }

        /// Returns whether a request belongs to the test, which loads the request itself.
        package static func isProbe(_ request: URLRequest) -> Bool { ProbeRequest.active(for: request.url) != nil }
    #endif

    /// Tests all capabilities that have not been tested yet.
    package static func testAll() {
        #if canImport(FoundationNetworking)
            SessionProbe.outcome
            DownloadProbe.outcome
            if let refusal = Interposition.refusal {
                CapabilityTable.lose(.transferLog, because: refusal)
            } else {
                TransferProbe.outcome
            }
            if !SharedSessionClasses.isLive { SharedSessionClasses.lose() }
        #endif
        _ = TaskLife()
    }
}

#if canImport(FoundationNetworking)
    /// Tests the capabilities that scopes and intercepted requests need, using the tasks of a session.
    ///
    /// A protocol class in this file loads one of the tasks. A task that is not intercepted connects to a closed
    /// loopback port and fails. The test waits for tasks, so it must not run on a task's queue.
    enum SessionProbe {
        /// The result of the test, which runs once.
        static let outcome: Void = test { session, url in
            testProperties(of: session, loading: url)
            if EverySessionDetour.isActive { testInterception(of: session, loading: url) }
        }

        static let limit = DispatchTimeInterval.seconds(5)

        /// Runs a test with a session and a URL that refers to a closed loopback port.
        ///
        /// - Parameters:
        ///   - own: The protocol classes that the session queries before its own classes; none by default.
        ///   - body: The test.
        static func test(querying own: [AnyClass] = [], _ body: (URLSession, URL) -> Void) {
            let port = ClosedPort()
            guard let url = URL(string: "http://127.0.0.1:\(port.number)/relay-probe") else { return }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.protocolClasses = own + (configuration.protocolClasses ?? [])
            let session = URLSession(configuration: configuration)
            defer { session.invalidateAndCancel() }
            body(session, url)
            withExtendedLifetime(port) {}
        }

        /// Tests the private properties of tasks without starting the tasks.
        private static func testProperties(of session: URLSession, loading url: URL) {
            let task = session.dataTask(with: url)
            let isUsable = task.missingCapability == nil
            let body = Data("body".utf8)
            let upload = session.uploadTask(with: URLRequest(url: url), from: body)
            if upload.missingBody == nil, upload.ownBodyData != body {
                CapabilityTable.lose(
                    .uploadBody, because: "The body of an upload cannot be read: its type has changed.")
            }
            if isUsable, !showsReceivers(in: session, loading: url) {
                CapabilityTable.lose(
                    .bodyChunks, because: "Sessions do not reveal which tasks have a completion handler.")
            }
            if !task.hasInlineFlag {
                CapabilityTable.lose(
                    .awaitedTasks, because: "Tasks do not reveal on which queue awaiting callers are resumed.")
            }
        }

        /// Returns whether a session reveals which tasks have a completion handler.
        ///
        /// A session registers each task on the task's queue, so each task is checked on that queue.
        private static func showsReceivers(in session: URLSession, loading url: URL) -> Bool {
            let tasks = [session.dataTask(with: url), session.dataTask(with: url) { _, _, _ in }]
            let kinds = Mutex<[String?]>([])
            let end = DispatchSemaphore(value: 0)
            for task in tasks {
                task.performOnItsQueue {
                    kinds.withLock { $0.append(task.nameOfReceiver) }
                    end.signal()
                }
                guard end.wait(timeout: .now() + limit) == .success else { return false }
            }
            let found = kinds.withLock { $0 }
            return found[0] == URLSessionTask.delegateReceiver && found[1] != nil && found[1] != found[0]
        }

        /// Tests whether a registered class loads a task after FoundationNetworking's own class has rejected it.
        private static func testInterception(of session: URLSession, loading url: URL) {
            _ = URLProtocol.registerClass(ProbeProtocol.self)
            defer { URLProtocol.unregisterClass(ProbeProtocol.self) }
            let probe = ProbeRequest(to: url)
            let end = DispatchSemaphore(value: 0)
            let received = Mutex<Data?>(nil)
            let task = session.dataTask(with: url) { data, _, _ in
                received.withLock { $0 = data }
                end.signal()
            }
            probe.start(task)
            let hasEnded = end.wait(timeout: .now() + limit) == .success
            ProbeRequest.end()
            let observed = probe.observations
            if !observed.isAsked {
                CapabilityTable.lose(
                    .methodTables, because: "Sessions do not call the replaced method of their protocol classes.")
            } else if !observed.hasContext {
                CapabilityTable.lose(
                    .callerContext,
                    because: "Protocol classes are not called in the context of the code that starts a task.")
            } else if !observed.isAttached {
                CapabilityTable.lose(
                    .taskAttachment, because: "A task is not started on a queue with the expected name.")
            } else if !observed.isAttachedAtStart {
                CapabilityTable.lose(
                    .taskAttachment, because: "A task is not loaded on the queue on which it was started.")
            } else if !hasEnded || received.withLock({ $0 }) != ProbeProtocol.body,
                CapabilityTable.missing(.taskQueue) == nil
            {
                CapabilityTable.lose(
                    .taskQueue,
                    because: "A task does not receive its response on the queue in its property `workQueue`.")
            }
        }
    }

    /// The protocol class that loads the request of the interception test.
    private final class ProbeProtocol: URLProtocol {
        static let body = Data("probe".utf8)

        override class func canInit(with request: URLRequest) -> Bool {
            ProbeRequest.active(for: request.url)?.observations.hasContext == true
        }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let task, let probe = ProbeRequest.active(for: request.url) else { return }
            let isAttached = TaskAttachment.current === probe
            probe.note { $0.isAttachedAtStart = isAttached }
            guard isAttached, task.missingCapability == nil else { return respond() }
            nonisolated(unsafe) let loader = self
            task.performOnItsQueue {
                // The client may be called only on the task's queue.
                if TaskAttachment.current === probe { loader.respond() }
            }
        }

        override func stopLoading() {}

        private func respond() {
            guard let url = request.url,
                let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Self.body)
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    /// Tests whether a transfer can be observed, using a task that connects to a closed loopback port.
    ///
    /// Recording works even if this test fails, because unobserved entries lack only details.
    enum TransferProbe {
        /// The result of the test, which runs once.
        static let outcome: Void = SessionProbe.test(querying: [TransferWatch.self]) { session, url in
            let end = DispatchSemaphore(value: 0)
            let task = session.dataTask(with: url) { _, _, _ in end.signal() }
            guard task.missingCapability == nil else { return }
            let log = TransferLog()
            TransferWatch.resume(task, observedBy: log)
            _ = end.wait(timeout: .now() + SessionProbe.limit)
            task.performOnItsQueue {
                _ = log.end()
                end.signal()
            }
            _ = end.wait(timeout: .now() + SessionProbe.limit)
        }
    }
#endif
