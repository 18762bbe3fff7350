import RelayCore
import RelayURLSession
#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A filter that selects requests.
///
/// An array accepts the requests that all of its filters accept.
public protocol RequestFilter {
    /// Whether a request is processed; other requests are sent to the network.
    ///
    /// - Parameter request: The request.
    /// - Returns: `true` to process the request. The method is called on any thread, several times per request.
    func shouldProcess(request: URLRequest) -> Bool
}

extension Array: RequestFilter where Element == any RequestFilter {
    /// Whether all filters accept a request.
    public func shouldProcess(request: URLRequest) -> Bool { allSatisfy { $0.shouldProcess(request: request) } }
}
