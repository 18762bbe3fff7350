import HTTPArchive
import Synchronization

/// A list of archives in order of precedence.
///
/// The first archive with a matching entry answers a request.
package final class ArchiveLayers: Sendable {
    let players: [ArchivePlayer]
    let plan: MatchingPlan
    let redaction: RequestRedaction

    /// The redaction applied to requests in messages.
    let messages: MessageRedaction

    /// The advice to include in error messages for misses.
    let advice: MissAdvice

    /// The first misses, up to a limit, and the total number of misses.
    private let misses = Mutex((noted: [ReplayReport.MissedRequest](), count: 0))

    /// The maximum number of misses in the report.
    private static let missLimit = 1_000

    /// Creates a player for each archive.
    ///
    /// - Parameters:
    ///   - archives: The archives, in order of precedence.
    ///   - plan: The rules for matching entries.
    ///   - redaction: The redaction settings for messages and archives, or nil if archives are not redacted.
    ///   - deliversMissingBodiesAsEmpty: Whether a missing body is replaced with an empty one.
    ///   - movedDates: The dates in responses that are moved by the time since the recording.
    ///   - advice: The advice to include in error messages for misses.
    init(
        _ archives: [ReplaySource], plan: MatchingPlan, redaction: HARRedactor.Configuration?,
        deliversMissingBodiesAsEmpty: Bool, movedDates: MovedDates, advice: MissAdvice
    ) {
        self.plan = plan
        self.advice = advice
        self.redaction = RequestRedaction(redaction)
        let messages = MessageRedaction(redaction)
        self.messages = messages
        players = archives.map {
            ArchivePlayer(
                $0, plan: plan, deliversMissingBodiesAsEmpty: deliversMissingBodiesAsEmpty, movedDates: movedDates,
                messages: messages)
        }
    }

    var isEmpty: Bool { players.isEmpty }

    /// Whether any archive has an entry with this host.
    func knows(_ host: RequestHost) -> Bool { players.contains { $0.entries.knows(host) } }

    /// Starts a search for an entry that matches a request.
    func search(for request: InterceptedRequest) -> ReplaySearch {
        ReplaySearch(of: RequestLookup(request, plan: plan, redaction: redaction), in: players)
    }

    /// Returns the error for a request without a matching entry, and adds the miss to the report.
    package func miss(for request: InterceptedRequest) -> RelayError { miss(after: search(for: request)) }

    /// Returns the error for a request without a matching entry, and adds the miss to the report.
    ///
    /// - Parameters:
    ///   - search: The search that found no entry.
    ///   - rules: The rules that are most similar to the request; none by default.
    ///   - isBrief: Whether the message does not list the nearest entries; `false` by default.
    /// - Returns: An error with the code `noMatchingEntry`, whose message lists the nearest rules and entries and
    ///   their differences.
    /// - Complexity: O(*n*) in the number of entries.
    func miss(after search: ReplaySearch, rules: [SimilarRule] = [], isBrief: Bool = false) -> RelayError {
        var requested = search.lookup
        let error = missError(for: &requested, rules: rules, isBrief: isBrief)
        let request = requested.request
        let url = messages.url(NormalizedURL(request.url))
        misses.withLock { misses in
            misses.count += 1
            guard misses.count <= Self.missLimit else { return }
            misses.noted.append(ReplayReport.MissedRequest(method: request.method, url: url, error: error))
        }
        return error
    }

    /// A report of the used entries and the misses so far.
    var report: ReplayReport {
        let misses = misses.withLock { $0 }
        return ReplayReport(
            archives: players.map(\.use), misses: misses.noted, missCount: misses.count,
            changedBodies: players.flatMap { $0.bodies.changes(from: $0.entries, in: self) })
    }
}

/// A search for an entry that matches a request.
///
/// Archives are searched in order of precedence.
///
/// The search stops at the first archive in which it would have to read more than is allowed. The next call resumes
/// at that archive, so earlier archives are not searched again.
struct ReplaySearch: Sendable {
    /// The request.
    private(set) var lookup: RequestLookup

    private var players: ArraySlice<ArchivePlayer>

    init(of lookup: RequestLookup, in players: [ArchivePlayer]) {
        self.lookup = lookup
        self.players = players[...]
    }

    /// Selects the next entry and marks it as used.
    ///
    /// - Parameter limit: The size of the entries that may be read and sorted, in bytes; 0 to read nothing.
    /// - Returns: The entry, or `nil` if no archive has a matching entry.
    /// - Throws: ``KeyedEntries/NotAtHand`` if larger entries must be read or sorted.
    mutating func select(reading limit: Int) throws(KeyedEntries.NotAtHand) -> SelectedEntry? {
        while let player = players.first {
            if let selected = try player.select(for: &lookup, reading: limit) { return selected }
            players.removeFirst()
        }
        return nil
    }
}

/// An entry that was selected for a request and marked as used.
struct SelectedEntry: Sendable {
    /// The player of the entry's archive.
    let player: ArchivePlayer

    /// The entry index.
    let number: Int

    let lookup: RequestLookup

    /// The response that was cached when the entry was selected, or `nil` if the response must be read.
    let cached: Reply?

    /// The response that is cached now, or `nil` if the response must be read.
    var nowCached: Reply? { player.cached(number, for: lookup) }

    /// The size of the entry, in bytes.
    var byteCount: Int { player.entries.byteCount(of: number) }

    /// Reads the response.
    ///
    /// - Parameter isInParts: Whether a large body remains in its file.
    /// - Returns: The response or the error that the request fails with, and the identity of the entry. The identity is
    ///   `nil` if the entry cannot be read.
    func read(inParts isInParts: Bool) -> (reply: Reply, identity: EntryIdentity?) {
        player.read(number, for: lookup, inParts: isInParts)
    }
}
