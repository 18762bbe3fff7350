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

    /// Entries that take turns.
    private struct Turns: Hashable {
        let key: RequestKey
        let conditions: Conditions?
        let isConditional: Bool
    }

    private let name: String
    private let candidates: [RequestKey: Candidates]
    private let count: Int
    private let entry: @Sendable (Int) throws(HARError) -> HAR.Entry
    private let folder: URL?
    private let configuration: Interceptor.Configuration
    private let turns = Mutex<[Turns: Int]>([:])

    /// Plays an archive on disk.
    init(archive url: URL, configuration: Interceptor.Configuration) throws(HARError) {
        var candidates: [RequestKey: Candidates] = [:]
        let archive = try HARArchive(contentsOf: url, configuration: configuration.reader) { entry, index in
            Self.add(entry, index, to: &candidates)
        }
        name = url.path
        count = archive.count
        self.candidates = candidates
        entry = { index throws(HARError) in try archive.entry(at: index) }
        folder = url.deletingLastPathComponent()
        self.configuration = configuration
    }

    /// Plays entries in memory.
    init(entries: [HAR.Entry], name: String, configuration: Interceptor.Configuration) {
        var candidates: [RequestKey: Candidates] = [:]
        for (index, entry) in entries.enumerated() { Self.add(entry, index, to: &candidates) }
        self.name = name
        count = entries.count
        self.candidates = candidates
        entry = { index throws(HARError) in entries[index] }
        folder = nil
        self.configuration = configuration
    }

    private static func add(_ entry: HAR.Entry, _ index: Int, to candidates: inout [RequestKey: Candidates]) {
        let request = entry.request
        let key = RequestKey(method: request.method, url: request.url)
        guard key.url.isHTTP else { return }
        let status = entry.response.status
        let conditions = Conditions { request.header($0) }
        let candidate = Candidate(index: index, status: status, conditions: conditions)
        if conditions != nil || status == 304 {
            candidates[key, default: Candidates()].conditional.append(candidate)
        } else {
            candidates[key, default: Candidates()].full.append(candidate)
        }
    }

    /// Answers a request.
    func answer(to request: InterceptedRequest) -> Answer {
        let key = RequestKey(method: request.method, url: request.url)
        guard let candidates = candidates[key] else {
            if configuration.unmatchedRequests == .passThrough { return .passThrough }
            return .failure(Miss(request: key, archive: name, count: count, keys: self.candidates.keys).error)
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
        var entry = try entry(candidate.index)
        if conditions == nil, entry.response.status == 304, (entry.response.body.data?.count ?? 0) > 0 {
            // The tool filled in what the client had: the full answer, for a client that has nothing.
            entry.response.status = 200
            entry.response.statusText = "OK"
        }
        let outcome = RecordedOutcome(
            of: entry, for: request, folder: folder, allowsMissingBody: configuration.deliversMissingBodiesAsEmpty)
        switch outcome {
        case .failure(let error): return .failure(error)
        case .notReplayable(let error):
            var context = error.context
            context.file = name
            context.pointer = JSONPointer(["log", "entries", String(candidate.index)])
            context.byteOffset = entry.fields.byteRange?.lowerBound
            let message = "The entry for \(request.method) \(request.url) cannot be replayed. \(error.message)"
            return .failure(HARError(error.code, message, at: context, underlying: error.underlying))
        case .response(let response):
            guard let conditions, candidate.conditions != conditions, response.status == 200,
                ["GET", "HEAD"].contains(request.method.uppercased()),
                conditions.areMet(
                    entityTag: response.headers.values(named: "etag").first,
                    lastModified: response.headers.values(named: "last-modified").first)
            else { return .response(response) }
            return .response(response.notModified)
        }
    }

    /// Chooses the entry whose turn it is.
    ///
    /// A client with a copy gets the entries recorded under the same conditions, or else under unknown ones; a client
    /// without one gets the full answers, and others only where there are none.
    private func next(of candidates: Candidates, key: RequestKey, conditions: Conditions?) -> Candidate {
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
        let turns = Turns(key: key, conditions: isConditional ? conditions : nil, isConditional: isConditional)
        let turn = self.turns.withLock { table in
            defer { table[turns, default: 0] += 1 }
            return table[turns, default: 0]
        }
        return list[min(turn, list.count - 1)]
    }
}
