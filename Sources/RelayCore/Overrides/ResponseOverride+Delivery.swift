public import Foundation

extension ResponseOverride {
    /// A time before the first byte, besides what there is already.
    ///
    /// - Parameter delay: The time.
    /// - Returns: The override.
    public static func delay(_ delay: Duration) -> ResponseOverride {
        ResponseOverride(.now { _, reply in reply.pace.delay += delay })
    }

    /// The time that was recorded: up to the answer's first byte before it, and `receive` over the body.
    ///
    /// Replies that are none of an archive are not delayed.
    ///
    /// - Parameter scale: What each time is multiplied by; 1 by default.
    /// - Returns: The override.
    public static func recordedTimings(scaledBy scale: Double = 1) -> ResponseOverride {
        ResponseOverride(
            .now { _, reply in
                guard let recorded = reply.timings.map({ Pace($0, scale: scale) }) else { return }
                reply.pace.delay += recorded.delay
                reply.pace.transfer = max(reply.pace.transfer, recorded.transfer)
            })
    }

    /// A limit for the speed of the body.
    ///
    /// - Parameter bytesPerSecond: The most bytes in a second, at least 1.
    /// - Returns: The override.
    public static func bandwidth(bytesPerSecond: Int) -> ResponseOverride {
        ResponseOverride(
            .now { _, reply in
                reply.pace.bytesPerSecond = min(reply.pace.bytesPerSecond ?? .max, max(1, bytesPerSecond))
            })
    }

    /// An error in place of the response, as the network gives it.
    ///
    /// - Parameter code: The code, such as `.timedOut`, `.notConnectedToInternet`, `.networkConnectionLost` or
    ///   `.secureConnectionFailed`.
    /// - Returns: The override.
    public static func failure(_ code: URLError.Code) -> ResponseOverride { error(URLError(byRule: code)) }

    /// An error in place of the response.
    ///
    /// - Parameter error: What the request's caller gets.
    /// - Returns: The override.
    public static func error(_ error: any Error) -> ResponseOverride {
        ResponseOverride(.now { _, reply in reply.result = .failure(error) })
    }

    /// The connection is lost within the body.
    ///
    /// A delegate gets the bytes before that; every caller gets `URLError.networkConnectionLost`.
    ///
    /// - Parameter count: The number of bytes of the body that arrive.
    /// - Returns: The override.
    public static func cutOff(afterBytes count: Int) -> ResponseOverride {
        ResponseOverride(.now { _, reply in reply.cutOff = max(0, count) })
    }
}

/// Random numbers that follow from a seed and from which in a series they are: SplitMix64
/// (https://prng.di.unimi.it/splitmix64.c).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// The generator of one event in a series.
    init(seed: UInt64, number: Int) {
        state = seed
        state = next() &+ UInt64(truncatingIfNeeded: number) &* Self.step
    }

    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state &+= Self.step
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
