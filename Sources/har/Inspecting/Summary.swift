import Foundation
import HTTPArchive

/// A summary of an archive.
struct Summary {
    /// The folder with the archive's body files.
    let folder: HAR.BodyFolder

    private(set) var count = 0
    private(set) var hosts = Tally()
    private(set) var methods = Tally()
    private(set) var statuses = Tally()
    private(set) var types = Tally()

    /// The total size of all response bodies in bytes, without content codings.
    private(set) var bodyBytes = 0

    /// The total size of all response bodies as received, in bytes, or `nil` if no entry has this size.
    private(set) var receivedBytes: Int?

    /// The start times of the first and the last request, or `nil` if no entry has a start time.
    private(set) var started: ClosedRange<Date>?

    /// The end time of the last response, or `nil` if no entry has a start time.
    private(set) var ended: Date?

    /// The number of entries that were read, which is smaller than ``count`` if only some of them were.
    private(set) var readCount = 0

    /// The number of entries that replay as a failure, by failure text.
    private(set) var failures = Tally()

    /// The number of entries that cannot be replayed, by reason.
    private(set) var notReplayable = Tally()

    /// The error that stopped reading, or `nil` if all entries were counted.
    var error: HARError?

    /// Adds an entry.
    mutating func add(_ entry: HAR.Entry) {
        add(HAREntryFacts(of: entry))
        if let received = entry.response.bodySize { receivedBytes = (receivedBytes ?? 0) &+ received }
        addReplayability(of: entry)
    }

    /// Adds the facts about an entry that are in the archive index.
    mutating func add(_ facts: HAREntryFacts) {
        count += 1
        // An entry that cannot be read is counted without its size and type.
        let size = (try? facts.decodedBodySize) ?? 0
        hosts.add(facts.host ?? "(none)", bytes: size)
        methods.add(facts.method.isEmpty ? "(none)" : facts.method)
        statuses.add(String(facts.status))
        types.add((try? facts.mediaType)?.essence ?? "(unknown)", bytes: size)
        bodyBytes &+= size
        addTime(of: facts)
    }

    /// Adds the result of replaying an entry.
    mutating func addReplayability(of entry: HAR.Entry) {
        readCount += 1
        switch Replayability(of: entry, folder: folder) {
        case .response: break
        case .failure(let text): failures.add(text)
        case .notReplayable(let reason): notReplayable.add(reason)
        }
    }

    private mutating func addTime(of entry: HAREntryFacts) {
        guard let start = entry.startedDate else { return }
        let end = start.addingTimeInterval((entry.time ?? 0) / 1000)
        started = started.map { min($0.lowerBound, start)...max($0.upperBound, start) } ?? start...start
        ended = ended.map { max($0, end) } ?? end
    }

    /// The number of read entries that replay as a response.
    var replayable: Int { readCount - failures.total - notReplayable.total }

    /// Whether all entries were read.
    var isComplete: Bool { readCount == count }

    /// The time from the first request to the last response, in seconds.
    var span: TimeInterval? {
        guard let started, let ended else { return nil }
        return ended.timeIntervalSince(started.lowerBound)
    }
}
