import Foundation
import FoundationNetworking
import Synchronization

/// Makes requests in the three ways that URLSession supports: with `await`, a completion handler, or a delegate.
final class Client: NSObject, URLSessionDataDelegate, Sendable {
    /// A way to make a request.
    enum Style: CaseIterable { case awaited, completionHandler, delegate }

    private struct Transfer {
        let continuation: CheckedContinuation<(Data, URLResponse), any Error>
        var body = Data()
        var response: URLResponse?
    }

    private let transfers = Mutex<[String: Transfer]>([:])

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The session, whose delegate must be this client.
    ///   - style: The way to make the request.
    /// - Returns: The body and the head of the response.
    /// - Throws: The error of the task.
    func load(_ request: URLRequest, by session: URLSession, as style: Style) async throws -> (Data, HTTPURLResponse) {
        let (body, response) =
            switch style {
            case .awaited: try await session.data(for: request)
            case .completionHandler: try await loadWithHandler(request, by: session)
            case .delegate: try await loadWithDelegate(request, by: session)
            }
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (body, response)
    }

    private func loadWithHandler(_ request: URLRequest, by session: URLSession) async throws -> (Data, URLResponse) {
        try await canceling { continuation in
            session.dataTask(with: request) { body, response, error in
                if let error { return continuation.resume(throwing: error) }
                guard let response else { return continuation.resume(throwing: URLError(.badServerResponse)) }
                continuation.resume(returning: (body ?? Data(), response))
            }
        }
    }

    private func loadWithDelegate(_ request: URLRequest, by session: URLSession) async throws -> (Data, URLResponse) {
        try await canceling { continuation in
            let task = session.dataTask(with: request)
            transfers.withLock { $0[key(session, task)] = Transfer(continuation: continuation) }
            return task
        }
    }

    /// Runs a session task, and cancels it when the Swift task is canceled.
    private func canceling(
        _ makeTask: (CheckedContinuation<(Data, URLResponse), any Error>) -> URLSessionDataTask
    ) async throws -> (Data, URLResponse) {
        let running = Mutex<(task: URLSessionTask?, isCanceled: Bool)>((nil, false))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = makeTask(continuation)
                let isCanceled = running.withLock { running in
                    running.task = task
                    return running.isCanceled
                }
                if isCanceled { task.cancel() }
                task.resume()
            }
        } onCancel: {
            let task = running.withLock { running in
                running.isCanceled = true
                return running.task
            }
            task?.cancel()
        }
    }

    private func key(_ session: URLSession, _ task: URLSessionTask) -> String {
        "\(UInt(bitPattern: ObjectIdentifier(session).hashValue)) \(task.taskIdentifier)"
    }

    // MARK: - Delegate methods

    func urlSession(
        _ session: URLSession, dataTask task: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transfers.withLock { $0[key(session, task)]?.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask task: URLSessionDataTask, didReceive data: Data) {
        transfers.withLock { $0[key(session, task)]?.body.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let transfer = transfers.withLock({ $0.removeValue(forKey: key(session, task)) }) else { return }
        if let error { return transfer.continuation.resume(throwing: error) }
        guard let response = transfer.response else {
            return transfer.continuation.resume(throwing: URLError(.badServerResponse))
        }
        transfer.continuation.resume(returning: (transfer.body, response))
    }
}
