import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Delays, bandwidth limits and lost connections, with a clock that does not wait.
@Suite(.limited) struct DeliveryTests {
    private let clock = NotingClock()

    private func interceptor(_ entries: [HAR.Entry] = [], _ rules: Rule...) -> Interceptor {
        var configuration = Interceptor.Configuration()
        configuration.clock = clock
        let interceptor = Interceptor(entries: entries, configuration: configuration)
        interceptor.add(rules)
        return interceptor
    }

    @Test func `responses are delayed, delays add up, and a delay of zero does not wait`() async throws {
        let session = interceptor(
            [], .stub(.any, .text("x").delayed(by: .seconds(1))), .stub("a/now", .text("now")),
            .override("a/late", .delay(.seconds(2)))
        ).session()
        #expect(try await session.text("http://a/now") == "now")
        #expect(clock.waits == [])
        #expect(try await session.text("http://a/late") == "x")
        #expect(clock.waits == [.seconds(3)])
    }

    @Test func `errors and redirects are also delayed`() async throws {
        let session = interceptor(
            [], .stub("a/1", .failure(.timedOut).delayed(by: .seconds(1))),
            .stub("a/2", .redirect(to: "/3").delayed(by: .seconds(2))), .stub("a/3", .text("3"))
        ).session()
        let error = await #expect(throws: URLError.self) { try await session.text("http://a/1") }
        #expect(error?.code == .timedOut)
        #expect(try await session.text("http://a/2") == "3")
        #expect(clock.waits == [.seconds(1), .seconds(2)])
    }

    @Test func `recorded timings are reproduced, optionally scaled`() async throws {
        var entry = HAR.Entry.entry(text: "0123456789")
        entry.timings = HAR.Timings(blocked: 1, dns: -1, connect: 9, send: 10, wait: 80, receive: 20, ssl: 5)
        let interceptor = interceptor([entry], .override(.any, .recordedTimings()))
        #expect(try await interceptor.session().text("http://a/") == "0123456789")
        #expect(clock.waits == [.milliseconds(100), .milliseconds(20)])
        interceptor.removeAllRules()
        interceptor.add(.override(.any, .recordedTimings(scaledBy: 10)))
        #expect(try await interceptor.session().text("http://a/") == "0123456789")
        #expect(clock.waits.dropFirst(2).first == .seconds(1))
        #expect(clock.waits.dropFirst(3).reduce(.zero, +) == .milliseconds(200))
    }

    @Test func `a delegate receives the body in chunks over time, and an awaited call receives it at the end`()
        async throws
    {
        let body = String(repeating: "x", count: 400)
        let interceptor = interceptor([], .stub(.any, .text(body)), .override(.any, .bandwidth(bytesPerSecond: 2000)))
        #expect(try await interceptor.session().text("http://a/") == body)
        let waits = Array(repeating: Duration.milliseconds(50), count: 4)
        #expect(clock.waits == waits)
        let delegate = RecordingDelegate()
        let session = interceptor.session(delegate: delegate)
        #expect(await delegate.run(session.dataTask(with: URL("http://a/"))) == nil)
        let piece = "data " + String(repeating: "x", count: 100)
        #expect(delegate.log.events == ["response 200", piece, piece, piece, piece, "end"])
        #expect(Array(clock.waits.dropFirst(4)) == waits)
        #expect(try await session.text("http://a/") == body, "an awaited call in a session that has a delegate")
    }

    @Test func `a delegate receives the bytes sent before a connection is lost, and every caller receives the error`()
        async throws
    {
        let interceptor = interceptor(
            [], .stub(.any, .text("0123456789")), .override(.any, .cutOff(afterBytes: 4)))
        let error = await #expect(throws: URLError.self) { try await interceptor.session().text("http://a/") }
        #expect(error?.code == .networkConnectionLost)
        let delegate = RecordingDelegate()
        let lost = await delegate.run(interceptor.session(delegate: delegate).dataTask(with: URL("http://a/")))
        #expect((lost as? URLError)?.code == .networkConnectionLost)
        #expect(delegate.log.events == ["response 200", "data 0123", "end"])
        interceptor.add(.override(.any, .cutOff(afterBytes: 10)))
        #expect(
            try await interceptor.session().text("http://a/") == "0123456789", "the limit is not exceeded")
    }

    @Test func `canceling ends a delay immediately`() async throws {
        let interceptor = Interceptor.with(.stub(.any, .text("x").delayed(by: .seconds(3600))))
        let seen = interceptor.exchanges
        let call = Task { [session = interceptor.session()] in try await session.text("http://a/") }
        try await wait { interceptor.isAnythingRunning }
        call.cancel()
        await #expect(throws: URLError.self) { try await call.value }
        for await exchange in seen {
            #expect(throws: URLError(.cancelled)) { try exchange.result.get() }
            break
        }
        #expect(!interceptor.isAnythingRunning)
    }

    @Test func `extreme durations do not cause a crash`() {
        #expect(Pace(HAR.Timings(send: 1e300, wait: .infinity, receive: 1e300), scale: 1e10).delay > .seconds(1))
        let slow = Pace(transfer: .seconds(Int64.max / 4), bytesPerSecond: 0)
        for (size, count) in [(10, 10), (100_000, 1000), (0, 0)] {
            let response = InterceptedResponse(url: "http://a/", body: Data(count: size))
            #expect(slow.chunks(of: response).count == count)
        }
    }

    @Test(arguments: [
        ("data: 1\n\ndata: 2\n\n", [9, 18]), ("data: 1\r\n\r\ndata: 2\r\n\r\n", [11, 22]),
        ("data: 1\r\rdata: 2\r\r", [9, 18]), (":\n\n\n\ndata: 1", [5, 12]), ("\n\n", [2]), ("data", [4]),
        ("data: 1\n\n\r\n\n", [12]),
    ])
    func `the chunks of an event stream are its events`(text: String, ends: [Int]) {
        let stream = InterceptedResponse(
            url: "http://a/", headers: [HeaderField(name: "Content-Type", value: "text/event-stream; charset=utf-8")],
            body: Data(text.utf8))
        let chunks = Pace(transfer: .seconds(1)).chunks(of: stream)
        #expect(chunks.map(\.range.upperBound) == ends)
        #expect(chunks.map(\.range.lowerBound) == [0] + ends.dropLast())
        #expect(chunks.map(\.time) == (1...ends.count).map { .seconds(1) / ends.count * $0 })
        #expect(Pace().chunks(of: stream).map(\.range) == [0..<text.utf8.count])
    }
}
