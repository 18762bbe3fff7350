import Foundation
import HTTPArchive
import Synchronization

/// Answers requests from the entries of one archive.
///
/// A lookup takes constant time regardless of the archive's size. The contents of an entry are read on demand.
final class ArchivePlayer: Sendable {
    /// The result of a lookup that reads nothing from the archive.
    enum Known {
        /// The response.
        case response(CachedResponse)

        /// No entry matches.
        case noEntry

        /// The result is unknown.
        case notAtHand
    }

    /// The state of a lookup after finding the key.
    private enum Start {
        case cached(CachedResponse, recordedUnder: Conditions?)
        case choice(KeyedEntries)
    }

    private struct State {
        var choices = CandidateCache()
        var responses = ResponseCache()
        var turns: Turns

        /// The index of the next entry, if the archive is replayed in recorded order.
        var next = 0

        /// Returns the cached response of a key with a single entry, or the entries of the key.
        mutating func start(_ key: RequestKey, _ plan: MatchingPlan) -> Start? {
            guard let choice = choices[key] else { return nil }
            guard choice.isDecided(by: plan) else { return .choice(choice) }
            return take(from: choice.all) ?? .choice(choice)
        }

        /// Uses the next entry of a group if its response is cached, or else returns `nil`.
        mutating func take(from group: EntryGroup) -> Start? {
            guard let turn = turns.turn(in: group), let response = responses[group[turn]] else { return nil }
            turns.take(turn, in: group)
            return .cached(response, recordedUnder: responses.conditions(of: group[turn]))
        }
    }

    let entries: ReplaySource
    private let plan: MatchingPlan
    private let deliversMissingBodiesAsEmpty: Bool
    private let messages: MessageRedaction
    private let index: KeyIndex
    private let state: Mutex<State>

    /// Creates a player.
    init(
        _ entries: ReplaySource, plan: MatchingPlan, deliversMissingBodiesAsEmpty: Bool, messages: MessageRedaction
    ) {
        self.messages = messages
        self.entries = entries
        self.plan = plan
        self.deliversMissingBodiesAsEmpty = deliversMissingBodiesAsEmpty
        index = plan.playsInRecordedOrder ? KeyIndex(count: 0) { _ in nil } : entries.index(by: plan.key)
        state = Mutex(State(turns: Turns(count: entries.count, repetition: plan.repetition)))
    }

    /// Returns the cached response to a request.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - isLast: Whether no other archive follows, so that a missing entry does not have to be detected.
    /// - Returns: The result.
    func cachedResponse(to asked: inout RequestLookup, isLast: Bool) -> Known {
        guard !plan.playsInRecordedOrder else { return .notAtHand }
        let key = asked.key
        let choice: KeyedEntries
        switch state.withLock({ $0.start(key, plan) }) {
        case nil:
            let isKnown = !isLast && !index.hasRedactedKeys && index.entries(of: key, key: key(at:)).isEmpty
            return isKnown ? .noEntry : .notAtHand
        case .cached(let cached, let conditions):
            return .response(Self.known(cached, for: asked, recordedUnder: conditions))
        case .choice(let several): choice = several
        }
        let group: EntryGroup
        do throws(KeyedEntries.NotAtHand) {
            guard let found = try choice.group(for: &asked, plan: plan, source: nil) else {
                return index.hasRedactedKeys ? .notAtHand : .noEntry
            }
            group = found
        } catch {
            return .notAtHand
        }
        guard case .cached(let cached, let conditions) = state.withLock({ $0.take(from: group) }) else {
            return .notAtHand
        }
        return .response(Self.known(cached, for: asked, recordedUnder: conditions))
    }

    /// Returns the recorded response to a request, and marks its entry as used.
    ///
    /// - Returns: The response, or `nil` if no entry matches.
    func answer(to asked: inout RequestLookup) -> ReplayedResponse? {
        guard let number = takeEntry(for: &asked) else { return nil }
        if let failure = entries.failures[number] {
            return ReplayedResponse(archive: entries.name, entry: number, outcome: .failure(failure))
        }
        do throws(HARError) {
            let entry = try entries.entry(number)
            let (outcome, breakOff) = try outcome(of: entry, number, for: asked)
            return ReplayedResponse(
                archive: entries.name, entry: number, identity: EntryIdentity(of: entry), timings: entry.timings,
                outcome: outcome, breakOff: breakOff, isLast: entry.response.clientURL != nil)
        } catch {
            return ReplayedResponse(archive: entries.name, entry: number, outcome: .failure(error))
        }
    }

    /// Returns the entry that would answer a request if it were not used up.
    func usedUpEntry(for asked: inout RequestLookup) -> Int? {
        guard !plan.playsInRecordedOrder, let group = group(for: &asked) else { return nil }
        return state.withLock { $0.turns.turn(in: group) } == nil ? group[group.count - 1] : nil
    }

    /// The usage of entries so far.
    var use: ReplayReport.ArchiveUse {
        ReplayReport.ArchiveUse(of: entries, turns: state.withLock { $0.turns }, messages: messages)
    }

    /// The entries used so far.
    var used: UsedEntries { UsedEntries(of: state.withLock { $0.turns }, count: entries.count) }

    /// Selects the next entry for a request, and marks it as used.
    private func takeEntry(for asked: inout RequestLookup) -> Int? {
        guard !plan.playsInRecordedOrder else { return nextInQueue() }
        guard let group = group(for: &asked) else { return nil }
        return state.withLock { state in
            guard let turn = state.turns.turn(in: group) else { return nil }
            state.turns.take(turn, in: group)
            return group[turn]
        }
    }

