import Foundation

/// What tells a file that was changed from one that was not, without a look at what it holds.
struct ArchiveStamp: Hashable {
    /// The size in bytes.
    var size: Int

    /// The time of the last change, since 1970.
    var seconds: Int64
    var nanoseconds: UInt32

    /// For how long a file must have been left alone until its time can be trusted to tell the next change.
    ///
    /// File systems count time in steps of up to two seconds: of two changes within one, the second one does not show.
    static let settlingTime: TimeInterval = 2

    /// Whether the time would tell a change that is made at `now` or later.
    ///
    /// A time that is far ahead, by another computer's clock, is as good as one that is long ago.
    func isSettled(at now: Date) -> Bool {
        let time = Double(seconds) + Double(nanoseconds) / 1e9
        return abs(now.timeIntervalSince1970 - time) >= Self.settlingTime
    }
}

extension InputFile {
    /// How much is looked at for a fingerprint at each end, and at each place between them.
    private static let endSize = 1 << 16
    private static let sampleSize = 1 << 12
    private static let sampleCount = 32

    /// A hash of both ends of the file and of samples between them; of all that it holds, up to 256 KiB.
    ///
    /// - Parameter size: The size of the file.
    /// - Returns: The fingerprint.
    /// - Throws: `unreadableFile`.
    func fingerprint(size: Int) throws(HARError) -> UInt64 {
        var parts = [0..<size]
        if size > 2 * Self.endSize + Self.sampleCount * Self.sampleSize {
            let step = (size - Self.sampleSize) / (Self.sampleCount + 1)
            let samples = (1...Self.sampleCount).map { step * $0..<step * $0 + Self.sampleSize }
            parts = [0..<Self.endSize] + samples + [size - Self.endSize..<size]
        }
        var hash = ContentHash()
        for part in parts { try bytes(in: part).withUnsafeBytes { hash.add($0) } }
        return hash.value
    }
}
