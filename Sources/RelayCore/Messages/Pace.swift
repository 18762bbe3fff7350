import HTTPArchive

/// The speed of delivery of a response; immediate by default.
public struct Pace: Hashable, Sendable {
    /// The time before the first byte.
    public var delay: Duration

    /// The minimum time from the first byte of the body to the last one.
    public var transfer: Duration

    /// The maximum number of body bytes per second, at least 1; `nil` for no limit.
    public var bytesPerSecond: Int?

    /// Creates a pace.
    ///
    /// - Parameters:
    ///   - delay: The time before the first byte; none by default.
    ///   - transfer: The minimum transfer time of the body; none by default.
    ///   - bytesPerSecond: The maximum number of body bytes per second; no limit by default.
    public init(delay: Duration = .zero, transfer: Duration = .zero, bytesPerSecond: Int? = nil) {
        self.delay = delay
        self.transfer = transfer
        self.bytesPerSecond = bytesPerSecond
    }
}

extension Pace {
    /// Whether the response is delivered immediately.
    package var isImmediate: Bool { delay <= .zero && transfer <= .zero && bytesPerSecond == nil }

    /// Creates the pace at which an exchange was recorded: all phases before the first byte of the response as the
    /// delay, and `receive` as the transfer time of the body.
    ///
    /// `ssl` is part of `connect` (http://www.softwareishard.com/blog/har-12-spec/#timings).
    ///
    /// - Parameters:
    ///   - timings: The recorded timings; missing and negative times count as zero.
    ///   - scale: A factor for all times, such as 0.5 to halve them.
    init(_ timings: HAR.Timings, scale: Double) {
        let before = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait]
        self.init(
            delay: Self.duration(before.reduce(0) { $0 + max(0, $1 ?? 0) }, scale: scale),
            transfer: Self.duration(max(0, timings.receive ?? 0), scale: scale))
    }

    private static func duration(_ milliseconds: Double, scale: Double) -> Duration {
        // The limit of one year avoids a trap: Duration cannot represent arbitrarily large values.
        let seconds = milliseconds * scale / 1000
        return seconds > 0 ? .seconds(min(seconds, 31_536_000)) : .zero
    }

    /// Returns the transfer time of a body with the given size in bytes.
    func transfer(of size: Int) -> Duration {
        guard let bytesPerSecond, size > 0 else { return size > 0 ? transfer : .zero }
        return max(transfer, .seconds(Double(size) / Double(max(1, bytesPerSecond))))
    }

    /// Returns the chunks in which a body is delivered, and the delay before each chunk.
    ///
    /// - Parameter size: The number of bytes.
    /// - Returns: The byte ranges of the chunks, in order; empty for an empty body.
    package func chunks(of size: Int) -> [(wait: Duration, range: Range<Int>)] {
        guard size > 0 else { return [] }
        let time = transfer(of: size)
        guard time > .zero else { return [(time, 0..<size)] }
        let count = min(size, Int(max(1, min(1000, (time / Self.interval).rounded(.up)))))
        return (0..<count).map { index in
            (time / count, size * index / count..<size * (index + 1) / count)
        }
    }

    /// The delay between two chunks, unless the body is so slow or large that it would need more than 1000 chunks.
    private static let interval = Duration.milliseconds(50)
}
