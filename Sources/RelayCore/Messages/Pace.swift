import HTTPArchive

/// How fast a reply is delivered; at once by default.
public struct Pace: Hashable, Sendable {
    /// The time before the first byte.
    public var delay: Duration

    /// The time that the body takes from its first byte to its last one, at least.
    public var transfer: Duration

    /// The most bytes of the body in a second, at least 1; `nil` for no limit.
    public var bytesPerSecond: Int?

    /// Creates a pace.
    ///
    /// - Parameters:
    ///   - delay: The time before the first byte; none by default.
    ///   - transfer: The time that the body takes at least; none by default.
    ///   - bytesPerSecond: The most bytes of the body in a second; no limit by default.
    public init(delay: Duration = .zero, transfer: Duration = .zero, bytesPerSecond: Int? = nil) {
        self.delay = delay
        self.transfer = transfer
        self.bytesPerSecond = bytesPerSecond
    }
}

extension Pace {
    /// Whether everything is delivered at once.
    package var isImmediate: Bool { delay <= .zero && transfer <= .zero && bytesPerSecond == nil }

    /// The pace at which an exchange was recorded: all up to the answer's first byte before it, `receive` over the body.
    ///
    /// `ssl` is part of `connect` (http://www.softwareishard.com/blog/har-12-spec/#timings).
    ///
    /// - Parameters:
    ///   - timings: What was recorded; what is absent or negative took no time.
    ///   - scale: What each time is multiplied by, such as 0.5 for half of it.
    init(_ timings: HAR.Timings, scale: Double) {
        let before = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait]
        self.init(
            delay: Self.duration(before.reduce(0) { $0 + max(0, $1 ?? 0) }, scale: scale),
            transfer: Self.duration(max(0, timings.receive ?? 0), scale: scale))
    }

    private static func duration(_ milliseconds: Double, scale: Double) -> Duration {
        // A year is more than anybody waits for, and Duration ends the process for what it cannot hold.
        let seconds = milliseconds * scale / 1000
        return seconds > 0 ? .seconds(min(seconds, 31_536_000)) : .zero
    }

    /// The time that a body of a size takes.
    func transfer(of size: Int) -> Duration {
        guard let bytesPerSecond, size > 0 else { return size > 0 ? transfer : .zero }
        return max(transfer, .seconds(Double(size) / Double(max(1, bytesPerSecond))))
    }

    /// The pieces in which a body is delivered over its time, and the time before each.
    ///
    /// - Parameters:
    ///   - size: The number of bytes.
    ///   - isDivided: Whether the receiver takes pieces; else it gets all at the end of the time.
    /// - Returns: The places of the pieces, in order; none for an empty body.
    package func pieces(of size: Int, isDivided: Bool) -> [(wait: Duration, range: Range<Int>)] {
        guard size > 0 else { return [] }
        let time = transfer(of: size)
        guard isDivided, time > .zero else { return [(time, 0..<size)] }
        let count = min(size, Int(max(1, min(1000, (time / Self.interval).rounded(.up)))))
        return (0..<count).map { index in
            (time / count, size * index / count..<size * (index + 1) / count)
        }
    }

    /// The time between two pieces, where a body is not so long or so large that there would be too many.
    private static let interval = Duration.milliseconds(50)
}
