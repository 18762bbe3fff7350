import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite struct ResponseCacheTests {
    private func answer(_ count: Int) -> InterceptedResponse {
        InterceptedResponse(url: "http://a/", body: Data(count: count))
    }

    @Test func `a response is cached by its entry`() {
        var kept = ResponseCache()
        kept.keep(answer(1), of: 7)
        #expect(kept[7]?.response == answer(1))
        #expect(kept[8] == nil)
    }

    @Test func `a response with a large body or large header fields is not cached`() {
        var kept = ResponseCache(answerLimit: 1000, limit: 10_000)
        kept.keep(answer(1000), of: 0)
        var answer = answer(0)
        answer.headers = (0..<100).map { HeaderField(name: "\($0)", value: "") }
        kept.keep(answer, of: 1)
        #expect(kept[0] == nil && kept[1] == nil)
    }

    @Test func `the cache does not exceed its limit, and keeps the latest responses`() {
        var kept = ResponseCache(answerLimit: 1000, limit: 5000)
        for entry in 0..<100 {
            kept.keep(answer(500), of: entry)
            #expect(kept[entry] != nil)
            #expect((0...entry).count { kept[$0] != nil } <= 10)
        }
    }
}
