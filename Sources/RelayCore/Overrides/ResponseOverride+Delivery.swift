public import Foundation
import HTTPArchive

extension ResponseOverride {
    /// Returns an override that adds a delay before the first byte.
    ///
    /// - Parameter delay: The delay, which is added to existing delays.
    /// - Returns: The override.
    public static func delay(_ delay: Duration) -> ResponseOverride {
        ResponseOverride(ofDelivery: { $0.pace.delay += delay })
    }

    /// Returns an override that delivers a response with its recorded timings.
    ///
    /// The first byte is delayed by the recorded time to first byte. If the archive contains the times of the body's
    /// chunks, such as the events of an event stream, each chunk is delivered at its time. Otherwise, the body takes
    /// the recorded `receive` time. Only responses from archives are delayed.
    ///
    /// - Parameter scale: The factor to multiply all times by; 1 by default.
    /// - Returns: The override.
    public static func recordedTimings(scaledBy scale: Double = 1) -> ResponseOverride {
        ResponseOverride(ofDelivery: { reply in
            guard let entry = reply.recorded else { return }
            let recorded = Pace(entry.timings, scale: scale)
            reply.pace.delay += recorded.delay
            reply.pace.transfer = max(reply.pace.transfer, recorded.transfer)
            let start = recorded.delay / .milliseconds(1)
            reply.pace.recordedChunks = entry.bodyChunks.map { chunk in
                BodyChunk(time: max(0, chunk.time * scale - start), size: chunk.size)
            }
        })
    }

    /// Returns an override that limits the transfer rate of the body.
    ///
    /// - Parameter bytesPerSecond: The maximum number of bytes per second, at least 1.
    /// - Returns: The override.
    public static func bandwidth(bytesPerSecond: Int) -> ResponseOverride {
        ResponseOverride(ofDelivery: { reply in
            reply.pace.bytesPerSecond = min(reply.pace.bytesPerSecond ?? .max, max(1, bytesPerSecond))
        })
    }

    /// Returns an override that replaces the response with a network error.
    ///
    /// - Parameter code: The code, such as `.timedOut`, `.notConnectedToInternet`, `.networkConnectionLost` or
    ///   `.secureConnectionFailed`.
    /// - Returns: The override.
    public static func failure(_ code: URLError.Code) -> ResponseOverride { error(URLError(byRule: code)) }

    /// Returns an override that replaces the response with an error.
    ///
    /// - Parameter error: The error that the request fails with.
    /// - Returns: The override.
    public static func error(_ error: any Error) -> ResponseOverride {
        ResponseOverride(ofDelivery: { $0.result = .failure(error) })
    }

    /// Returns an override that drops the connection during delivery of the body.
    ///
    /// Delegates receive the bytes up to that point. All callers receive `URLError.networkConnectionLost`.
    ///
    /// - Parameter count: The number of body bytes to deliver.
    /// - Returns: The override.
    public static func cutOff(afterBytes count: Int) -> ResponseOverride {
        ResponseOverride(ofDelivery: { $0.cutOff = max(0, count) })
    }
}

/// A SplitMix64 random number generator for one event in a series (https://prng.di.unimi.it/splitmix64.c).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates the generator for an event from the seed of the series and the number of the event.
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
