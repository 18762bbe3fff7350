import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session delegate that returns the body of each task to the caller that awaits it.
///
/// It supports any number of concurrent tasks.
final class AnsweringDelegate: NSObject, URLSessionDataDelegate {
    private struct Waiting {
        let continuation: CheckedContinuation<String, any Error>
        var body = Data()
    }

    private let waiting = Mutex<[Int: Waiting]>([:])

    /// Requests a URL in a session that has this delegate, and returns the body as text.
    func text(_ url: String, from session: URLSession) async throws -> String {
        let task = session.dataTask(with: URL(url))
        return try await withCheckedThrowingContinuation { continuation in
            waiting.withLock { $0[task.taskIdentifier] = Waiting(continuation: continuation) }
            task.resume()
        }
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        waiting.withLock { $0[dataTask.taskIdentifier]?.body.append(data) }
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let waiting = waiting.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let error { return waiting.continuation.resume(throwing: error) }
        waiting.continuation.resume(returning: String(decoding: waiting.body, as: UTF8.self))
    }
}
