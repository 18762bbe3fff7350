#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking
    import Synchronization
#endif

extension CapabilityProbes {
    /// Tests the capability that downloads need, before the first intercepted download.
    ///
    /// - Parameter completion: Called with the missing capability, or nil. Called synchronously after the first test,
    ///   and otherwise on another thread, because the test must not run on a task's queue.
    package static func testDownloads(_ completion: @escaping @Sendable (MissingCapability?) -> Void) {
        #if canImport(FoundationNetworking)
            guard !DownloadProbe.isDone.load(ordering: .acquiring) else {
                return completion(CapabilityTable.missing(.downloadFile))
            }
            Thread.detachNewThread {
                DownloadProbe.outcome
                completion(CapabilityTable.missing(.downloadFile))
            }
        #else
            completion(nil)
        #endif
    }
}

#if canImport(FoundationNetworking)

    /// Tests whether a protocol class can respond to a download.
    ///
    /// The task has a completion handler, to which FoundationNetworking passes nil if it finds no file. If a delegate or
    /// an awaiting caller received the file, the process would end instead.
    enum DownloadProbe {
        /// Whether the test has ended.
        static let isDone = Atomic(false)

        /// The result of the test, which runs once.
        static let outcome: Void = SessionProbe.test(querying: [FileProtocol.self]) { session, url in
            let end = DispatchSemaphore(value: 0)
            let received = Mutex<URL?>(nil)
            let task = session.downloadTask(with: url) { file, _, _ in
                received.withLock { $0 = file }
                end.signal()
            }
            task.resume()
            let hasEnded = end.wait(timeout: .now() + SessionProbe.limit) == .success
            if !hasEnded || received.withLock({ $0 }) != FileProtocol.file {
                CapabilityTable.lose(.downloadFile, because: "A download task does not receive the file that was set.")
            }
            isDone.store(true, ordering: .releasing)
        }
    }

    /// The protocol class that loads the task of the download test.
    private final class FileProtocol: URLProtocol {
        /// The URL that the task receives; the file need not exist.
        static let file = URL(fileURLWithPath: "/relay-probe")

        override class func canInit(with request: URLRequest) -> Bool { true }

        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let task = task as? URLSessionDownloadTask, let url = request.url,
                let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else { return }
            task.expect(1)
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            _ = setDownloadedFile(Self.file)
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }
#endif
