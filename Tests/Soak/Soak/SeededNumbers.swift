/// A random generator that returns the same numbers for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    /// Creates the generator for one request.
    ///
    /// - Parameters:
    ///   - seed: The seed of the run.
    ///   - number: The number of the request.
    init(seed: UInt64, number: Int) {
        state = seed &* 0xD134_2543_DE82_EF95 &+ UInt64(number) &* 0xA076_1D64_78BD_642F
        _ = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns `true` with the given probability.
    mutating func happens(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
}
