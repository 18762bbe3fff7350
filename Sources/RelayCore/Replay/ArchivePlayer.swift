import Foundation
import HTTPArchive
import Synchronization

/// A player that responds to requests from the entries of one archive.
///
/// Looking up a request key takes constant time on average. Entries are read on demand.
final class ArchivePlayer: Sendable {
    private struct State {
        var choices = CandidateCache()
        var responses = ResponseCache()
        var turns: Turns

        /// The index after the last used entry, if the archive is replayed in recorded order.
        var next = 0

        /// Selects the next entry of a group and marks it as used.
        mutating func take(from group: EntryGroup) -> (entry: Int, cached: ResponseCache.Response?)? {
            guard let turn = turns.turn(in: group) else { return nil }
            turns.take(turn, in: group)
            return (group[turn], responses[group[turn]])
        }
    }

    let entries: ReplaySource
    private let plan: MatchingPlan
    private let deliversMissingBodiesAsEmpty: Bool
    private let movedDates: MovedDates
    private let messages: MessageRedaction
    private let index: KeyIndex
    private let state: Mutex<State>

    /// The requests whose bodies are compared for the report.
    let bodies: ComparedBodies

    /// Creates a player.
    init(
        _ entries: ReplaySource, plan: MatchingPlan, deliversMissingBodiesAsEmpty: Bool, movedDates: MovedDates,
        messages: MessageRedaction
    ) {
        self.messages = messages
        self.entries = entries
        self.plan = plan
        self.deliversMissingBodiesAsEmpty = deliversMissingBodiesAsEmpty
        self.movedDates = movedDates
        bodies = ComparedBodies(plan)
        index = plan.playsInRecordedOrder ? KeyIndex(count: 0) { _ in nil } : entries.index(by: plan.key)
        state = Mutex(State(turns: Turns(count: entries.count, repetition: plan.repetition)))
    }

    /// Selects the next entry for a request and marks it as used.
    ///
    /// - Parameters:
    ///   - requested: The request.
    ///   - limit: The size of the entries that may be read and sorted, in bytes; 0 to read nothing.
    /// - Returns: The entry, or `nil` if no entry matches.
    /// - Throws: ``KeyedEntries/NotAtHand`` if larger entries must be read or sorted. In this case, no entry is marked as
    ///   used.
    func select(for requested: inout RequestLookup, reading limit: Int) throws(KeyedEntries.NotAtHand) -> SelectedEntry?
    {
        if plan.playsInRecordedOrder {
            return nextInQueue().map { SelectedEntry(player: self, number: $0, lookup: requested, cached: nil) }
        }
        guard let group = try group(for: &requested, reading: limit),
            let (number, cached) = state.withLock({ $0.take(from: group) })
        else { return nil }
        // Most requests are GET requests without a body, which need no comparison.
        if plan.prefersBodies, requested.request.body != nil || requested.request.method.uppercased() != "GET" {
            bodies.note(requested.request, number)
        }
        return SelectedEntry(
            player: self, number: number, lookup: requested, cached: cached.flatMap { reply($0, to: requested) })
    }

    /// Returns the cached response of an entry to a request, or `nil` if it must be read.
    func cached(_ number: Int, for requested: RequestLookup) -> Reply? {
        state.withLock { $0.responses[number] }.flatMap { reply($0, to: requested) }
    }

    /// Reads the response of a selected entry.
    ///
    /// - Parameters:
    ///   - number: The entry index.
    ///   - requested: The request.
    ///   - isInParts: Whether a large body remains in its file.
    /// - Returns: The response or the error that the request fails with, and the identity of the entry. The identity is
    ///   `nil` if the entry cannot be read.
    func read(
        _ number: Int, for requested: RequestLookup, inParts isInParts: Bool
    ) -> (reply: Reply, identity: EntryIdentity?) {
        if let failure = entries.failures[number] { return (.error(failure), nil) }
        do throws(HARError) {
            let (entry, body) = try isInParts ? entries.entryWithStoredBody(number) : (entries.entry(number), nil)
            return (try reply(of: entry, number, storedBody: body, to: requested), EntryIdentity(of: entry))
        } catch {
            return (.error(error), nil)
        }
    }

