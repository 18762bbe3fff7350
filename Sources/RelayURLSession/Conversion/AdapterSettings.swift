public import RelayCore

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The settings of an interceptor that only this module uses.
private struct AdapterSettings: Sendable {
    var networkSession: URLSession?
    var taskOrder: TaskOrder?
    var sourceHandler: (@Sendable (URLSessionTask, ObservedExchange.Source) -> Void)?
}

extension Interceptor.Configuration {
    /// The session that sends requests to the network.
    ///
    /// If nil (the default), a session with the original session's settings sends them, and each redirect is a separate
    /// exchange.
    ///
    /// A custom session can belong to another interceptor. It follows redirects as usual, so a recorded entry has the
    /// original request and the final response.
    public var networkSession: URLSession? {
        get { settings.networkSession }
        set { settings.networkSession = newValue }
    }

    /// The order of the tasks in sessions that use this interceptor.
    ///
    /// If nil (the default), each task receives its response as soon as possible.
    package var taskOrder: TaskOrder? {
        get { settings.taskOrder }
        set { settings.taskOrder = newValue }
    }

    /// Called with each task of a ``taskOrder`` and the source of its response, once the source is known; nil by
    /// default.
    package var sourceHandler: (@Sendable (URLSessionTask, ObservedExchange.Source) -> Void)? {
        get { settings.sourceHandler }
        set { settings.sourceHandler = newValue }
    }

    private var settings: AdapterSettings {
        get { adapterValue as? AdapterSettings ?? AdapterSettings() }
        set { adapterValue = newValue }
    }
}
