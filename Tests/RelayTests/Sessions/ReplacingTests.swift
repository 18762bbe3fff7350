import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct ReplacingTests {
    @Test func `requests in a session use the replacement of its interceptor`() async throws {
        let seat = Interceptor.saying("first")
        let session = seat.session()
        #expect(try await session.text("http://a/") == "first")
        seat.replace(with: .saying("second"))
        #expect(try await session.text("http://a/") == "second")
        seat.replace(with: .saying("third"))
        #expect(try await session.text("http://a/") == "third")
        seat.replace(with: nil)
        #expect(try await session.text("http://a/") == "first")
    }

    @Test func `requests in a scope use the replacement of its interceptor`() async throws {
        let seat = Interceptor.saying("first")
        seat.replace(with: .saying("second"))
        let text = try await seat.interceptEverySession { try await URLSession.shared.text("http://a/") }
        #expect(text == "second")
    }

    @Test func `active requests continue to use the original interceptor`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let begun = Log<Void>()
        let seat = Interceptor.with(
            .stub(.any) { _ in
                begun.append(())
                for await _ in gate { break }
                return .text("first")
            })
        let session = seat.session()
        async let text = session.text("http://a/")
        try await wait { !begun.events.isEmpty }
        seat.replace(with: .saying("second"))
        open.yield()
        #expect(try await text == "first")
    }
}
