import Foundation
import HTTPArchive
import Synchronization

/// Several archives in order of precedence: the first one with a matching entry answers a request.
package final class ArchiveLayers: Sendable {
    let players: [ArchivePlayer]
    let plan: MatchingPlan
    let redaction: RequestRedaction

    /// The redaction of requests in messages.
    let messages: MessageRedaction

    private let misses = Mutex(NotedMisses())

    /// Creates layers of archives.
    ///
    /// - Parameters:
    ///   - archives: The archives, in order of precedence.
    ///   - plan: How entries are matched.
    ///   - redaction: The definition of secrets in messages and redacted archives; nil if archives are not redacted.
    ///   - deliversMissingBodiesAsEmpty: Whether a missing body is replaced by an empty one.
    init(
        _ archives: [ReplaySource], plan: MatchingPlan, redaction: HARRedactor.Configuration?,
        deliversMissingBodiesAsEmpty: Bool
    ) {
        self.plan = plan
        self.redaction = RequestRedaction(redaction)
        let messages = MessageRedaction(redaction)
        self.messages = messages
        players = archives.map {
            ArchivePlayer(
                $0, plan: plan, deliversMissingBodiesAsEmpty: deliversMissingBodiesAsEmpty, messages: messages)
        }
    }

    var isEmpty: Bool { players.isEmpty }

    /// Whether any archive has an entry with this host.
    func knows(_ host: RequestHost) -> Bool { players.contains { $0.entries.knows(host) } }

    /// Returns the cached response to a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, or `nil` if ``answer(to:)`` must be called.
    func cachedResponse(to request: InterceptedRequest) -> CachedResponse? {
        if isEmpty { return nil }
        var asked = RequestLookup(request, plan: plan, redaction: redaction)
        for (position, player) in players.enumerated() {
            switch player.cachedResponse(to: &asked, isLast: position == players.count - 1) {
            case .response(let response): return response
            case .notAtHand: return nil
            case .noEntry: continue
            }
        }
        return nil
    }

    /// Returns the recorded response to a request, and marks its entry as used.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, or `nil` if no archive has a matching entry.
    func answer(to request: InterceptedRequest) -> ReplayedResponse? {
        if isEmpty { return nil }
        var asked = RequestLookup(request, plan: plan, redaction: redaction)
        for player in players {
            if let response = player.answer(to: &asked) { return response }
        }
        return nil
    }

    /// Returns the error for a request without a matching entry, and adds the request to the report.
    ///
    /// - Parameter request: The request.
    /// - Returns: An error with the code `noMatchingEntry`, the nearest entries and their differences.
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
        let url = messages.url(NormalizedURL(request.url))
        misses.withLock { $0.note(ReplayReport.MissedRequest(method: request.method, url: url, error: error)) }
        return error
    }

    /// The used entries and the missed requests so far.
    var report: ReplayReport {
        let misses = misses.withLock { $0 }
        return ReplayReport(archives: players.map(\.use), misses: misses.noted, missCount: misses.count)
    }
}

/// The first missed requests, and the number of all.
private struct NotedMisses {
    private static let limit = 1_000

    private(set) var noted: [ReplayReport.MissedRequest] = []
    private(set) var count = 0

    mutating func note(_ miss: ReplayReport.MissedRequest) {
        count += 1
        if noted.count < Self.limit { noted.append(miss) }
    }
}

/// The outcome of replaying an entry.
struct ReplayedResponse: Sendable {
    /// The name of the archive in messages.
    var archive: String

    /// The entry index.
    var entry: Int

    /// The identity of the entry, or `nil` if it cannot be read.
    var identity: EntryIdentity?

    /// The recorded timings, or `nil` if they are unknown.
    var timings: HAR.Timings?

    /// The response, or the error with which the request fails.
    var outcome: Result<InterceptedResponse, any Error>

    /// The error to deliver after a truncated response; `nil` for a complete response.
    var breakOff: URLError?

    /// Whether the response ends the chain of redirects, even if its status is a redirect.
    var isLast = false
}
