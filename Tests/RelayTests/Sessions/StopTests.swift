import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct StopTests {
    @Test func `active requests fail when the interceptor is stopped, with an error that says so`() async throws {
        let asked = AsyncStream.makeStream(of: Void.self)
        let never = AsyncStream.makeStream(of: Void.self)
        let interceptor = Interceptor.with(
            .stub(.any) { _ in
                asked.continuation.yield()
                for await _ in never.stream {}
                return .status(200)
            })
        let call = Task { [session = interceptor.session()] in try await session.text("http://a/") }
        for await _ in asked.stream { break }
        interceptor.stop()
        let error = await #expect(throws: RelayError.self) { try await call.value }
        #expect(error?.code == .interceptorGone)
        #expect(error?.message.contains("'test' was stopped") == true)
    }

    @Test func `later requests fail in the same way, even with known responses`() async throws {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        let session = interceptor.session()
        for _ in 0..<2 { #expect(try await session.text("http://a/") == "x") }
        interceptor.stop()
        let error = await #expect(throws: RelayError.self) { try await session.text("http://a/") }
        #expect(error?.code == .interceptorGone)
    }
}
