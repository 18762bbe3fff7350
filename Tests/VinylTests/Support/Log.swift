import Synchronization

/// What happened, from whatever thread, in order.
final class Log<Event: Sendable>: Sendable {
    private let stored = Mutex<[Event]>([])

    var events: [Event] { stored.withLock { $0 } }

    func append(_ event: Event) { stored.withLock { $0.append(event) } }
}
