import Foundation
import HTTPArchive
import Relay
import TestSupport
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RepetitionTests {
    private func replies(
        _ repetition: RequestMatching.Repetition, _ entries: [HAR.Entry], asking urls: [String]
    ) throws -> [String?] {
        var matching = RequestMatching.standard
        matching.repetition = repetition
        let interceptor = Interceptor(entries, matching: matching)
        return try urls.map { try interceptor.reply(to: .request("GET", $0)) }
    }

    @Test(arguments: [
        (RequestMatching.Repetition.nextThenLast, ["1", "2", "3", "3", "3"]), (.once, ["1", "2", "3", nil, nil]),
        (.first, ["1", "1", "1", "1", "1"]), (.cycle, ["1", "2", "3", "1", "2"]),
    ])
    func `the repetition setting determines the response to a repeated request`(
        repetition: RequestMatching.Repetition, expected: [String?]
    ) throws {
        let entries = ["1", "2", "3"].map { HAR.Entry.entry(text: $0) }
        let urls = [String](repeating: "http://a/", count: 5)
        #expect(try replies(repetition, entries, asking: urls) == expected)
    }

    @Test(arguments: [
        (RequestMatching.Repetition.nextThenLast, ["a", "a", "b"]), (.once, ["a", nil, "b"]),
        (.first, ["a", "a", "b"]),
        (.cycle, ["a", "a", "b"]),
    ])
    func `a single entry is repeated or used once`(
        repetition: RequestMatching.Repetition, expected: [String?]
    ) throws {
        let entries: [HAR.Entry] = [.entry(text: "a"), .entry("GET", "http://b/", text: "b")]
        #expect(try replies(repetition, entries, asking: ["http://a/", "http://a/", "http://b/"]) == expected)
    }

    @Test func `an entry is used up after it answers any request`() throws {
        var matching = RequestMatching.standard
        matching.repetition = .once
        let entries = ["1", "2", "1"].map { HAR.Entry.entry("POST", text: $0).requested($0) }
        let interceptor = Interceptor(entries, matching: matching)
        let replies = try ["1", "3", "3", "3"].map { try interceptor.reply(to: .request("POST", body: $0)) }
        #expect(replies == ["1", "2", "1", nil])
    }

    @Test func `entries for different request bodies repeat separately`() throws {
        var matching = RequestMatching.standard
        matching.repetition = .cycle
        let entries = ["a1", "b1", "a2", "b2"].map { HAR.Entry.entry("POST", text: $0).requested(String($0.prefix(1))) }
        let interceptor = Interceptor(entries, matching: matching)
        let replies = try ["a", "a", "b", "a", "b", "b"].map { try interceptor.reply(to: .request("POST", body: $0)) }
        #expect(replies == ["a1", "a2", "b1", "a1", "b2", "b1"])
    }

    @Test func `in recorded order, any request receives the next entry of the archive`() throws {
        let interceptor = Interceptor(
            [
                .entry("GET", "http://a/", text: "1"), .entry("GET", "data:,x"), .entry("POST", "http://b/", text: "2"),
                .entry("GET", "http://a/", text: "3"),
            ], matching: .recordedOrder)
        #expect(try interceptor.reply(to: .request("PUT", "http://z/")) == "1")
        #expect(interceptor.immediateResponse(to: .request()) == nil)
        #expect(try interceptor.reply(to: .request()) == "3")
        let error = #expect(throws: RelayError.self) { try interceptor.response() }
        #expect(
            error?.message.contains("All 4 entries in the archive were already replayed in recorded order.") == true)
    }

    @Test func `each of several parallel requests receives a different entry, regardless of its body`() async throws {
        var matching = RequestMatching.standard
        matching.repetition = .once
        let entries = (0..<200).map { HAR.Entry.entry("POST", text: String($0)).requested(String($0 % 2)) }
        let interceptor = Interceptor(entries, matching: matching)
        let texts = try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<200 {
                group.addTask { try interceptor.reply(to: .request("POST", body: String(number % 2))) }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(texts.count == 200 && !texts.contains(nil))
    }

    @Test func `each of thousands of entries with the same URL is found by its body`() throws {
        let type = "text/plain"
        let count = Cases.count(2_000, orAll: 10_000)
        let entries = (0..<count).map { HAR.Entry.entry("POST", text: String($0)).requested("\($0 / 2)", type: type) }
        let interceptor = Interceptor(entries: entries)
        for number in stride(from: count - 2, through: 0, by: -2) {
            let request = InterceptedRequest.request("POST", body: "\(number / 2)", type: type)
            #expect(try interceptor.reply(to: request) == String(number))
            #expect(try interceptor.reply(to: request) == String(number + 1))
        }
        #expect(try interceptor.reply(to: .request("POST", body: "7", type: type)) == "15")
    }
}
