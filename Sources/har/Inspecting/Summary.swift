import Foundation
import HTTPArchive

/// What an archive holds, counted entry by entry.
struct Summary {
    private let folder: HAR.BodyFolder

    private(set) var count = 0
    private(set) var hosts = Tally()
    private(set) var methods = Tally()
    private(set) var statuses = Tally()
    private(set) var types = Tally()

    /// The bytes of all bodies without content codings.
    private(set) var bodyBytes = 0

    /// The bytes of the bodies as they were received, of the entries that say it; `nil` when none does.
    private(set) var receivedBytes: Int?

    /// When the first and the last request began.
    private(set) var started: ClosedRange<Date>?

    /// When the last answer was there.
    private(set) var ended: Date?

    /// The entries whose failure is replayed, by the text of the failure.
    private(set) var failures = Tally()

    /// The entries that cannot be replayed, by reason.
    private(set) var notReplayable = Tally()

    /// The error that ended the reading; `nil` where all entries were counted.
    var error: HARError?

    /// Begins to count.
    ///
    /// - Parameter folder: Where bodies in files of their own are.
    init(folder: HAR.BodyFolder) {
        self.folder = folder
    }

    /// Counts an entry.
    mutating func add(_ entry: HAR.Entry) {
        count += 1
        let size = entry.responseSize ?? 0
        hosts.add(entry.host ?? "(none)", bytes: size)
        methods.add(entry.request.method.isEmpty ? "(none)" : entry.request.method)
        statuses.add(String(entry.response.status))
        types.add(entry.mediaType ?? "(unknown)", bytes: size)
        bodyBytes &+= size
        if let received = entry.response.bodySize { receivedBytes = (receivedBytes ?? 0) &+ received }
        addTime(of: entry)
        switch Replayability(of: entry, folder: folder) {
        case .answer: break
        case .failure(let text): failures.add(text)
        case .impossible(let reason): notReplayable.add(reason)
        }
    }

    private mutating func addTime(of entry: HAR.Entry) {
        guard let start = entry.startedDate else { return }
        let end = start.addingTimeInterval((entry.time ?? 0) / 1000)
        started = started.map { min($0.lowerBound, start)...max($0.upperBound, start) } ?? start...start
        ended = ended.map { max($0, end) } ?? end
    }

    /// The number of entries that are answered.
    var replayable: Int { count - failures.total - notReplayable.total }

    /// The seconds from the first request to the last answer.
    var span: TimeInterval? {
        guard let started, let ended else { return nil }
        return ended.timeIntervalSince(started.lowerBound)
    }
}
