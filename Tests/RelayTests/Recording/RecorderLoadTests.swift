import Dispatch
import Foundation
import Relay
import Synchronization
import Testing

@testable import HTTPArchive
@testable import RelayCore
@testable import RelayURLSession

/// Recorders with a slow archive: other threads do not wait for it, and pending exchanges use limited memory.
@Suite(.limited) struct RecorderLoadTests {
    private let archives: TemporaryArchives
    private let shop: URL

    init() throws {
        archives = try TemporaryArchives()
        shop = archives.folder.appendingPathComponent("shop.har")
    }

    /// Returns a recorder that calls a closure before each write of an entry.
    private func recorder(
        refusal: HARError? = nil, limit: BackgroundQueue.Load = .limit,
        beforeWriting hook: @escaping @Sendable () -> Void
    ) throws -> Recorder {
        let system = FileSystemCalls()
        var calls = FileSystemCalls()
        let isOpen = Mutex(false)
        calls.write = { descriptor, bytes, offset in
            if isOpen.withLock({ $0 }) { hook() }
            return system.write(descriptor, bytes, offset)
        }
        let writer = try FileSystemCalls.$current.withValue(calls) { try HARWriter(appendingTo: shop) }
        isOpen.withLock { $0 = true }
        return Recorder(
            into: shop, output: .archive(writer, count: 0), page: nil, settings: RecordingConfiguration(),
            limit: limit, findRefusal: { refusal })
    }

    @Test func `an entry that has no room on the disk does not prevent others that are written with it`() async throws {
        let system = FileSystemCalls()
        var calls = FileSystemCalls()
        calls.write = { descriptor, bytes, offset in
            guard bytes.count < 50_000 else {
                errno = ENOSPC
                return -1
            }
            return system.write(descriptor, bytes, offset)
        }
        let writer = try FileSystemCalls.$current.withValue(calls) { try HARWriter(appendingTo: shop) }
        let recorder = Recorder(
            into: shop, output: .archive(writer, count: 0), page: nil, settings: RecordingConfiguration())
        let gate = DispatchSemaphore(value: 0)
        recorder.receiver(replacing: .nothing).take { _ in
            gate.wait()
            return .exchange(received: Data("a".utf8))
        }
        for text in ["b", String(repeating: "c", count: 100_000), "d"] {
            recorder.receiver(replacing: .nothing).take { _ in .exchange(received: Data(text.utf8)) }
        }
        gate.signal()
        let report = await recorder.finish(discardingBecause: nil, within: .seconds(3600))
        #expect(report.recordedCount == 3)
        #expect(report.failures.map(\.code) == [.unwritableFile])
        #expect(try HAR.Log(contentsOf: shop).entries.map(\.response.content.text) == ["a", "b", "d"])
    }

    @Test func `requests do not wait for an entry that is being written`() async throws {
        let refusal = HARError(.unwritableFile, "The test does not allow recording.")
        let used = Mutex<Recorder?>(nil)
        let results = Log<HARError.Code?>()
        let recorder = try recorder(refusal: refusal) {
            // The write of the entry lasts until the calls on the other thread have returned.
            let isOver = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let recorder = used.withLock { $0 }
                results.append(recorder?.refuse()?.code)
                _ = recorder?.receiver(replacing: .nothing)
                _ = recorder?.effective(.once)
                isOver.signal()
            }
            isOver.wait()
        }
        used.withLock { $0 = recorder }
        recorder.receiver(replacing: .nothing).take { _ in .exchange(received: Data("a".utf8)) }
        let report = await recorder.finish(discardingBecause: nil, within: .seconds(3600))
        used.withLock { $0 = nil }
        #expect(results.events == [.unwritableFile])
        #expect(report.recordedCount == 1)
        #expect(report.failures.map(\.code) == [.unwritableFile])
    }

    @Test func `creating a recorder does not wait for an archive to be updated`() async throws {
        let place = SharedArchive.at(shop)
        let isRecorded = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                place.takeTurn { count in
                    let isOver = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        continuation.resume(returning: place.isRecorded)
                        isOver.signal()
                    }
                    isOver.wait()
                    count = 0
                }
            }
        }
        #expect(isRecorded)
    }

    /// Returns an interceptor that uses a recorder.
    private func interceptor(_ recorder: Recorder) -> Interceptor {
        let configuration = Interceptor.Configuration()
        return Interceptor(
            name: "shop", archives: ArchiveLayers([], configuration: configuration), mode: .all, recorder: recorder,
            configuration: configuration)
    }

    @Test func `requests wait without blocking threads while the maximum number of exchanges is pending`() async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let recorder = try recorder { gate.wait() }
        let interceptor = interceptor(recorder)
        let server = try LoopbackServer { LoopbackServer.ok($0.target) }
        let session = interceptor.session()
        let limit = BackgroundQueue.Load.limit.count
        for number in 0..<limit { #expect(try await session.text(server.url("/\(number)")) == "/\(number)") }
        try await wait { recorder.load.count == limit }
        #expect(recorder.isFull)
        // This work item runs before the decisions on later requests.
        let decided = Log<Int>()
        interceptor.enqueue { decided.append(server.requests.count) }
        let later = (0..<20).map { number in
            Task { try await session.text(server.url("/later/\(number)")) }
        }
        for _ in 0..<limit + 20 { gate.signal() }
        for (number, call) in later.enumerated() { #expect(try await call.value == "/later/\(number)") }
        #expect(decided.events == [limit])
        #expect(await interceptor.finishRecording()?.recordedCount == limit + 20)
    }

    @Test func `pending bodies beyond the maximum size are moved to a file`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let limit = BackgroundQueue.Load(count: .max, size: 300_000)
        let recorder = try recorder(limit: limit) { gate.wait() }
        let (size, count) = (10_000, 50)
        for number in 0..<count {
            let text = String(repeating: "\(number % 10)", count: size)
            recorder.receiver(replacing: .nothing).take(SpooledBody(Data(text.utf8))) { body in
                var exchange = CapturedExchange.exchange("GET", "http://a.example/\(number)")
                exchange.body = body
                return exchange
            }
        }
        #expect(recorder.load.count == count)
        #expect(recorder.load.size <= limit.size)
        for _ in 0..<count { gate.signal() }
        let report = await recorder.finish(discardingBecause: nil, within: .seconds(3600))
        #expect(report.recordedCount == count && report.failures.isEmpty)
        let archive = try HARArchive(contentsOf: shop)
        for number in 0..<count {
            let text = try archive.entry(at: number).response.content.text
            #expect(text == String(repeating: "\(number % 10)", count: size))
        }
    }

    @Test func `a burst of requests is recorded completely`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let recorder = try recorder { gate.wait() }
        let interceptor = interceptor(recorder)
        let server = try LoopbackServer { LoopbackServer.ok($0.target) }
        let session = interceptor.session()
        let count = 3 * BackgroundQueue.Load.limit.count
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<count { group.addTask { try await session.text(server.url("/\(number)")) } }
            for _ in 0..<count { gate.signal() }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(texts.count == count)
        #expect(await interceptor.finishRecording()?.recordedCount == count)
        #expect(!recorder.isFull)
    }
}
