#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// Leads the requests of `URLSession.shared` to scopes where the classes that are registered are never asked.
    ///
    /// The shared session's configuration is live. While a scope needs it, the session has no cache, since with one it
    /// would make its protocol objects where no scope is visible. What is replaced is kept: requests from outside may
    /// be reading it at that moment.
    enum SharedSessionDetour {
        private struct Settings {
            let protocolClasses: [AnyClass]?
            let urlCache: URLCache?
        }

        private static let scopes = Mutex(0)
        private static let configuration = URLSession.shared.configuration
        private static let original = Settings(
            protocolClasses: configuration.protocolClasses, urlCache: configuration.urlCache)
        private static let changed = Settings(
            protocolClasses: [SharedSessionProtocol.self] + (original.protocolClasses ?? []), urlCache: nil)

        static func begin() {
            scopes.withLock { count in
                if count == 0 { apply(changed) }
                count += 1
            }
        }

        static func end() {
            scopes.withLock { count in
                count -= 1
                if count == 0 { apply(original) }
            }
        }

        private static func apply(_ settings: Settings) {
            configuration.protocolClasses = settings.protocolClasses
            configuration.urlCache = settings.urlCache
        }
    }

    /// Loads requests of the shared session, each for the scope that it was made in.
    final class SharedSessionProtocol: InterceptingProtocol {
        private let scoped: Interceptor?

        override var interceptor: Interceptor? { scoped }

        override class func canInit(with request: URLRequest) -> Bool {
            InterceptionScope.current?.coverage == .sharedSession && request.url?.isHTTP == true
        }

        required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
            scoped = InterceptionScope.current?.interceptor
            super.init(request: request, cachedResponse: cachedResponse, client: client)
        }
    }
#endif
