import Foundation
package import HTTPArchive
import Synchronization

/// Several archives in order of precedence: a request gets the answer of the first that has one.
package final class ArchiveLayers: Sendable {
    let players: [ArchivePlayer]
    let plan: MatchingPlan
    let redaction: RequestRedaction

    /// What shows requests in messages.
    let messages: MessageRedaction

    private let misses = Mutex(NotedMisses())

    /// Creates layers of archives.
    ///
    /// - Parameters:
    ///   - archives: The archives, in order of precedence.
    ///   - plan: How entries are matched.
    ///   - redaction: The secrets of messages and of redacted archives, or nil for an archive that was not redacted.
    ///   - deliversMissingBodiesAsEmpty: Whether a missing body is delivered as an empty one.
    init(
        _ archives: [ReplaySource], plan: MatchingPlan, redaction: HARRedactor.Configuration?,
        deliversMissingBodiesAsEmpty: Bool
    ) {
        self.plan = plan
        self.redaction = RequestRedaction(redaction)
        messages = MessageRedaction(redaction)
        players = archives.map {
            ArchivePlayer($0, plan: plan, deliversMissingBodiesAsEmpty: deliversMissingBodiesAsEmpty)
        }
    }

    /// Whether there is no archive.
    var isEmpty: Bool { players.isEmpty }

    /// Whether an archive has an entry of a host.
    func knows(_ host: RequestHost) -> Bool { players.contains { $0.entries.knows(host) } }

    /// The response to a request, when that is one that was given before and is kept.
    ///
    /// - Parameter request: The request.
    /// - Returns: `nil` when ``answer(to:)`` is to be asked.
    func cachedResponse(to request: InterceptedRequest) -> CachedResponse? {
        if isEmpty { return nil }
        var asked = RequestLookup(request, plan: plan, redaction: redaction)
        for (place, player) in players.enumerated() {
            switch player.cachedResponse(to: &asked, isLast: place == players.count - 1) {
            case .response(let response): return response
            case .notAtHand: return nil
            case .noEntry: continue
            }
        }
        return nil
    }

    /// Answers a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: `nil` when no archive answers.
    func answer(to request: InterceptedRequest) -> ReplayedResponse? {
        if isEmpty { return nil }
        var asked = RequestLookup(request, plan: plan, redaction: redaction)
        for player in players {
            if let answer = player.answer(to: &asked) { return answer }
        }
        return nil
    }

    /// Says that no archive answers a request, and notes it for the report.
    ///
    /// - Parameter request: The request.
    /// - Returns: An error of the code `noMatchingEntry`, with the nearest entries and what differs.
    /// - Complexity: O(*n*) in the number of entries.
    package func miss(for request: InterceptedRequest) -> RelayError {
        var asked = RequestLookup(request, plan: plan, redaction: redaction)
        let archives = players.map { player in
            Miss.Archive(entries: player.entries, usedUp: player.usedUpEntry(for: &asked))
        }
        let error = Miss(
            request: ComparedRequest(request), redacted: asked.inRedactedArchives()?.compared, archives: archives,
            plan: plan, messages: messages
        ).error
        let url = messages.shown(url: MessageText.url(NormalizedURL(request.url)))
        misses.withLock { $0.note(ReplayReport.MissedRequest(method: request.method, url: url, error: error)) }
        return error
    }

    /// What was used and what was missed until now.
    var report: ReplayReport {
        let misses = misses.withLock { $0 }
        return ReplayReport(archives: players.map(\.use), misses: misses.noted, missCount: misses.count)
    }
}

/// The first misses, and how many there were.
private struct NotedMisses {
    private static let limit = 1_000

    private(set) var noted: [ReplayReport.MissedRequest] = []
    private(set) var count = 0

    mutating func note(_ miss: ReplayReport.MissedRequest) {
        count += 1
        if noted.count < Self.limit { noted.append(miss) }
    }
}

/// What an entry gives in answer to a request.
struct ReplayedResponse: Sendable {
    /// What messages call the archive.
    var archive: String

    /// The entry, counted from 0.
    var entry: Int

    /// What tells the entry from others; `nil` when it cannot be read.
    var identity: EntryIdentity?

    /// How long the recorded exchange took; `nil` where nothing of it is known.
    var timings: HAR.Timings?

    /// The response, or the error that the request gets.
    var outcome: Result<InterceptedResponse, any Error>

    /// What the request ends with after the response, which broke off; `nil` for one that is whole.
    var breakOff: URLError?

    /// Whether the response is the last one, though its status may be that of a redirect.
    var isLast = false
}
