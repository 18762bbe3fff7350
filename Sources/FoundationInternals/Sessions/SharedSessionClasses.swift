#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// The protocol classes that `URLSession.shared` queries before FoundationNetworking's own classes.
    ///
    /// Changes to the configuration of the shared session take effect immediately. Replaced lists are never
    /// deallocated, because requests on other threads may still be reading them.
    package enum SharedSessionClasses {
        private struct State {
            /// The inserted classes and their numbers of insertions, in the order of the first insertion.
            var inserted: [(type: AnyClass, count: Int)] = []

            /// Every list that was ever set in the configuration, keyed by the inserted classes.
            var lists: [[ObjectIdentifier]: [AnyClass]] = [:]
        }

        private static let state = Mutex(State())
        private static let configuration = URLSession.shared.configuration
        private static let original = configuration.protocolClasses ?? []

        /// Makes the shared session query a class before all others.
        ///
        /// - Parameter type: The class. A class that was already inserted keeps its position. It must be removed once
        ///   for each insertion.
        /// - Returns: The missing capability, or nil on success.
        package static func insert(_ type: AnyClass) -> MissingCapability? {
            guard isLive else { return lose() }
            state.withLock { state in
                if let index = state.inserted.firstIndex(where: { $0.type == type }) {
                    state.inserted[index].count += 1
                } else {
                    state.inserted.append((type, 1))
                    apply(&state)
                }
            }
            return nil
        }

        /// Whether changes to the configuration affect the session.
        static let isLive =
            configuration === URLSession.shared.configuration && !Fault.fails(.sharedSession)

        /// Records that the capability is missing.
        @discardableResult
        static func lose() -> MissingCapability {
            CapabilityTable.lose(
                .sharedSession, because: "Changes to the configuration of `URLSession.shared` have no effect.")
        }

        /// Undoes one insertion of a class, and removes the class from the shared session when no insertions remain.
        ///
        /// - Parameter type: The class; ignored if it was not inserted.
        package static func remove(_ type: AnyClass) {
            state.withLock { state in
                guard let index = state.inserted.firstIndex(where: { $0.type == type }) else { return }
                state.inserted[index].count -= 1
                guard state.inserted[index].count == 0 else { return }
                state.inserted.remove(at: index)
                apply(&state)
            }
        }

        private static func apply(_ state: inout State) {
            let own = original
            let added = state.inserted.reversed().map(\.type)
            let list = state.lists[added.map { ObjectIdentifier($0) }, default: added + own]
            state.lists[added.map { ObjectIdentifier($0) }] = list
            configuration.protocolClasses = list
        }
    }
#endif
