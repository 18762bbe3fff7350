public import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Carries requests to a ``JSONMockServer`` in place of the network.
public final class JSONMockServerSession: NetworkSession {
    private let session: URLSession

    /// Creates a session that a server answers.
    public init(mockServer: JSONMockServer) { session = mockServer.interceptor.session() }

    /// Begins a request; one that nothing answers ends with `JSONMockServer.MockErrors.loadFailure`, which says why.
    public func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)> {
        try session.loadData(request: request).then { result in
            do {
                return try result.get()
            } catch let error as HARError where error.code == .noMatchingEntry {
                throw JSONMockServer.MockErrors(.loadFailure, error)
            }
        }
    }
}
