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