    /// Returns the last entry that matches a request if all matching entries are used up, or `nil` otherwise.
    func usedUpEntry(for requested: inout RequestLookup) -> Int? {
        guard !plan.playsInRecordedOrder, let group = groupByReading(for: &requested) else { return nil }
        return state.withLock { $0.turns.turn(in: group) } == nil ? group[group.count - 1] : nil
    }

    /// A report of the entries used so far.
    var use: ReplayReport.ArchiveUse {
        ReplayReport.ArchiveUse(of: entries, turns: state.withLock { $0.turns }, messages: messages)
    }

    /// The indices of the entries used so far.
    var used: UsedEntries { UsedEntries(of: state.withLock { $0.turns }, count: entries.count) }

    /// Returns the next entry in recorded order and marks it as used.
    private func nextInQueue() -> Int? {
        state.withLock { state in
            guard let number = next(from: state.next) else { return nil }
            state.next = number + 1
            state.turns.take(number)
            return number
        }
    }

    /// Returns the first entry with an HTTP URL at or after an index.
    private func next(from start: Int) -> Int? { (start..<entries.count).first { key(at: $0) != nil } }

    // MARK: - Explanations

    /// Returns the next entry for a request without marking it as used.
    func turn(for requested: inout RequestLookup) -> Int? {
        if plan.playsInRecordedOrder { return state.withLock { next(from: $0.next) } }
        guard let group = groupByReading(for: &requested) else { return nil }
        return state.withLock { $0.turns.turn(in: group) }.map { group[$0] }
    }

    /// Compares all entries with the original and redacted forms of a request.
    func compared(with forms: [ComparedRequest], turn: Int?) -> [MatchExplanation.Entry] {
        let turns = state.withLock { $0.turns }
        return (0..<entries.count).map { number in
            MatchExplanation.Entry(
                archive: entries.name, index: number, request: shownRequest(number),
                verdict: verdict(on: number, with: forms), wasUsed: turns.isUsed(number), answers: number == turn)
        }
    }

    /// Compares an entry with the original and redacted forms of a request, using all required matchers.
    ///
    /// - Parameters:
    ///   - number: The entry index.
    ///   - forms: The forms of the request.
    /// - Returns: The verdict on the most similar form, or nil if the entry cannot be read.
    func verdict(on number: Int, with forms: [ComparedRequest]) -> MatchVerdict? {
        RecordedRequest(number, of: entries, withBody: plan.required.readsBodies).compared
            .map { plan.required.verdict(of: forms, recorded: $0) }
    }

    /// Returns the number of bytes of an entry that ``verdict(on:with:)`` compares.
    func comparedSize(of number: Int) -> Int {
        plan.required.readsBodies ? entries.byteCount(of: number) : entries.request(number).url.utf8.count
    }

    /// Returns the method and URL of an entry for messages.
    func shownRequest(_ number: Int) -> String {
        let (method, url) = entries.request(number)
        return messages.request(method, HARRedactor.withoutKeys(url))
    }

    /// Returns the entries that match the original form of a request.
    ///
    /// If no entry matches, returns the entries that match its redacted form.
    private func group(
        for requested: inout RequestLookup, reading limit: Int
    ) throws(KeyedEntries.NotAtHand) -> EntryGroup? {
        if let group = try groupOfKey(of: &requested, reading: limit) { return group }
        guard index.hasRedactedKeys else { return nil }
        // Redacting a request takes longer than reading a small entry.
        guard limit > 0 else { throw KeyedEntries.NotAtHand() }
        guard var redacted = requested.inRedactedArchives(), redacted.key != requested.key else { return nil }
        return try groupOfKey(of: &redacted, reading: limit)
    }

    private func groupByReading(for requested: inout RequestLookup) -> EntryGroup? {
        // A lookup that is allowed to read never throws.
        try? group(for: &requested, reading: .max)
    }

    private func groupOfKey(
        of requested: inout RequestLookup, reading limit: Int
    ) throws(KeyedEntries.NotAtHand) -> EntryGroup? {
        let key = requested.key
        var choice = state.withLock { $0.choices[key] }
        if choice == nil {
            // The entries beyond this number are larger than the limit.
            let count = limit / ReplaySource.leastByteCount + 2
            let numbers = index.entries(of: key, upTo: count, key: key(at:))
            guard !numbers.isEmpty else { return nil }
            if numbers.count > 1 || !plan.isDecidedByKey {
                let size = numbers.reduce(0) { $0 + entries.byteCount(of: $1) }
                guard size <= limit else { throw KeyedEntries.NotAtHand(byteCount: size) }
            }
            let newChoice = KeyedEntries(numbers, plan: plan, source: entries)
            choice = state.withLock { $0.choices.keep(newChoice, of: key) }
        }
        return try choice?.group(for: &requested, plan: plan, source: limit > 0 ? entries : nil)
    }

