import Foundation
import FoundationNetworking
import Synchronization

/// A value that identifies the caller of a session.
enum Caller {
    @TaskLocal static var name = "none"
}

/// A protocol class that logs its calls and their context, and returns a body in two chunks.
///
/// The last path component of a URL selects another behavior: `silent` or `redirect`.
final class NotingProtocol: URLProtocol {
    private static let notes = Mutex<[String: String]>([:])

    static func note(_ key: String, _ value: String?) { notes.withLock { $0[key] = value ?? "nil" } }

    static func noted(_ key: String) -> String? { notes.withLock { $0[key] } }

    override class func canInit(with request: URLRequest) -> Bool {
        note("canInit", Caller.name)
        return true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
        Self.note("init", Caller.name)
        super.init(request: request, cachedResponse: cachedResponse, client: client)
    }

    override func startLoading() {
        Self.note("startLoading", Caller.name)
        Self.note("Cookie", request.value(forHTTPHeaderField: "Cookie"))
        Self.note("header", request.value(forHTTPHeaderField: "X-Added"))
        Self.note("httpBody", request.httpBody.map { String(decoding: $0, as: UTF8.self) })
        Self.note("httpBodyStream", request.httpBodyStream.map { _ in "a stream" })
        guard let url = request.url, url.lastPathComponent != "silent" else { return }
        let status = url.lastPathComponent == "redirect" ? 302 : 200
        guard let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        if status == 302 {
            client?.urlProtocol(self, wasRedirectedTo: Facts.request, redirectResponse: response)
        } else {
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("one".utf8))
            client?.urlProtocol(self, didLoad: Data("two".utf8))
        }
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() { Self.note("stopLoading", "called") }
}

/// A delegate that collects the body of a task.
final class CollectingDelegate: NSObject, URLSessionDataDelegate {
    private let chunks = Mutex<[String]>([])
    let end = AsyncStream.makeStream(of: Void.self)

    var received: [String] { chunks.withLock { $0 } }

    func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive data: Data) {
        chunks.withLock { $0.append(String(decoding: data, as: UTF8.self)) }
    }

    func urlSession(_: URLSession, task _: URLSessionTask, didCompleteWithError _: (any Error)?) {
        end.continuation.finish()
    }
}

/// A delegate that counts the parts of a download.
final class DownloadDelegate: NSObject, URLSessionDownloadDelegate {
    private let count = Mutex(0)

    var partCount: Int { count.withLock { $0 } }

    func urlSession(
        _: URLSession, downloadTask _: URLSessionDownloadTask, didWriteData _: Int64, totalBytesWritten _: Int64,
        totalBytesExpectedToWrite _: Int64
    ) {
        count.withLock { $0 += 1 }
    }

    func urlSession(_: URLSession, downloadTask _: URLSessionDownloadTask, didFinishDownloadingTo _: URL) {}
}
