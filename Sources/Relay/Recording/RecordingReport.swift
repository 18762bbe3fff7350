public import Foundation
public import HTTPArchive

/// What was recorded, and what could not be.
public struct RecordingReport: Sendable {
    /// The archive.
    public let archive: URL

    /// How many exchanges are in the archive that were not there before.
    public let recordedCount: Int

    /// How many entries of the archive they took the place of.
    public let replacedCount: Int

    /// Why exchanges were not recorded, or not in full; the first ten reasons.
    ///
    /// The requests themselves were answered all the same.
    public let failures: [HARError]
}
