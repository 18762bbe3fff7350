import Foundation
import FoundationInternals
import HTTPArchive
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The temporary file of an intercepted download, and the progress of the task.
///
/// The file is written while the body arrives. It is removed with this object unless a completion handler or a
/// delegate receives it. FoundationNetworking never removes the files of downloads, and neither does Relay after
/// that.
final class Download: Sendable {
    /// The maximum number of bytes that a delegate receives progress for in one call, as in a live download: the
    /// size of libcurl's buffer.
    static let partSize = 16_384

    private struct State {
        /// The descriptor of the file, or -1 if the file is not open.
        var descriptor: Int32 = -1

        /// The size of the file, in bytes.
        var size = 0

        /// Whether a receiver has the file.
        var isPassedOn = false

        /// The response, which the task has only after the complete body.
        var head: HTTPURLResponse?

        /// The number of bytes that were reported to the task.
        var reportedSize: Int64 = 0
    }

    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).tmp")
    private let calls = FileSystemCalls.current
    private let state = Mutex(State())

    deinit {
        let state = state.withLock { $0 }
        guard state.descriptor >= 0 else { return }
        _ = calls.close(state.descriptor)
        if !state.isPassedOn { _ = calls.remove(url.path) }
    }

    /// Appends bytes to the file, which the first call creates.
    ///
    /// - Throws: `cannotWriteToFile`.
    func append(_ data: Data) throws(URLError) {
        let problem: Int32? = state.withLock { state in
            if state.descriptor < 0 { state.descriptor = calls.open(url.path, O_WRONLY | O_CREAT | O_EXCL, 0o666) }
            guard state.descriptor >= 0 else { return errno }
            return data.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let written = calls.write(state.descriptor, UnsafeRawBufferPointer(rebasing: rest), state.size)
                    if written < 0, errno != EINTR { return errno }
                    rest = rest.dropFirst(max(0, written))
                    state.size += max(0, written)
                }
                return nil
            }
        }
        guard let problem else { return }
        throw URLError(
            .cannotWriteToFile,
            "The temporary file of the download cannot be written: \(String(cString: strerror(problem))). Check the "
                + "folder for temporary files, or set TMPDIR to another folder.")
    }

    #if canImport(FoundationNetworking)
        /// Passes the next part of a download to a client, as FoundationNetworking does with a live download.
        ///
        /// Must be called on the queue of the task.
        func pass(_ delivery: Delivery, to client: any URLProtocolClient, of loader: URLProtocol) {
            guard let task = loader.task as? URLSessionDownloadTask else { return }
            switch delivery {
            case .head(let head):
                state.withLock { $0.head = head }
                task.expect(head.expectedSize)
            case .written(let count):
                let (total, expected) = state.withLock { state in
                    state.reportedSize += Int64(count)
                    return (state.reportedSize, state.head?.expectedSize ?? NSURLSessionTransferSizeUnknown)
                }
                task.report(Int64(count), of: total, expected: expected)
            case .end:
                do { try finish(task, with: client, of: loader) } catch {
                    client.urlProtocol(loader, didFailWithError: error)
                }
            case .failure(let error): client.urlProtocol(loader, didFailWithError: error)
            case .response, .data, .redirect: break
            }
        }

        private func finish(
            _ task: URLSessionDownloadTask, with client: any URLProtocolClient, of loader: URLProtocol
        ) throws {
            // An empty body has a file, too.
            try append(Data())
            if let missing = loader.setDownloadedFile(url) { throw RelayError(without: [missing]) }
            let isPassedOn = task.hasFileReceiver
            let head = state.withLock { state in
                state.isPassedOn = isPassedOn
                return state.head
            }
            if let head { client.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed) }
            client.urlProtocolDidFinishLoading(loader)
        }
    #endif
}

#if canImport(FoundationNetworking)
    extension HTTPURLResponse {
        /// The number of bytes that a task expects from this response, as FoundationNetworking computes it: the body of
        /// a response with a content coding has an unknown size.
        fileprivate var expectedSize: Int64 {
            let coding = value(forHTTPHeaderField: "Content-Encoding") ?? "identity"
            return coding == "identity" && expectedContentLength > 0
                ? expectedContentLength : NSURLSessionTransferSizeUnknown
        }
    }
#endif
