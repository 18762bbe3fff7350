/// A clock that logs the requested durations without sleeping.
final class NotingClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        func duration(to other: Instant) -> Duration { other.offset - offset }

        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    private let log = Log<Duration>()

    /// The requested durations, in order.
    var waits: [Duration] { log.events }

    var now: Instant { Instant(offset: log.events.reduce(.zero, +)) }

    let minimumResolution = Duration.zero

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        log.append(now.duration(to: deadline))
    }
}
