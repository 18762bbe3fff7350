import ArchiveRepair
import Foundation
import HTTPArchive
import Relay
import RelayCore
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
        let losesEnd = Self.hasIncompleteEnd(url, limits)
        interceptor = try Interceptor(recordingTo: url, configuration: configuration)
        if losesEnd {
            let name = url.relativePath.printable
            StandardError.line("har: warning: \(name): removed an incomplete entry or field at the end")
        }
        let connection = URLSessionConfiguration.ephemeral
        connection.urlCache = nil
        delegate = StatusDelegate(followsRedirects: followsRedirects)
        session = interceptor.session(configuration: connection, delegate: delegate)
        let exchanges = interceptor.exchanges
        lines = Task {
            for await exchange in exchanges { StandardError.line(exchange.line) }
        }
    }

    /// Returns whether an archive ends with an incomplete entry or field, which is removed when entries are appended.
    private static func hasIncompleteEnd(_ url: URL, _ limits: HARReader.Configuration) -> Bool {
        guard (try? HARArchive(contentsOf: url, configuration: limits))?.damage != nil else { return false }
        var isIncomplete = false
        _ = try? HARRepair(
            of: url, to: .none, configuration: limits,
            report: { note in
                if note.kind == .incompleteEntry { isIncomplete = true }
            })
        return isIncomplete
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The maximum time until the response is complete; nil for no limit.
    /// - Returns: The status of the last response, or `nil` if the request failed.
    func perform(_ request: URLRequest, within limit: Duration?) async -> Int? {
        await delegate.status(of: request, in: session, within: limit)
    }

    /// Waits until all exchanges are recorded.
    ///
    /// - Throws: The error for the first exchange that could not be recorded.
    func finish() async throws {
        // An exchange that was canceled before is recorded as well, unlike one that is canceled now.
        let failures = await interceptor.settleRecording()
        let report = await interceptor.finishRecording()
        await lines.value
        if let failure = failures.first ?? report?.failures.first { throw failure }
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
            // Only the limit on the time cancels a request.
            case .failure(let error as URLError) where [.timedOut, .cancelled].contains(error.code): "failed: timed out"
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
    /// The request is canceled after the maximum time, because URLSession only limits the time between two bytes.
    ///
    /// - Returns: The status of the last response, or `nil` if there is no response or it is incomplete.
    func status(of request: URLRequest, in session: URLSession, within limit: Duration?) async -> Int? {
        let task = session.dataTask(with: request)
        let timer = limit.map { limit in
            Task {
                try await Task.sleep(for: limit)
                task.cancel()
            }
        }
        defer { timer?.cancel() }
        return await withCheckedContinuation { continuation in
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
