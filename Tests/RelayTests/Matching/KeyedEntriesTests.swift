import Foundation
import HTTPArchive
import Relay
import Synchronization
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct KeyedEntriesTests {
    private func played(_ entries: [HAR.Entry]) -> ReplaySource { ReplaySource(entries, name: "a.har") }

    private func group(
        _ keyed: KeyedEntries, _ matching: RequestMatching, _ request: InterceptedRequest, _ source: ReplaySource?
    ) throws -> [Int]? {
        let plan = MatchingPlan(matching)
        var requested = RequestLookup(request, plan: plan)
        let group = try keyed.group(for: &requested, plan: plan, source: source)
        return group.map { group in (0..<group.count).map { group[$0] } }
    }

    @Test func `preferences apply in order, and a preference that no entry meets is skipped`() throws {
        let hosts = ["a", "b", "a", "b", "a"]
        let entries = hosts.enumerated().map { HAR.Entry.entry("POST", "http://\($1)/x").requested("\($0 / 2)") }
        let source = played(entries)
        let matching = RequestMatching(required: [.path], preferred: [.host, .body])
        let keyed = KeyedEntries(Array(0..<5), plan: MatchingPlan(matching), source: source)
        for (host, body, expected) in [
            ("a", "0", [0]), ("a", "1", [2]), ("a", "9", [0, 2, 4]), ("b", "2", [1, 3]), ("c", "0", [0, 1]),
            ("c", "2", [4]), ("c", "9", [0, 1, 2, 3, 4]),
        ] {
            let request = InterceptedRequest.request("POST", "http://\(host)/x", body: body)
            #expect(try group(keyed, matching, request, source) == expected, "\(host) \(body)")
            #expect(try group(keyed, matching, request, nil) == expected, "The sorted entries are cached.")
        }
    }

    @Test func `entries are not sorted if the request must be answered immediately`() throws {
        let source = played(["1", "2"].map { .entry("POST").requested($0) })
        let keyed = KeyedEntries([0, 1], plan: MatchingPlan(.standard), source: source)
        let request = InterceptedRequest.request("POST", body: "2")
        #expect(throws: KeyedEntries.NotAtHand.self) { try group(keyed, .standard, request, nil) }
        #expect(try group(keyed, .standard, request, source) == [1])
        #expect(try group(keyed, .standard, request, nil) == [1])
    }

    @Test func `a single entry is not read to check preferences, and several entries are each read once`() throws {
        let reads = Mutex(0)
        let source = ReplaySource(
            name: "a.har", count: 2, request: { _ in ("GET", "http://a/") },
            entry: { _ in
                reads.withLock { $0 += 1 }
                return .entry()
            })
        let one = KeyedEntries([0], plan: MatchingPlan(.standard), source: source)
        #expect(try group(one, .standard, .request(), nil) == [0])
        #expect(reads.withLock { $0 } == 0)
        let two = KeyedEntries([0, 1], plan: MatchingPlan(.standard), source: source)
        for _ in 0..<3 { #expect(try group(two, .standard, .request(), nil) == [0, 1]) }
        #expect(reads.withLock { $0 } == 2)
    }

    @Test func `an unreadable entry satisfies neither preferred nor required matchers`() throws {
        let source = ReplaySource(
            name: "a.har", count: 2, request: { _ in ("GET", "http://a/") },
            entry: { index throws(HARError) in
                if index == 0 { throw HARError(.unreadableFile, "gone") }
                return .entry()
            })
        let standard = KeyedEntries([0, 1], plan: MatchingPlan(.standard), source: source)
        #expect(try group(standard, .standard, .request(), source) == [1])
        let plan = MatchingPlan(.methodURLAndBody)
        let alone = KeyedEntries([0], plan: plan, source: source)
        #expect(try group(alone, .methodURLAndBody, .request(), source) == nil)
    }

    @Test func `the number of cached keys with few entries is limited`() {
        var kept = CandidateCache(keyLimit: 3, fewEntries: 1)
        let source = played([.entry(), .entry()])
        let plan = MatchingPlan(.standard)
        let large = RequestKey(method: "GET", url: "http://large/")
        let both = kept.keep(KeyedEntries([0, 1], plan: plan, source: source), of: large)
        let keys = (0..<4).map { RequestKey(method: "GET", url: "http://\($0)/") }
        for key in keys {
            let entries = KeyedEntries([0], plan: plan, source: source)
            #expect(kept.keep(entries, of: key) === entries)
            #expect(kept.keep(KeyedEntries([0], plan: plan, source: source), of: key) === entries)
        }
        #expect(keys.map { kept[$0] == nil } == [true, true, true, false])
        #expect(kept[large] === both)
    }
}
