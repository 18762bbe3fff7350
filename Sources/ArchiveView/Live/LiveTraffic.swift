import ArchiveInspection
package import Foundation
package import HTTPArchive
package import RelayCore
import Synchronization

/// The traffic of a running program: its exchanges, the requests that wait for the user, and the rules that the user
/// added.
package final class LiveTraffic: Sendable {
    /// A rule that the user added, also in the form of a rule file (`value`).
    typealias AddedRule = (id: Int, value: JSONValue, rules: [Rule])

    /// The decision of the user about a request: the request, possibly edited, and a response in place of handling it.
    package typealias Verdict = (request: InterceptedRequest, reply: Reply?)

    private struct State {
        var revision = 1
        var lastID = 0

        /// The pattern of requests to hold, and the rule that holds their responses, or nil for none.
        var hold: (text: String, rule: Rule)?
        var held: [Int: HeldExchange] = [:]
        var rules: [AddedRule] = []

        /// The lists of the exchanges, or nil after a change.
        var lists: EntryLists?

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private let state = Mutex(State())
    private let entries: Mutex<GrowingArchive>

    /// The interceptor whose rules the page changes.
    package let interceptor: Interceptor

    /// The closure that parses a rule in the form of a rule file.
    let parse: @Sendable (JSONValue) throws -> [Rule]

    /// The maximum number of requests to hold.
    private static let mostHeld = 100

    /// Creates the traffic of an interceptor.
    ///
    /// - Parameters:
    ///   - interceptor: The interceptor.
    ///   - archive: The archive to which recorded entries and their body files are written, or nil for none.
    ///   - parse: A closure that parses a rule file.
    /// - Throws: `unwritableFile` if exchanges cannot be stored.
    package init(
        of interceptor: Interceptor, recordingTo archive: URL?,
        parse: @escaping @Sendable (JSONValue) throws -> [Rule]
    ) throws(HARError) {
        self.interceptor = interceptor
        self.parse = parse
        // Without a recording, no body is in a file.
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        entries = Mutex(try GrowingArchive(at: archive ?? folder.appendingPathComponent("live")))
    }

    // MARK: Exchanges

    /// Adds an exchange to the list.
    package func append(_ entry: HAR.Entry) {
        entries.withLock { $0.append(entry) }
        change { $0.lists = nil }
    }

    func removeAll() {
        entries.withLock { $0.removeAll() }
        change { $0.lists = nil }
    }

    /// The lists of the exchanges so far.
    var lists: EntryLists {
        state.withLock { state in
            let lists = state.lists ?? EntryLists(of: entries.withLock { $0.archive }, named: "live")
            state.lists = lists
            return lists
        }
    }

    /// Changes the state, and its revision.
    private func change<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
        try state.withLock { state in
            state.revision += 1
            return try body(&state)
        }
    }

    /// Waits until the state differs from a revision, for at most a few seconds.
    func wait(after revision: Int) async {
        let end = ContinuousClock.now + .seconds(20)
        while state.withLock({ $0.revision }) == revision, .now < end, !Task.isCancelled {
            // The delay is too short to be noticed, and no list of waiting requests is needed.
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The state for the page.
    var json: JSONValue {
        let count = entries.withLock { $0.count }
        return state.withLock { state in
            [
                "revision": .integer(state.revision), "entries": .integer(count),
                "hold": state.hold.map { ["pattern": .text($0.text)] } ?? .null,
                "held": .array(state.held.values.sorted { $0.id < $1.id }.map(\.json)),
                "rules": .array(state.rules.map { ["id": .integer($0.id), "rule": $0.value] }),
            ]
        }
    }

    // MARK: Holding requests

    /// Returns a closure that waits until the user continues a request, or nil if requests like it are not held.
    package func gate(for request: InterceptedRequest) -> (@Sendable () async -> Verdict)? {
        guard let rule = state.withLock({ $0.hold?.rule }), rule.pattern.matches(request) else { return nil }
        return { await self.verdict(request, nil) }
    }

    /// Waits until the user continues a request or its response.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - response: The response, or nil if the request was not answered yet.
    /// - Returns: The decision of the user.
    func verdict(_ request: InterceptedRequest, _ response: InterceptedResponse?) async -> Verdict {
        let held = change { state -> HeldExchange? in
            guard state.hold != nil, state.held.count < Self.mostHeld else { return nil }
            let held = HeldExchange(id: state.nextID(), request: request, response: response)
            state.held[held.id] = held
            return held
        }
        guard let held else { return (request, nil) }
        // The client may leave before the user decides.
        defer { change { $0.held[held.id] = nil } }
        return (try? await held.decision.value) ?? (request, nil)
    }

    /// Holds requests that match a pattern, and their responses; none for nil.
    ///
    /// Requests that wait are continued.
    func hold(_ pattern: String?) {
        let change = ResponseOverride.changing { [weak self] request, response in
            try await self?.verdict(request, response).reply?.result.get() ?? response
        }
        let hold = pattern.map { (text: $0, rule: Rule.override(RequestPattern(methodAndURL: $0), change)) }
        let (old, held) = self.change { state in
            defer { (state.hold, state.held) = (hold, [:]) }
            return (state.hold?.rule, state.held.values)
        }
        if let old { interceptor.remove(old) }
        if let hold { interceptor.add(hold.rule) }
        for exchange in held { exchange.decision.give(.success((exchange.request, nil))) }
    }

    /// Continues a request as the user decided.
    func resume(_ request: ViewRequest) throws(ViewError) {
        guard let id = try request.number("id"), let exchange = state.withLock({ $0.held[id] }) else {
            throw ViewError(404, "The request no longer waits.")
        }
        var verdict: Verdict = (exchange.request, nil)
        if request.body["fail"]?.bool == true {
            verdict.reply = .failure(.networkConnectionLost)
        } else if let response = request.body["response"], response.object != nil {
            verdict.reply = .response(try exchange.response(edited: response))
        } else if let edited = request.body["request"], edited.object != nil, exchange.response == nil {
            verdict.request = exchange.request(edited: edited)
        }
        change { $0.held.removeValue(forKey: id) }?.decision.give(.success(verdict))
    }

    // MARK: Rules

    /// Adds a rule, and returns its number.
    func addRule(_ value: JSONValue) throws -> Int {
        let rules = try parse(["rules": [value]])
        let id = change { state in
            let id = state.nextID()
            state.rules.append((id, value, rules))
            return id
        }
        interceptor.add(rules)
        return id
    }

    func removeRule(_ id: Int) throws(ViewError) {
        let removed = change { state -> [Rule]? in
            guard let index = state.rules.firstIndex(where: { $0.id == id }) else { return nil }
            return state.rules.remove(at: index).rules
        }
        guard let removed else { throw ViewError(404, "The rule no longer exists.") }
        for rule in removed { interceptor.remove(rule) }
    }

    /// The rules that the user added, in order.
    var addedRules: [AddedRule] { state.withLock { $0.rules } }
}
