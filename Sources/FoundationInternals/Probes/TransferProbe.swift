#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation
    import FoundationNetworking

    /// Tests whether a transfer can be observed, using a task that connects to a closed loopback port.
    ///
    /// Recording works even if this test fails, because unobserved entries lack only details.
    enum TransferProbe {
        /// The result of the test, which runs once.
        static let outcome: Void = run()

        private static func run() {
            let port = ClosedPort()
            guard let url = URL(string: "http://127.0.0.1:\(port.number)/relay-probe") else { return }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.protocolClasses = [TransferWatch.self] + (configuration.protocolClasses ?? [])
            let session = URLSession(configuration: configuration)
            defer { session.invalidateAndCancel() }
            let end = DispatchSemaphore(value: 0)
            let task = session.dataTask(with: url) { _, _, _ in end.signal() }
            guard task.missingCapability == nil else { return }
            let log = TransferLog()
            TransferWatch.resume(task, observedBy: log)
            _ = end.wait(timeout: .now() + .seconds(5))
            task.performOnItsQueue {
                _ = log.end()
                end.signal()
            }
            _ = end.wait(timeout: .now() + .seconds(5))
            withExtendedLifetime(port) {}
        }
    }
#endif
