import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A delegate that logs every call for a download, and keeps the file.
final class DownloadDelegate: NSObject, URLSessionDownloadDelegate {
    let log = Log<String>()
    let files = Log<URL>()

    /// The sizes of the parts that were reported as written.
    let parts = Log<Int64>()

    private let ending = Mutex<CheckedContinuation<(any Error)?, Never>?>(nil)

    /// Resumes a task of a session that has this delegate, waits for its completion, and returns its error.
    func run(_ task: URLSessionTask) async -> (any Error)? {
        await withCheckedContinuation { continuation in
            ending.withLock { $0 = continuation }
            task.resume()
        }
    }

    func urlSession(
        _: URLSession, downloadTask task: URLSessionDownloadTask, didWriteData count: Int64, totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        parts.append(count)
        log.append("\(totalBytesWritten) of \(totalBytesExpectedToWrite)")
    }

    func urlSession(_: URLSession, downloadTask _: URLSessionDownloadTask, didFinishDownloadingTo file: URL) {
        files.append(file)
        let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size]
        log.append("file \(size as? Int ?? -1)")
    }

    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        log.append("redirect \(response.statusCode) to \(request.url?.path() ?? "")")
        completionHandler(request)
    }

    func urlSession(_: URLSession, task _: URLSessionTask, didCompleteWithError error: (any Error)?) {
        log.append("end")
        ending.withLock { $0.take() }?.resume(returning: error)
    }
}

extension URLSession {
    /// Downloads a URL, removes the file, and returns its contents as text.
    func downloadedText(_ url: String) async throws -> String {
        let (file, _) = try await download(from: URL(url))
        defer { try? FileManager.default.removeItem(at: file) }
        return try String(contentsOf: file, encoding: .utf8)
    }
}
