import Foundation
import RelayCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A protocol class that loads requests from an interceptor.
///
/// Sessions for live requests exclude these classes.
protocol InterceptingClass: URLProtocol {}

/// The exemption of requests that an interceptor sends to the network, which scopes must not intercept again.
enum RequestExemption {
    /// Runs code that sends an interceptor's request to the network.
    static func send<Result>(during operation: () throws -> Result) rethrows -> Result {
        try ScopeExit.$current.withValue(.toNetwork, operation: operation)
    }

    /// Returns a copy of a request that no scope intercepts when it is sent in ``send(during:)``.
    static func exempt(_ request: URLRequest) -> URLRequest {
        #if canImport(FoundationNetworking)
            return request
        #else
            guard let marked = (request as NSURLRequest).mutableCopy() as? NSMutableURLRequest else { return request }
            URLProtocol.setProperty(true, forKey: key, in: marked)
            return marked as URLRequest
        #endif
    }

    #if !canImport(FoundationNetworking)
        private static let key = "Relay passes this request through"

        /// Returns whether the request was exempted.
        static func exempts(_ request: URLRequest) -> Bool { URLProtocol.property(forKey: key, in: request) != nil }
    #endif
}
