#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// The protocol classes that `URLSession.shared` asks before the library's own.
    ///
    /// The configuration of the shared session is live. Replaced lists are kept, because requests on other threads may
    /// still be reading them.
    enum SharedSessionClasses {
        private struct State {
            /// The classes and the number of their insertions, in the order of the first insertion.
            var inserted: [(type: AnyClass, count: Int)] = []

            /// Every list that the configuration has had, by the classes before the library's own.
            var lists: [[ObjectIdentifier]: [AnyClass]] = [:]
        }

        private static let state = Mutex(State())
        private static let configuration = URLSession.shared.configuration
        private static let original = configuration.protocolClasses ?? []

        /// Makes the shared session ask a class before all others.
        ///
        /// - Parameter type: The class. A class that was already inserted keeps its position and must be removed once
        ///   more.
        /// - Returns: The missing capability, or nil if the session asks the class.
        static func insert(_ type: AnyClass) -> MissingCapability? {
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

        /// Whether a change of the configuration changes the session.
        static let isLive =
            configuration === URLSession.shared.configuration && !Fault.fails(.sharedSession)

        /// Records that the capability is missing.
        @discardableResult
        static func lose() -> MissingCapability {
            CapabilityTable.lose(
                .sharedSession, because: "The configuration of `URLSession.shared` is a copy, which cannot be changed.")
        }

        /// Removes a class from the shared session, if it was removed as often as it was inserted.
        ///
        /// - Parameter type: The class; ignored if it was not inserted.
        static func remove(_ type: AnyClass) {
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
