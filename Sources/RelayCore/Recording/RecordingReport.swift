public import Foundation
public import HTTPArchive

/// The result of a recording.
public struct RecordingReport: Sendable {
    /// The URL of the archive.
    ///
    /// The scheme is `memory` for a recording in memory.
    public let archive: URL

    /// The number of exchanges added to the archive.
    public internal(set) var recordedCount = 0

    /// The number of entries that the recorded exchanges replaced.
    public internal(set) var replacedCount = 0

    /// The number of exchanges that were not recorded, by reason.
    public internal(set) var discardedCounts: [String: Int] = [:]

    /// The number of secrets in recorded entries that were replaced with placeholders.
    public internal(set) var placeholderCount = 0

    /// The reasons why exchanges were not recorded or were recorded only partially; at most ten.
    ///
    /// The responses of these exchanges were still delivered to their callers.
    public internal(set) var failures: [HARError] = []

    /// Creates an empty report.
    package init(archive: URL) { self.archive = archive }

    /// Whether no exchanges were recorded or discarded.
    package var isEmpty: Bool { recordedCount == 0 && discardedCounts.isEmpty }

    /// Adds the counts and failures of another recording of the same archive.
    package mutating func add(_ other: RecordingReport) {
        recordedCount += other.recordedCount
        replacedCount += other.replacedCount
        placeholderCount += other.placeholderCount
        discardedCounts.merge(other.discardedCounts, uniquingKeysWith: +)
        failures += other.failures
    }
}

extension RecordingReport: CustomStringConvertible {
    /// A line with the counts and the archive, such as `3 entries recorded (1 replaced, 2 placeholders): shop.har`,
    /// followed by a line for each failure.
    public var description: String {
        ([summary] + failures.map { "  \(MessageText.printable($0.description))" }).joined(separator: "\n")
    }

    /// The counts and the archive on a single line.
    package var summary: String {
        var details: [String] = []
        if replacedCount > 0 { details.append("\(replacedCount) replaced") }
        if placeholderCount > 0 {
            details.append("\(placeholderCount) \(placeholderCount == 1 ? "placeholder" : "placeholders")")
        }
        for (reason, count) in discardedCounts.sorted(by: { $0.key < $1.key }) {
            details.append("\(count) discarded: \(reason)")
        }
        let isUnchanged = recordedCount == 0 && replacedCount == 0
        let entries =
            isUnchanged
            ? "Archive not changed" : "\(recordedCount) \(recordedCount == 1 ? "entry" : "entries") recorded"
        let remark = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
        let path = archive.isFileURL ? archive.path : archive.absoluteString
        return MessageText.printable("\(entries)\(remark): \(path)")
    }
}
