import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct StopTests {
    @Test func `active requests fail with an error that states the reason when the interceptor is stopped`()
        async throws
    {
        let requested = AsyncStream.makeStream(of: Void.self)
        let never = AsyncStream.makeStream(of: Void.self)
        let interceptor = Interceptor.with(
            .stub(.any) { _ in
                requested.continuation.yield()
                for await _ in never.stream {}
                return .status(200)
            })
        let call = Task { [session = interceptor.session()] in try await session.text("http://a/") }
        for await _ in requested.stream { break }
        interceptor.stop()
        let error = await #expect(throws: RelayError.self) { try await call.value }
        #expect(error?.code == .interceptorGone)
        #expect(error?.message.contains("'test' was stopped") == true)
    }

    @Test func `requests fail after the interceptor is stopped, even if their responses are cached`() async throws {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        let session = interceptor.session()
        for _ in 0..<2 { #expect(try await session.text("http://a/") == "x") }
        interceptor.stop()
        let error = await #expect(throws: RelayError.self) { try await session.text("http://a/") }
        #expect(error?.code == .interceptorGone)
    }
}
