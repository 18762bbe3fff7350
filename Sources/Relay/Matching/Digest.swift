import Foundation

/// What stands for a part of a request where parts are only compared: 128 bits, of this process alone.
struct Digest: Hashable, Comparable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// What stands for a part that is not known; it is none of a request that was asked.
    static let unknown = Digest(high: 0, low: 0)

    /// The digest of a value, by what the value takes for equal.
    init(_ value: some Hashable) {
        var maker = DigestMaker()
        maker.add(value)
        self = maker.digest
    }

    fileprivate init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    static func < (first: Self, second: Self) -> Bool { (first.high, first.low) < (second.high, second.low) }
}

/// Makes a digest of pieces, which are told apart wherever they end.
struct DigestMaker {
    private var high = Hasher()
    private var low = Hasher()

    init() {
        // Both have the seed of the process; what comes first makes them differ.
        low.combine("low")
    }

    mutating func add(_ bytes: Data) {
        add(bytes.count)
        bytes.withUnsafeBytes { high.combine(bytes: $0) }
        bytes.withUnsafeBytes { low.combine(bytes: $0) }
    }

    mutating func add(_ value: some Hashable) {
        high.combine(value)
        low.combine(value)
    }

    var digest: Digest {
        Digest(high: UInt64(bitPattern: Int64(high.finalize())), low: UInt64(bitPattern: Int64(low.finalize())))
    }
}
