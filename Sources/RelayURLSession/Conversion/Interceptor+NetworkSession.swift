public import RelayCore

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Interceptor.Configuration {
    /// The session that sends requests to the network, or nil (the default) for a session with the original session's
    /// settings, in which every redirect is a separate exchange.
    ///
    /// It may belong to another interceptor. It follows redirects as usual, so a recording has the final response with
    /// the original request.
    public var networkSession: URLSession? {
        get { adapterValue as? URLSession }
        set { adapterValue = newValue }
    }
}
