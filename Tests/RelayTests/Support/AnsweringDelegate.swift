import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A delegate of a session with any number of tasks at once: each one's body comes to who waits for it.
final class AnsweringDelegate: NSObject, URLSessionDataDelegate {
    private struct Waiting {
        let continuation: CheckedContinuation<String, any Error>
        var body = Data()
    }

    private let waiting = Mutex<[Int: Waiting]>([:])

    /// The body as text of what a URL gives in a session that has this delegate.
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
