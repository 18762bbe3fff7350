import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A delegate that logs every call, and can refuse or change redirects.
final class RecordingDelegate: NSObject, URLSessionDataDelegate {
    let log = Log<String>()

    private let redirect: @Sendable (URLRequest) -> URLRequest?
    private let body: InputStreamSource?
    private let ending = Mutex<CheckedContinuation<(any Error)?, Never>?>(nil)

    typealias InputStreamSource = @Sendable () -> InputStream

    init(
        redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 }, body: InputStreamSource? = nil
    ) {
        self.redirect = redirect
        self.body = body
    }

    /// Resumes a task of a session that has this delegate, waits for its completion, and returns its error.
    func run(_ task: URLSessionTask, resumedTimes: Int = 1) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            ending.withLock { $0 = continuation }
            for _ in 0..<resumedTimes { task.resume() }
        }
    }

    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        log.append("redirect \(response.statusCode) to \(request.url?.path() ?? "")")
        completionHandler(redirect(request))
    }

    func urlSession(
        _: URLSession, task _: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(body?())
    }

    func urlSession(
        _: URLSession, dataTask _: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        log.append("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        completionHandler(.allow)
    }

    func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive data: Data) {
        log.append("data \(String(decoding: data, as: UTF8.self))")
    }

    func urlSession(_: URLSession, task _: URLSessionTask, didCompleteWithError error: (any Error)?) {
        log.append("end")
        ending.withLock { $0.take() }?.resume(returning: error)
    }
}
