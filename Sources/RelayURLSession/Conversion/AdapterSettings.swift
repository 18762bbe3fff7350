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
    /// The session that sends requests to the network, or nil (the default) for a session with the original session's
    /// settings, in which every redirect is a separate exchange.
    ///
    /// The session can belong to another interceptor. It follows redirects as usual, so a recorded entry has the
    /// original request and the final response.
    public var networkSession: URLSession? {
        get { settings.networkSession }
        set { settings.networkSession = newValue }
    }

    /// The order of the tasks in sessions that use this interceptor, or nil (the default) to respond to each task as
    /// soon as possible.
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
