import RelayCore
import RelayURLSession
#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Says which requests are taken; several as an array take those that all of them take.
public protocol RequestFilter {
    /// Whether a request is taken; others go to the network.
    ///
    /// - Parameter request: The request.
    /// - Returns: Whether it is taken. It is asked on any thread, several times for one request.
    func shouldProcess(request: URLRequest) -> Bool
}

extension Array: RequestFilter where Element == any RequestFilter {
    /// Whether all filters take a request.
    public func shouldProcess(request: URLRequest) -> Bool { allSatisfy { $0.shouldProcess(request: request) } }
}
