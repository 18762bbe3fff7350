public import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A session that sends requests to a ``JSONMockServer`` instead of the network.
public final class JSONMockServerSession: NetworkSession {
    /// An error for a request without a mock.
    public typealias MockErrors = JSONMockServer.MockErrors

    private let session: URLSession

    /// Creates a session that uses a mock server.
    public init(mockServer: JSONMockServer) { session = mockServer.interceptor.session() }

    /// Starts a request.
    ///
    /// If no mock matches, the request fails with `JSONMockServer.MockErrors.loadFailure`, which describes the reason.
    public func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)> {
        try session.loadData(request: request).then { result in
            do {
                return try result.get()
            } catch let error as RelayError where error.code == .noMatchingEntry {
                throw JSONMockServer.MockErrors(.loadFailure, error)
            }
        }
    }
}
