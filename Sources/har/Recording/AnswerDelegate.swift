import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
