import Foundation
import HTTPArchive
import Synchronization

/// Answers requests from the entries of one archive.
///
/// The entries of one key are answered in the order of the file, and the last one repeats. Finding an entry takes the
/// same time in archives of every size; what an entry holds is read when it is its turn.
final class ArchivePlayer: Sendable {
    /// What the player keeps of an entry.
    struct Candidate: Sendable {
        let index: Int
        let status: Int
        let conditions: Conditions?
    }

    /// The entries of one key: those that answer anybody, and those that answer a client with a copy of its own.
    private struct Candidates {
        var full: [Candidate] = []
        var conditional: [Candidate] = []
    }

    /// How many keys' candidates are kept; they are found again where they are not.
    private static let keptKeyCount = 10_000

    /// Entries that take turns.
    private struct Turns: Hashable {
        let key: RequestKey
        let conditions: Conditions?
        let isConditional: Bool
    }

    private struct State {
        var candidates: [RequestKey: Candidates] = [:]
        var kept = KeptAnswers()

        private var turns: [Turns: Int] = [:]

        /// The place of the entry whose turn it is among `count`, of which the last one repeats.
        func turn(of turns: Turns, among count: Int) -> Int { count == 1 ? 0 : self.turns[turns, default: 0] }

        /// Gives that place, and the next entry the next turn.
        @discardableResult
        mutating func takeTurn(of turns: Turns, among count: Int) -> Int {
            let turn = turn(of: turns, among: count)
            if turn < count - 1 { self.turns[turns] = turn + 1 }
            return turn
        }
    }

    private let entries: PlayedEntries
    private let index: KeyIndex
    private let configuration: Interceptor.Configuration
    private let state = Mutex(State())

    /// Prepares to play entries.
    init(_ entries: PlayedEntries, configuration: Interceptor.Configuration) {
        self.entries = entries
        self.configuration = configuration
        index = KeyIndex(count: entries.count) { entries.key(at: $0) }
    }

    /// The entries of a key; `nil` when there are none.
    ///
    /// They are read when the key is asked for the first time.
    private func candidates(for key: RequestKey) -> Candidates? {
        if let candidates = state.withLock({ $0.candidates[key] }) { return candidates }
        let indices = index.entries(of: key) { entries.key(at: $0) }
        guard !indices.isEmpty else { return nil }
        var candidates = Candidates()
        for index in indices {
            // An entry that cannot be read says so when it is its turn.
            let entry = try? entries.entry(index)
            let status = entry?.response.status ?? 0
            let conditions = entry.flatMap { entry in
                let request = entry.request
                return Conditions { request.header($0) }
            }
            let candidate = Candidate(index: index, status: status, conditions: conditions)
            if conditions != nil || status == 304 {
                candidates.conditional.append(candidate)
            } else {
                candidates.full.append(candidate)
            }
        }
        return state.withLock { state in
            if state.candidates.count >= Self.keptKeyCount { state.candidates.removeAll() }
            state.candidates[key] = candidates
            return candidates
        }
    }

    /// The response to a request, when that is one that was given before and is kept.
    func knownResponse(to request: InterceptedRequest) -> KnownResponse? {
        let key = RequestKey(method: request.method, url: request.url)
        let conditions = Conditions { request.headers.values(named: $0).first }
        let known: (Candidate, KnownResponse)? = state.withLock { state in
            guard let candidates = state.candidates[key] else { return nil }
            let (list, turns) = Self.list(of: candidates, key: key, conditions: conditions)
            let candidate = list[state.turn(of: turns, among: list.count)]
            guard let kept = state.kept[candidate.index] else { return nil }
            state.takeTurn(of: turns, among: list.count)
            return (candidate, kept)
        }
        guard let (candidate, kept) = known else { return nil }
        if conditions == nil, kept.response.url == request.url { return kept }
        var response = kept.response
        response.url = request.url
        return KnownResponse(self.response(response, to: request, of: candidate, conditions: conditions))
    }

