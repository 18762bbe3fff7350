import Foundation
import HTTPArchive
import Relay
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct TimeLimitTests {
    private func interceptor(clock: any Clock<Duration>, _ rules: Rule...) -> Interceptor {
        var configuration = Interceptor.Configuration()
        configuration.clock = clock
        let interceptor = Interceptor(configuration: configuration)
        interceptor.add(rules)
        return interceptor
    }

    @Test func `a closure that does not return fails after 15 seconds with an error that names the request`()
        async throws
    {
        let clock = NotingClock()
        let never = AsyncStream.makeStream(of: Void.self)
        let session = interceptor(
            clock: clock,
            .stub(.any) { _ in
                for await _ in never.stream {}
                try Task.checkCancellation()
                return .status(200)
            }
        ).session()
        let error = await #expect(throws: RelayError.self) { try await session.text("http://a/b?token=secret") }
        #expect(error?.code == .timeLimitExceeded)
        #expect(clock.waits == [.seconds(15)])
        let message = try #require(error?.message)
        #expect(message.contains("GET http://a/b"))
        #expect(!message.contains("secret"))
    }

    @Test func `a closure that ignores cancellation does not block the request`() async throws {
        let clock = NotingClock()
        let release = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let session = interceptor(
            clock: clock,
            .stub(.any) { _ in
                await withCheckedContinuation { continuation in release.withLock { $0 = continuation } }
                return .text("too late")
            }
        ).session()
        let error = await #expect(throws: RelayError.self) { try await session.text("http://a/") }
        #expect(error?.code == .timeLimitExceeded)
        while true {
            if let continuation = release.withLock({ $0.take() }) {
                continuation.resume()
                break
            }
            await Task.yield()
        }
    }

    @Test func `a closure that changes a response has the same time limit`() async {
        let never = AsyncStream.makeStream(of: Void.self)
        let session = interceptor(
            clock: NotingClock(), .stub(.any, .text("x")),
            .override(
                .any,
                .changing { _, response in
                    for await _ in never.stream {}
                    return response
                })
        ).session()
        let error = await #expect(throws: RelayError.self) { try await session.text("http://a/") }
        #expect(error?.code == .timeLimitExceeded)
    }

    @Test func `a closure that returns in time is not affected`() async throws {
        let session = interceptor(clock: ContinuousClock(), .stub(.any) { _ in .text("in time") }).session()
        #expect(try await session.text("http://a/") == "in time")
    }
}
