import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct ResponseCacheTests {
    private func response(_ count: Int, headers: [HeaderField] = []) -> ResponseCache.Response {
        let response = InterceptedResponse(url: "http://a/", headers: headers, body: Data(count: count))
        return ResponseCache.Response(response, to: InterceptedRequest(url: "http://a/"), recordedUnder: nil)
    }

    @Test func `a response is cached by its entry index`() {
        var kept = ResponseCache()
        kept.keep(response(1), of: 7)
        #expect(kept[7]?.response.body.count == 1)
        #expect(kept[8] == nil)
    }

    @Test func `a response with a large body or large header fields is not cached`() {
        var kept = ResponseCache(responseLimit: 1000, limit: 10_000)
        kept.keep(response(1000), of: 0)
        kept.keep(response(0, headers: (0..<100).map { HeaderField(name: "\($0)", value: "") }), of: 1)
        #expect(kept[0] == nil && kept[1] == nil)
    }

    @Test func `the cache does not exceed its limit, and keeps the latest responses`() {
        var kept = ResponseCache(responseLimit: 1000, limit: 5000)
        for entry in 0..<100 {
            kept.keep(response(500), of: entry)
            #expect(kept[entry] != nil)
            #expect((0...entry).count { kept[$0] != nil } <= 10)
        }
    }
}