    /// Answers a request.
    func answer(to request: InterceptedRequest) -> Answer {
        let key = RequestKey(method: request.method, url: request.url)
        guard let candidates = candidates(for: key) else {
            if configuration.unmatchedRequests == .passThrough { return .passThrough }
            let keys = (0..<entries.count).lazy.compactMap { [entries] in entries.key(at: $0) }
            return .failure(Miss(request: key, archive: entries.name, count: entries.count, keys: keys).error)
        }
        let conditions = Conditions { request.headers.values(named: $0).first }
        let candidate = next(of: candidates, key: key, conditions: conditions)
        do throws(HARError) {
            return try answer(to: request, with: candidate, conditions: conditions)
        } catch {
            return .failure(error)
        }
    }

    private func answer(
        to request: InterceptedRequest, with candidate: Candidate, conditions: Conditions?
    ) throws(HARError) -> Answer {
        var entry = try entries.entry(candidate.index)
        if conditions == nil, entry.response.status == 304, (entry.response.body.data?.count ?? 0) > 0 {
            // The tool filled in what the client had: the full answer, for a client that has nothing.
            entry.response.status = 200
            entry.response.statusText = "OK"
        }
        let outcome = RecordedOutcome(
            of: entry, for: request, folder: entries.folder,
            allowsMissingBody: configuration.deliversMissingBodiesAsEmpty)
        switch outcome {
        case .failure(let error): return .failure(error)
        case .notReplayable(let error):
            var context = error.context
            context.file = entries.name
            context.pointer = JSONPointer(["log", "entries", String(candidate.index)])
            context.byteOffset = entry.fields.byteRange?.lowerBound
            let message = "The entry for \(request.method) \(request.url) cannot be replayed. \(error.message)"
            return .failure(HARError(error.code, message, at: context, underlying: error.underlying))
        case .response(let response):
            // What a recorded 304 gives depends on the request; everything else on the entry and the key alone.
            if candidate.status != 304 { state.withLock { $0.kept.keep(response, of: candidate.index) } }
            return .response(self.response(response, to: request, of: candidate, conditions: conditions))
        }
    }

    /// A recorded answer, or a 304 in its place for a client that has it already.
    private func response(
        _ response: InterceptedResponse, to request: InterceptedRequest, of candidate: Candidate,
        conditions: Conditions?
    ) -> InterceptedResponse {
        guard let conditions, candidate.conditions != conditions, response.status == 200,
            ["GET", "HEAD"].contains(request.method.uppercased()),
            conditions.areMet(
                entityTag: response.headers.values(named: "etag").first,
                lastModified: response.headers.values(named: "last-modified").first)
        else { return response }
        return response.notModified
    }

    /// Chooses the entry whose turn it is.
    private func next(of candidates: Candidates, key: RequestKey, conditions: Conditions?) -> Candidate {
        let (list, turns) = Self.list(of: candidates, key: key, conditions: conditions)
        return list[state.withLock { $0.takeTurn(of: turns, among: list.count) }]
    }

    /// The entries that take turns in answering.
    ///
    /// A client with a copy gets the entries recorded under the same conditions, or else under unknown ones; a client
    /// without one gets the full answers, and others only where there are none.
    private static func list(
        of candidates: Candidates, key: RequestKey, conditions: Conditions?
    ) -> (list: [Candidate], turns: Turns) {
        var list = candidates.full
        var isConditional = false
        if let conditions {
            let lists = [conditions, nil].map { wanted in candidates.conditional.filter { $0.conditions == wanted } }
            let matching = lists.first { !$0.isEmpty }
            isConditional = matching != nil || list.isEmpty
            if isConditional { list = matching ?? candidates.conditional }
        } else if list.isEmpty {
            let full = candidates.conditional.filter { $0.status != 304 }
            list = full.isEmpty ? candidates.conditional : full
        }
        return (list, Turns(key: key, conditions: isConditional ? conditions : nil, isConditional: isConditional))
    }
}
