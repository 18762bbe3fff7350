#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// Leads the requests of `URLSession.shared` to scopes where the classes that are registered are never asked.
    ///
    /// The shared session's configuration is live. What is replaced in it is kept: requests from outside may be reading it
    /// at that moment.
    enum SharedSessionDetour {
        private static let scopes = Mutex(0)
        private static let configuration = URLSession.shared.configuration
        private static let original = configuration.protocolClasses
        private static let changed = [ScopeProtocol.self] + (original ?? [])

        static func begin() {
            scopes.withLock { count in
                if count == 0 { configuration.protocolClasses = changed }
                count += 1
            }
        }

        static func end() {
            scopes.withLock { count in
                count -= 1
                if count == 0 { configuration.protocolClasses = original }
            }
        }
    }
#endif