    private func key(at number: Int) -> RequestKey? { entries.key(at: number, rule: plan.key) }

    private func reply(
        of recorded: HAR.Entry, _ number: Int, storedBody: StoredBody?, to requested: RequestLookup
    ) throws(HARError) -> Reply {
        var entry = recorded
        let isShort = entry.response.status == 304 && entry.response.clientURL == nil
        if requested.conditions == nil, isShort, (entry.response.body.data?.count ?? 0) > 0 {
            // A 304 response has no body, so the recording tool added the body from the client's cache. Clients without
            // a cached copy get this body in a 200 response.
            entry.response.status = 200
            entry.response.statusText = "OK"
        }
        var reply: Reply
        do throws(HARError) {
            reply = try Reply(
                of: entry, to: requested.request, in: entries.folder, storedBody: storedBody,
                allowsMissingBody: deliversMissingBodiesAsEmpty)
        } catch {
            let error = located(error, entry, number, for: requested.request)
            guard entry.opensWebSocket else { throw error }
            // An adapter for servers replays the connection.
            reply = .error(error)
            reply.recorded = entry
        }
        guard case .success(var response) = reply.result else { return reply }
        let received = movedDates.affect(response.headers) ? recorded.receivedDate : nil
        if reply.breakOff == nil, !reply.isLast {
            let request = recorded.request
            let cached = ResponseCache.Response(
                response, to: requested.request, recordedUnder: Conditions { request.header($0) }, received: received)
            // A recorded 304 is not cached, because its replayed response depends on the request. All other responses
            // depend only on the entry and the key.
            // Caching a body that is in a separate file would keep that file open.
            let isCached = !isShort && !entry.opensWebSocket && response.storedBody?.isInArchive != false
            if isCached { state.withLock { $0.responses.keep(cached, of: number) } }
            response = Self.adapted(response, to: requested, recordedUnder: cached.conditions)
        }
        if let received { movedDates.move(&response.headers, from: received, to: Date()) }
        reply.result = .success(response)
        return reply
    }

    /// Returns an error with the location of the entry that cannot be replayed.
    private func located(
        _ error: HARError, _ entry: HAR.Entry, _ number: Int, for request: InterceptedRequest
    ) -> HARError {
        var context = error.context
        context.file = entries.name
        context.pointer = JSONPointer(["log", "entries", String(number)])
        context.byteOffset = entry.fields.byteRange?.lowerBound
        let subject = messages.request(request.method, request.url)
        let message = "The entry for \(subject) cannot be replayed. \(error.message)"
        return HARError(error.code, message, at: context, underlying: error.underlying)
    }

    /// Returns a cached response adapted to a request, or `nil` if it was cached for another method.
    private func reply(_ cached: ResponseCache.Response, to requested: RequestLookup) -> Reply? {
        let request = requested.request
        guard cached.method == request.method else { return nil }
        if requested.conditions == nil, cached.response.url == request.url, cached.received == nil {
            return cached.reply
        }
        var response = Self.adapted(cached.response, to: requested, recordedUnder: cached.conditions)
        response.url = request.url
        if let received = cached.received { movedDates.move(&response.headers, from: received, to: Date()) }
        return .response(response)
    }

    /// Returns a 304 response if the client's cached copy of a response is valid, or the response otherwise.
    private static func adapted(
        _ response: InterceptedResponse, to requested: RequestLookup, recordedUnder recorded: Conditions?
    ) -> InterceptedResponse {
        guard let conditions = requested.conditions, recorded != conditions, response.status == 200,
            ["GET", "HEAD"].contains(requested.request.method.uppercased()),
            conditions.areMet(
                entityTag: response.headers.values(named: "etag").first,
                lastModified: response.headers.values(named: "last-modified").first)
        else { return response }
        return response.notModified
    }
}
