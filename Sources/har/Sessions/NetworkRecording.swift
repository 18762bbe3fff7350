import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests one after another, records them, and prints each exchange to standard error.
struct NetworkRecording {
    private let interceptor: Interceptor
    private let session: URLSession
    private let delegate: StatusDelegate
    private let lines: Task<Void, Never>

    /// Opens the archive.
    ///
    /// - Parameters:
    ///   - url: The archive. If it exists, entries are appended to it.
    ///   - settings: The recording settings.
    ///   - limits: The limits for reading an existing archive.
    ///   - followsRedirects: Whether to follow redirects.
    /// - Throws: An error if the archive cannot be opened.
    init(
        to url: URL, settings: RecordingConfiguration, limits: HARReader.Configuration, followsRedirects: Bool
    ) throws(HARError) {
        var configuration = Interceptor.Configuration()
        configuration.reader = limits
        configuration.recording = settings
        interceptor = try Interceptor(recordingTo: url, configuration: configuration)
        let connection = URLSessionConfiguration.ephemeral
        connection.urlCache = nil
        delegate = StatusDelegate(followsRedirects: followsRedirects)
        session = interceptor.session(configuration: connection, delegate: delegate)
        let exchanges = interceptor.exchanges
        lines = Task {
            for await exchange in exchanges { StandardError.line(exchange.line) }
        }
    }

    /// Sends a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The status of the last response, or `nil` if the request failed.
    func perform(_ request: URLRequest) async -> Int? { await delegate.status(of: request, in: session) }

    /// Waits until all exchanges are recorded.
    ///
    /// - Throws: The error for the first exchange that could not be recorded.
    func finish() async throws {
        let report = await interceptor.finishRecording()
        await lines.value
        if let failure = report?.failures.first { throw failure }
        let count = (report?.recordedCount ?? 0).of("exchange", "exchanges")
        StandardError.notice("\(count) recorded to \(interceptor.name.printable)")
    }
}

extension ObservedExchange {
    /// The exchange as text, without secrets.
    fileprivate var line: String {
        let outcome =
            switch result {
            case .success(let status): "\(status), \(bodySize.asBytes)"
            case .failure(let error as URLError) where error.code == .timedOut: "failed: timed out"
            case .failure(let error): "failed: \(MessageRedactor.standard.text(error.localizedDescription))"
            }
        return "\(request.method) \(maskedURL): \(outcome), \((duration / .seconds(1)).asTime)".printable
    }
}

/// A delegate that waits for responses and discards their bodies, so that large bodies use no memory.
final class StatusDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let followsRedirects: Bool
    private let waiting = Mutex<[Int: CheckedContinuation<Int?, Never>]>([:])

    /// Creates a delegate.
    ///
    /// - Parameter followsRedirects: Whether to follow redirects. If not, a redirect is the last response.
    init(followsRedirects: Bool) { self.followsRedirects = followsRedirects }

    /// Sends a request in a session with this delegate.
    ///
    /// - Returns: The status of the last response, or `nil` if there is no response or it is incomplete.
    func status(of request: URLRequest, in session: URLSession) async -> Int? {
        await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request)
            waiting.withLock { $0[task.taskIdentifier] = continuation }
            task.resume()
        }
    }

    func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive _: Data) {}

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let continuation = waiting.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        continuation?.resume(returning: error == nil ? (task.response as? HTTPURLResponse)?.statusCode : nil)
    }

    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(followsRedirects ? request : nil)
    }
}
