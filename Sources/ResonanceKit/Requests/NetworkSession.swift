public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A session that sends requests: `URLSession`, a mock, or any other implementation.
public protocol NetworkSession: Sendable {
    /// Starts a request and returns a future for its body and response. `CoFuture { try await … }` creates one from an
    /// asynchronous call.
    func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)>
}

extension URLSession: NetworkSession {
    /// Starts a request as a data task.
    public func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)> {
        let promise = CoPromise<(data: Data, response: URLResponse)>()
        let task = dataTask(with: request) { data, response, error in
            if let response, error == nil {
                promise.success((data ?? Data(), response))
            } else {
                promise.fail(error ?? URLError(.badServerResponse))
            }
        }
        promise.whenCanceled { task.cancel() }
        task.resume()
        return promise
    }
}