    /// Returns the next entry of an archive that is replayed in recorded order.
    private func nextInQueue() -> Int? {
        state.withLock { state in
            guard let number = next(from: state.next) else { return nil }
            state.next = number + 1
            state.turns.take(number)
            return number
        }
    }

    /// Returns the next entry with an HTTP URL.
    private func next(from start: Int) -> Int? { (start..<entries.count).first { key(at: $0) != nil } }

    // MARK: - Explanations

    /// Returns the next entry for a request without marking it as used.
    func turn(for asked: inout RequestLookup) -> Int? {
        if plan.playsInRecordedOrder { return state.withLock { next(from: $0.next) } }
        guard let group = group(for: &asked) else { return nil }
        return state.withLock { $0.turns.turn(in: group) }.map { group[$0] }
    }

    /// Returns all entries, compared with the forms of a request.
    func compared(
        with forms: [ComparedRequest], turn: Int?
    ) -> [MatchExplanation.Entry] {
        let turns = state.withLock { $0.turns }
        return (0..<entries.count).map { number in
            let (method, url) = entries.request(number)
            let recorded = RecordedRequest(number, of: entries, withBody: plan.readsBodies).compared
            let verdict = recorded.map { plan.required.verdict(of: forms, recorded: $0) }
            return MatchExplanation.Entry(
                archive: entries.name, index: number,
                request: messages.request(method, HARRedactor.withoutKeys(url)),
                verdict: verdict.map { $0.isMatch ? $0 : .mismatch($0.differences.map(messages.difference)) },
                wasUsed: turns.isUsed(number), answers: number == turn)
        }
    }

    /// Returns the entries that may answer a request in its original form, or else in its redacted form.
    private func group(for asked: inout RequestLookup) -> EntryGroup? {
        if let group = groupOfKey(of: &asked) { return group }
        guard index.hasRedactedKeys, var redacted = asked.inRedactedArchives(), redacted.key != asked.key else {
            return nil
        }
        return groupOfKey(of: &redacted)
    }

    private func groupOfKey(of asked: inout RequestLookup) -> EntryGroup? {
        let key = asked.key
        var choice = state.withLock { $0.choices[key] }
        if choice == nil {
            let numbers = index.entries(of: key, key: key(at:))
            guard !numbers.isEmpty else { return nil }
            let newChoice = KeyedEntries(numbers, plan: plan, source: entries)
            choice = state.withLock { $0.choices.keep(newChoice, of: key) }
        }
        // A lookup with a source never throws.
        return try? choice?.group(for: &asked, plan: plan, source: entries)
    }

    private func key(at number: Int) -> RequestKey? { entries.key(at: number, rule: plan.key) }

    private func outcome(
        of recorded: HAR.Entry, _ number: Int, for asked: RequestLookup
    ) throws(HARError) -> (Result<InterceptedResponse, any Error>, breakOff: URLError?) {
        var entry = recorded
        let isShort = entry.response.status == 304 && entry.response.clientURL == nil
        if asked.conditions == nil, isShort, (entry.response.body.data?.count ?? 0) > 0 {
            // The tool added the body from the client's cache, so the entry has a full response for clients without a
            // copy.
            entry.response.status = 200
            entry.response.statusText = "OK"
        }
        let outcome = RecordedOutcome(
            of: entry, for: asked.request, folder: entries.folder, allowsMissingBody: deliversMissingBodiesAsEmpty)
        switch outcome {
        case .failure(let error): return (.failure(error), nil)
        case .brokenOff(let response, let error): return (.success(response), error)
        case .notReplayable(let error):
            var context = error.context
            context.file = entries.name
            context.pointer = JSONPointer(["log", "entries", String(number)])
            context.byteOffset = entry.fields.byteRange?.lowerBound
            let request = messages.request(asked.request.method, asked.request.url)
            let message = "The entry for \(request) cannot be replayed. \(error.message)"
            throw HARError(error.code, message, at: context, underlying: error.underlying)
        case .response(let response) where entry.response.clientURL != nil: return (.success(response), nil)
        case .response(let response):
            let request = entry.request
            let conditions = Conditions { request.header($0) }
            // The response for a recorded 304 depends on the request. All others depend only on the entry and key.
            if !isShort { state.withLock { $0.responses.keep(response, of: number, recordedUnder: conditions) } }
            return (.success(Self.response(response, to: asked, recordedUnder: conditions)), nil)
        }
    }

    /// Returns a cached response adapted to another request.
    private static func known(
        _ cached: CachedResponse, for asked: RequestLookup, recordedUnder recorded: Conditions?
    ) -> CachedResponse {
        if asked.conditions == nil, cached.response.url == asked.request.url { return cached }
        var response = cached.response
        response.url = asked.request.url
        return CachedResponse(Self.response(response, to: asked, recordedUnder: recorded))
    }

    /// Returns the recorded response, or a 304 response for a client that already has it.
    private static func response(
        _ response: InterceptedResponse, to asked: RequestLookup, recordedUnder recorded: Conditions?
    ) -> InterceptedResponse {
        guard let conditions = asked.conditions, recorded != conditions, response.status == 200,
            ["GET", "HEAD"].contains(asked.request.method.uppercased()),
            conditions.areMet(
                entityTag: response.headers.values(named: "etag").first,
                lastModified: response.headers.values(named: "last-modified").first)
        else { return response }
        return response.notModified
    }
}
