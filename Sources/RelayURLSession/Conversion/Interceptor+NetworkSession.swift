public import RelayCore

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension Interceptor.Configuration {
    /// The session in which requests go to the network; `nil`, the default, for one with the settings of the session
    /// that asks, in which every redirect is an exchange of its own.
    ///
    /// It may be the session of another interceptor. It follows redirects as it does for everyone; a recording then has
    /// the last answer, under the request that was asked.
    public var networkSession: URLSession? {
        get { adapterValue as? URLSession }
        set { adapterValue = newValue }
    }
}
