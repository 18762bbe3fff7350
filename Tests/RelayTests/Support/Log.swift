import Synchronization

/// A thread-safe list of events.
final class Log<Event: Sendable>: Sendable {
    private let stored = Mutex<[Event]>([])

    var events: [Event] { stored.withLock { $0 } }

    func append(_ event: Event) { stored.withLock { $0.append(event) } }
}
