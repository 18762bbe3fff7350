public import Relay

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Innernet {
    /// Takes the requests of the sessions that ask it.
    ///
    /// ```swift
    /// configuration.protocolClasses = [Innernet.InterceptProtocol.self]
    /// URLProtocol.registerClass(Innernet.InterceptProtocol.self)  // for URLSession.shared
    /// ```
    public class InterceptProtocol: InterceptingProtocol {
        /// Whether the request is one of HTTP; a URL without a scheme counts as one.
        public override class func canInit(with request: URLRequest) -> Bool {
            guard let url = request.url else { return false }
            return ["http", "https", nil].contains(url.scheme?.lowercased())
        }

        /// What answers by the intercepts.
        public override var interceptor: Interceptor? { Innernet.interceptor }
    }
}

/// Takes the requests of the shared session, but for those that an interceptor takes where they are started.
final class SharedInterceptProtocol: Innernet.InterceptProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        Interceptor.current == nil && super.canInit(with: request)
    }
}
