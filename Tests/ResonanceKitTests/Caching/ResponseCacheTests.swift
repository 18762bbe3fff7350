import Foundation
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct ResponseCacheTests {
    private func url(_ number: Int) throws -> URL { try #require(URL(string: "https://a.test/\(number)")) }

    @Test func `over the limit, the least recently used bodies are evicted`() throws {
        let cache = ResponseCache(byteLimit: 30)
        for number in 0..<3 { cache[try url(number)] = Data(count: 10) }
        #expect(cache.byteCount == 30)
        #expect(cache[try url(0)]?.count == 10)
        cache[try url(3)] = Data(count: 15)
        #expect(try (0..<4).map { cache[try url($0)] != nil } == [true, false, false, true])
        #expect(cache.byteCount == 25)
    }

    @Test func `a body larger than the limit is not cached and evicts nothing`() throws {
        let cache = ResponseCache(byteLimit: 30)
        cache[try url(0)] = Data(count: 30)
        cache[try url(1)] = Data(count: 31)
        #expect(cache[try url(1)] == nil)
        #expect(cache.byteCount == 30)
    }

    @Test func `bodies are replaced and removed`() throws {
        let cache = ResponseCache(byteLimit: 30)
        cache[try url(0)] = Data(count: 20)
        cache[try url(0)] = Data(count: 10)
        #expect(cache.byteCount == 10)
        cache[try url(0)] = nil
        #expect(cache[try url(0)] == nil)
        cache[try url(1)] = Data(count: 10)
        cache.removeAll()
        #expect(cache[try url(1)] == nil)
        #expect(cache.byteCount == 0)
    }

    @Test func `the default limit is 100 MB`() throws {
        let cache = ResponseCache()
        let megabytes = Data(count: 10_000_000)
        for number in 0..<11 { cache[try url(number)] = megabytes }
        #expect(cache.byteCount == 100_000_000)
        #expect(cache[try url(0)] == nil)
    }

    @Test func `a body is requested only once`() async throws {
        let cache = ResponseCache()
        let carrier = NotingSession(body: "image")
        for _ in 0..<3 { #expect(try await cache.data(from: url(0), session: carrier) == Data("image".utf8)) }
        #expect(carrier.requests.map(\.url) == [try url(0)])
        #expect(cache.byteCount == 5)
    }

    @Test func `a failure is not cached`() async throws {
        let cache = ResponseCache()
        await #expect(throws: RESTRequestError.self) {
            try await cache.data(from: url(0), session: NotingSession(status: 404, body: "none"))
        }
        #expect(cache[try url(0)] == nil)
        #expect(try await cache.data(from: url(0), session: NotingSession(body: "image")) == Data("image".utf8))
    }

    @Test func `the cache can be used concurrently`() async throws {
        let cache = ResponseCache(byteLimit: 1_000)
        let urls = try (0..<50).map(url)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    cache[urls[number % 50]] = Data(count: number % 90)
                    _ = cache[urls[(number * 7) % 50]]
                }
            }
        }
        #expect(cache.byteCount <= 1_000)
        #expect(urls.reduce(0) { $0 + (cache[$1]?.count ?? 0) } == cache.byteCount)
    }
}
