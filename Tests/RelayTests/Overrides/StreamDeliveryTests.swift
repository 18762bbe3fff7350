import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Event streams that are delivered with their recorded pace, with a clock that does not wait.
@Suite(.limited) struct StreamDeliveryTests {
    private let clock = NotingClock()
    private let text = "data: 1\n\ndata: two\n\ndata: 3\n\n"

    private func entry(_ chunks: JSONValue) -> HAR.Entry {
        var entry = HAR.Entry.entry(headers: [("Content-Type", "text/event-stream")], text: text)
        entry.timings = HAR.Timings(send: 10, wait: 90, receive: 5000)
        entry["_chunks"] = chunks
        return entry
    }

    private var stream: HAR.Entry {
        entry([["time": 120, "size": 9], ["time": 620, "size": 11], ["time": 625.5, "size": 9]])
    }

    private func interceptor(_ entry: HAR.Entry, _ rules: Rule...) -> Interceptor {
        var configuration = Interceptor.Configuration()
        configuration.clock = clock
        let interceptor = Interceptor(entries: [entry], configuration: configuration)
        interceptor.add(rules)
        return interceptor
    }

    /// The delays, rounded to microseconds.
    private var waits: [Duration] {
        clock.waits.map { .microseconds(Int(clamping: ($0 / .microseconds(1)).rounded())) }
    }

    private func events(_ interceptor: Interceptor) async throws -> [String] {
        let delegate = RecordingDelegate()
        let session = interceptor.session(delegate: delegate)
        #expect(await delegate.run(session.dataTask(with: URL("http://a/"))) == nil)
        return delegate.log.events
    }

    @Test func `a delegate receives each event at its recorded time`() async throws {
        let events = try await events(interceptor(stream, .override(.any, .recordedTimings())))
        #expect(events == ["response 200", "data data: 1\n\n", "data data: two\n\n", "data data: 3\n\n", "end"])
        #expect(waits == [.milliseconds(100), .milliseconds(20), .milliseconds(500), .microseconds(5500)])
    }

    @Test func `the pace can be scaled, and its bandwidth limited`() async throws {
        let scaled = interceptor(stream, .override(.any, .recordedTimings(scaledBy: 0.5)))
        #expect(try await events(scaled).count == 5)
        #expect(waits == [.milliseconds(50), .milliseconds(10), .milliseconds(250), .microseconds(2750)])
        let limited = Pace(bytesPerSecond: 10)
        var pace = limited
        pace.recordedChunks = [BodyChunk(time: 3000, size: 20), BodyChunk(time: 3000, size: 10)]
        let response = InterceptedResponse(url: "http://a/", body: Data(count: 30))
        #expect(pace.chunks(of: response).map(\.time) == [.seconds(3), .seconds(3)])
        pace.recordedChunks[1].time = 0
        #expect(pace.chunks(of: response).map(\.time) == [.seconds(3), .seconds(3)])
    }

    @Test func `delivery is immediate by default, and events keep their order in one chunk`() async throws {
        let events = try await events(interceptor(stream))
        #expect(events == ["response 200", "data \(text)", "end"])
        #expect(clock.waits == [])
    }

    @Test func `a changed body is delivered with the times of the recorded one`() async throws {
        let change = ResponseOverride.text("data: a\n\ndata: b\n\ndata: c\n\n", type: "text/event-stream")
        let events = try await events(
            interceptor(stream, .override(.any, change), .override(.any, .recordedTimings())))
        #expect(events == ["response 200", "data data: a\n\n", "data data: b\n\n", "data data: c\n\n", "end"])
    }

    @Test func `a stream without times is split at its events`() async throws {
        let events = try await events(interceptor(entry([]), .override(.any, .recordedTimings())))
        #expect(events == ["response 200", "data data: 1\n\n", "data data: two\n\n", "data data: 3\n\n", "end"])
        #expect(waits.count == 4 && abs(waits.reduce(.zero, +) / .milliseconds(1) - 5100) < 0.01)
    }

    @Test func `a client that leaves gets the events so far, and stops the delivery`() async throws {
        let late = entry([["time": 100, "size": 9], ["time": 3_600_000, "size": 20]])
        let interceptor = Interceptor(entries: [late])
        interceptor.add(.override(.any, .recordedTimings()))
        let delegate = RecordingDelegate()
        let task = interceptor.session(delegate: delegate).dataTask(with: URL("http://a/"))
        async let error = delegate.run(task)
        try await wait { delegate.log.events.count >= 2 }
        #expect(interceptor.isAnythingRunning)
        task.cancel()
        #expect(await (error as? URLError)?.code == .cancelled)
        #expect(delegate.log.events == ["response 200", "data data: 1\n\n", "end"])
        #expect(!interceptor.isAnythingRunning)
    }
}
