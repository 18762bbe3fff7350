import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Makes requests one after the other while an archive records them, and says on standard error what came.
struct NetworkRecording {
    private let interceptor: Interceptor
    private let session: URLSession
    private let delegate: AnswerDelegate
    private let lines: Task<Void, Never>

    /// Opens the archive.
    ///
    /// - Parameters:
    ///   - url: The archive, which is continued if it is there.
    ///   - settings: What is recorded, and how.
    ///   - followsRedirects: Whether redirects are followed.
    /// - Throws: What opening the archive throws.
    init(to url: URL, settings: Interceptor.Recording, followsRedirects: Bool) throws(HARError) {
        var configuration = Interceptor.Configuration()
        configuration.recording = settings
        interceptor = try Interceptor(recordingTo: url, configuration: configuration)
        let connection = URLSessionConfiguration.ephemeral
        connection.urlCache = nil
        delegate = AnswerDelegate(followsRedirects: followsRedirects)
        session = interceptor.session(configuration: connection, delegate: delegate)
        let exchanges = interceptor.exchanges
        lines = Task {
            for await exchange in exchanges { StandardError.line(exchange.line) }
        }
    }

    /// Makes a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The status of the last answer; `nil` when there is none.
    func perform(_ request: URLRequest) async -> Int? { await delegate.status(of: request, in: session) }

    /// Waits until everything is recorded.
    ///
    /// - Throws: Why something could not be recorded; the first reason.
    func finish() async throws {
        let report = await interceptor.finishRecording()
        await lines.value
        if let failure = report?.failures.first { throw failure }
        let count = (report?.recordedCount ?? 0).of("exchange", "exchanges")
        StandardError.notice("\(count) recorded into \(interceptor.name.printable)")
    }
}

extension ObservedExchange {
    /// The exchange for people, without secrets.
    fileprivate var line: String {
        let outcome =
            switch result {
            case .success(let status): "\(status), \(bodySize.asBytes)"
            case .failure(let error as URLError) where error.code == .timedOut: "failed: It took too long"
            case .failure(let error): "failed: \(error.localizedDescription)"
            }
        return "\(request.method) \(maskedURL): \(outcome), \((duration / .seconds(1)).asTime)".printable
    }
}

/// Waits for the ends of answers, and lets their bodies pass: however large they are, they take no memory.
final class AnswerDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let followsRedirects: Bool
    private let waiting = Mutex<[Int: CheckedContinuation<Int?, Never>]>([:])

    /// Creates a delegate.
    ///
    /// - Parameter followsRedirects: Whether redirects are followed; else each is an answer.
    init(followsRedirects: Bool) { self.followsRedirects = followsRedirects }

    /// Makes a request in a session of this delegate.
    ///
    /// - Returns: The status of the last answer; `nil` when there is none, or it broke off.
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
