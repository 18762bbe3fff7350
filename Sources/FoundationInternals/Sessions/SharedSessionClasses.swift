#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// The protocol classes that `URLSession.shared` asks before the library's own.
    ///
    /// The shared session's configuration is live. What is replaced in it is kept: requests from outside may be reading it
    /// at that moment.
    package enum SharedSessionClasses {
        private struct State {
            /// The classes with how often they were inserted, in the order of their first insertion.
            var inserted: [(type: AnyClass, count: Int)] = []

            /// Every list that the configuration ever had, by the classes in front of the library's own.
            var lists: [[ObjectIdentifier]: [AnyClass]] = [:]
        }

        private static let state = Mutex(State())
        private static let configuration = URLSession.shared.configuration
        private static let original = configuration.protocolClasses ?? []

        /// Has the shared session ask a class before all others.
        ///
        /// - Parameter type: The class; one that is asked already keeps its place, and has to be removed once more.
        package static func insert(_ type: AnyClass) {
            state.withLock { state in
                if let place = state.inserted.firstIndex(where: { $0.type == type }) {
                    state.inserted[place].count += 1
                } else {
                    state.inserted.append((type, 1))
                    apply(&state)
                }
            }
        }

        /// Has the shared session ask a class no more, once it was removed as often as it was inserted.
        ///
        /// - Parameter type: The class; one that is not asked does not matter.
        package static func remove(_ type: AnyClass) {
            state.withLock { state in
                guard let place = state.inserted.firstIndex(where: { $0.type == type }) else { return }
                state.inserted[place].count -= 1
                guard state.inserted[place].count == 0 else { return }
                state.inserted.remove(at: place)
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
