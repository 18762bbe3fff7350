public import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The settings of an interceptor that only sessions use.
package struct AdapterSettings: Sendable {
    fileprivate var networkSession: URLSession?

    /// The order of the tasks in sessions that use this interceptor.
    ///
    /// If nil (the default), each task receives its response as soon as possible.
    package var taskOrder: TaskOrder?

    /// Called with each task of a ``taskOrder`` and the source of its response, once the source is known; nil by
    /// default.
    package var sourceHandler: (@Sendable (URLSessionTask, ObservedExchange.Source) -> Void)?
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
        get { adapterSettings.networkSession }
        set { adapterSettings.networkSession = newValue }
    }

    /// The settings that only sessions use.
    package var adapterSettings: AdapterSettings {
        get { adapterValue as? AdapterSettings ?? AdapterSettings() }
        set { adapterValue = newValue }
    }
}

/// The order in which the tasks of a session were resumed, for sessions that respond in this order.
///
/// A task waits until every earlier task has received its response or has been sent to the network. Tasks that do not
/// use the network therefore select their entries, and complete, in the order in which they were resumed.
package final class TaskOrder: Sendable {
    /// A task's turn.
    ///
    /// Deallocating this object ends the turn.
    final class Turn: Sendable {
        private let order: TaskOrder
        private let number: Int

        fileprivate init(_ number: Int, in order: TaskOrder) {
            self.number = number
            self.order = order
        }

        deinit { end() }

        /// Whether the turn has not ended.
        var isOpen: Bool { order.state.withLock { $0.turns.contains(number) } }

        /// Returns whether the task can begin now.
        ///
        /// Otherwise, calls a closure when all earlier turns have ended.
        ///
        /// - Parameter later: A closure that begins the task. It is not called if the result is `true`, or if this turn
        ///   ends first.
        /// - Returns: Whether no earlier turn is open.
        func begin(orLater later: @escaping @Sendable () -> Void) -> Bool {
            order.state.withLock { state in
                guard let index = state.turns.firstIndex(of: number), index > 0 else { return true }
                state.starts[number] = later
                return false
            }
        }

        /// Ends the turn.
        ///
        /// Later calls have no effect.
        func end() { order.end(number) }
    }

    private struct State {
        var last = 0

        /// The numbers of the open turns, in order.
        var turns: [Int] = []

        /// The closures that begin waiting tasks, keyed by turn number.
        var starts: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Creates an order without tasks.
    package init() {}

    /// Returns a new turn for a task that is being resumed.
    func makeTurn() -> Turn {
        let number = state.withLock { state in
            state.last += 1
            state.turns.append(state.last)
            return state.last
        }
        return Turn(number, in: self)
    }

    private func end(_ number: Int) {
        // The closure can hold the last reference to another turn, so it is released outside the lock.
        let (unused, next) = state.withLock { state -> ((@Sendable () -> Void)?, (@Sendable () -> Void)?) in
            guard let index = state.turns.firstIndex(of: number) else { return (nil, nil) }
            state.turns.remove(at: index)
            let unused = state.starts.removeValue(forKey: number)
            guard index == 0, let first = state.turns.first else { return (unused, nil) }
            return (unused, state.starts.removeValue(forKey: first))
        }
        _ = unused
        next?()
    }
}
