import Foundation
import Synchronization
import Testing

@testable import RelayCore

@Suite(.limited) struct CodedExchangeTests {
    /// Records exchanges whose body has a content coding at the same time, and returns the body in the recordings.
    private func recorded(_ body: Data, coding: String) async throws -> Data {
        let exchanges = RecordedExchanges()
        let receiver = exchanges.receiver(on: BackgroundQueue(label: "CodedExchangeTests"))
        let fields = [HeaderField(name: "Content-Encoding", value: coding)]
        for _ in 0..<20 {
            receiver.take(SpooledBody(body), weight: body.count, codedBy: fields) { decoded in
                CapturedExchange(
                    request: InterceptedRequest(method: "GET", url: "http://a.test/"), start: Date(), body: decoded)
            }
        }
        let bodies = Set(await exchanges.first(20).map(\.body.data))
        try #require(bodies.count == 1)
        return bodies.first ?? Data()
    }

    @Test func `a body that is much larger without its content codings is recorded without them`() async throws {
        // The letter a, 500,000 times, compressed twice.
        let text = "H4sIAAAAAAACA5Pv5mAAASbmtwcbQYzDCtd+ess8CWVkGAXDHXzImd25JlFhITsDALH0FpMHAgAA"
        let body = try #require(Data(base64Encoded: text))
        #expect(try await recorded(body, coding: "gzip, gzip") == Data(repeating: UInt8(ascii: "a"), count: 500_000))
        #expect(try await recorded(body, coding: "gzip").count == 519)
    }

    @Test(arguments: [700, 60_000, 2_000_000])
    func `an exchange with much compressed text is received again among heavier ones`(weight: Int) async throws {
        let queue = BackgroundQueue(label: "CodedExchangeTests")
        let steps = Mutex<[String]>([])
        let receiver = ExchangeReceiver(
            queue: queue, end: { steps.withLock { $0.append("end") } },
            receive: { _, size, limit in
                #expect(size == WorkSize(limit))
                steps.withLock { $0.append(limit == .max ? "all" : "\(limit)") }
                return limit > 1 << 20
            }, commit: { size in steps.withLock { $0.append("commit \(size)") } })
        await withCheckedContinuation { continuation in
            receiver.take(weight: weight, then: { continuation.resume() }) { body in
                CapturedExchange(
                    request: InterceptedRequest(method: "GET", url: "http://a.test/"), start: Date(), body: body)
            }
        }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        let limits = [700: [700, 11200, 179_200], 60_000: [60_000, 960_000]][weight] ?? []
        let expected = limits.flatMap { ["\($0)", "commit \(WorkSize($0))"] } + ["all", "commit unlimited"]
        #expect(steps.withLock { $0.filter { $0 != "end" } } == expected)
        #expect(steps.withLock { $0.filter { $0 == "end" } }.count == 1)
    }

    @Test(arguments: ["gzip", "deflate", "unknown"])
    func `a body without its declared coding is recorded unchanged`(coding: String) async throws {
        #expect(try await recorded(Data("plain text".utf8), coding: coding) == Data("plain text".utf8))
    }
}
