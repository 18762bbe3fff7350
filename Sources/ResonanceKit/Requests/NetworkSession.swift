public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// What carries requests: `URLSession`, a mock, or anything else.
public protocol NetworkSession: Sendable {
    /// Begins a request, whose body and response will be there; `CoFuture { try await … }` makes one of a call.
    func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)>
}

extension URLSession: NetworkSession {
    /// Begins a request, as a data task.
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
