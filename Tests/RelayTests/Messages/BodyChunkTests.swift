import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// The times of the parts of a body: recording, reading, and the parts of the replayed body.
@Suite(.limited) struct BodyChunkTests {
    private static let stream = "text/event-stream; charset=utf-8"

    private func log(_ type: String?, _ chunks: [(size: Int, time: Double)]) -> ChunkLog {
        var log = ChunkLog(contentType: type)
        for chunk in chunks { log.note(chunk.size, at: chunk.time) }
        return log
    }

    private func entry(_ fields: [String: JSONValue], text: String? = nil) -> HAR.Entry {
        var entry = HAR.Entry.entry(headers: [("Content-Type", Self.stream)], text: text)
        for (name, value) in fields { entry[name] = value }
        return entry
    }

    // MARK: - Recording

    @Test func `all chunks of a stream are recorded, and those that arrive together as one`() {
        let log = log(Self.stream, [(10, 5), (3, 5.5), (0, 6), (20, 7.12345)])
        #expect(log.field == [["time": 5.0, "size": 13], ["time": 7.123, "size": 20]])
        #expect(self.log(Self.stream, [(1, 5)]).field == [["time": 5.0, "size": 1]])
        #expect(self.log("application/x-ndjson", [(1, 5)]).field != nil)
        #expect(self.log(Self.stream, []).field == nil)
    }

    @Test func `the chunks of another body are recorded only if it paused`() {
        #expect(log("text/html", [(10, 5), (10, 50), (10, 95)]).field == nil)
        #expect(log(nil, [(10, 500)]).field == nil)
        #expect(
            log("text/html", [(10, 5), (10, 6), (10, 150)]).field
                == [["time": 5.0, "size": 20], ["time": 150.0, "size": 10]])
    }

    @Test func `the number of chunks is limited, and no byte is lost`() throws {
        let log = log("text/html", (0..<5000).map { (2, Double($0) * 100) })
        let chunks = try #require(log.field?.array)
        #expect(500...1000 ~= chunks.count)
        #expect(chunks.reduce(0) { $0 + ($1["size"]?.int ?? 0) } == 10_000)
        let times = chunks.compactMap { $0["time"]?.double }
        #expect(times == times.sorted() && times.last ?? 0 > 490_000)
    }

    // MARK: - Reading

    @Test func `chunks are read in the forms of several tools`() {
        let own = entry(["_chunks": [["time": 1.5, "size": 2], ["time": 3, "size": 4]]])
        let others = entry(["_chunks": [["ts": 1.5, "bytes": 2], ["timestamp": 3, "bytes": 4]]])
        let chunks = [BodyChunk(time: 1.5, size: 2), BodyChunk(time: 3, size: 4)]
        #expect(own.bodyChunks == chunks && others.bodyChunks == chunks)
    }

    @Test(arguments: [1, 1e3, 1e6, 1e9])
    func `Chromium's messages are read, with times in any unit`(unit: Double) {
        let start = 1_767_225_600.0
        let entry = entry([
            "_eventSourceMessages": .array(
                [0.25, 0.5].map { time in
                    ["time": JSONNumber((start + time) * unit).map { .number($0) } ?? .null, "data": "x"]
                })
        ])
        #expect(entry.bodyChunks.map { $0.time.rounded() } == [250, 500])
    }

    @Test func `a stream without a body is made from Chromium's messages`() throws {
        let entry = entry([
            "_eventSourceMessages": [
                ["time": 1_767_225_600.1, "eventName": "message", "eventId": "", "data": "é\u{2028}"],
                ["time": 1_767_225_600.2, "eventName": "add", "eventId": "message", "data": "{\n}"],
                ["eventName": "a\ndata: b", "data": ["no text"]], "invalid",
            ]
        ])
        let body = "data: é\u{2028}\n\nid: message\nevent: add\ndata: {\ndata: }\n\ndata: \n\ndata: \n\n"
        #expect(try Interceptor(entries: [entry]).text() == body)
        var recorded = entry
        recorded.response.content.text = "data: recorded\n\n"
        #expect(try Interceptor(entries: [recorded]).text() == "data: recorded\n\n")
    }

    @Test func `hostile values neither end the process nor lose a byte`() throws {
        let values: [JSONValue] = [
            .null, "x", [], -1, 0, 1, .number(JSONNumber(Int.max)), .number(JSONNumber(Int.min)), 1e300, -1e300,
            try JSONValue(parsing: "1e999"), try JSONValue(parsing: "[{\"time\": 1, \"size\": 1}]"),
        ]
        let chunks = values.flatMap { time in values.map { ["time": time, "size": $0] as JSONValue } }
        let text = String(repeating: "data: x\n\n", count: 50)
        for field in [.array(chunks), .array(chunks.reversed()), .array(values), "x", ["time": 1]] as [JSONValue] {
            for name in ["_chunks", "_eventSourceMessages"] {
                let entry = entry([name: field], text: text)
                for borders in [[], EventStream.ends(of: Data(text.utf8))] {
                    let ranges = entry.bodyChunks.ranges(of: text.utf8.count, borders: borders)
                    #expect(ranges.isEmpty == entry.bodyChunks.isEmpty)
                    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
                    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.time <= $1.time })
                    #expect(ranges.last?.range.upperBound ?? text.utf8.count == text.utf8.count)
                    #expect(ranges.first?.range.lowerBound ?? 0 == 0)
                }
            }
        }
        let many = entry(["_chunks": .array(Array(repeating: ["size": 1], count: 200_000))], text: text)
        #expect(many.bodyChunks.count == 100_000)
    }

    // MARK: - Parts of a body

    private func ends(_ sizes: [Int], of size: Int, borders: [Int] = []) -> [Int] {
        let chunks = sizes.enumerated().map { BodyChunk(time: Double($0), size: $1) }
        return chunks.ranges(of: size, borders: borders).map(\.range.upperBound)
    }

    @Test func `chunks have their recorded sizes, or else their share of the body, at the ends of events`() {
        #expect(ends([3, 4, 5], of: 12) == [3, 7, 12])
        #expect(ends([3, 4, 5], of: 12, borders: [6, 12]) == [3, 7, 12], "as received, within events")
        #expect(ends([30, 40, 50], of: 12) == [3, 7, 12], "received with a content coding")
        #expect(ends([3, 3, 4], of: 100, borders: [20, 50, 90, 100]) == [50, 90, 100])
        #expect(ends([9, 1, 1], of: 100, borders: [20, 50, 100]) == [20, 50, 100], "one chunk for each event")
        #expect(ends([0, 0, 0, 0], of: 100) == [25, 50, 75, 100], "without sizes")
        #expect(ends([0, 0], of: 100, borders: [10, 60, 90, 100]) == [60, 100])
        #expect(ends([1, 2], of: 0).isEmpty)
    }

    // MARK: - Redaction

    private static let secret = "sk-" + "proj-4f8Kx29QmLp0aBvTz71W"

    private func exchange(_ received: String) -> CapturedExchange {
        var exchange = CapturedExchange.exchange(
            fields: ["Content-Type": Self.stream], received: Data(received.utf8))
        exchange.customFields["_chunks"] = log(Self.stream, [(received.utf8.count - 9, 5), (9, 50)]).field
        return exchange
    }

    @Test(arguments: [RecordingConfiguration.Bodies.embed, .attach])
    func `sizes of chunks are kept unless the body contains a secret`(bodies: RecordingConfiguration.Bodies) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = RecordingConfiguration()
        settings.bodies = bodies
        let builder = EntryBuilder(settings: settings, folder: folder, redactor: try HARRedactor())
        let plain = try builder.entry(for: exchange("data: {\"a\":1}\n\ndata: 2\n\n"), page: nil)
        #expect(plain["_chunks"] == [["time": 5.0, "size": 15], ["time": 50.0, "size": 9]])
        let text = "data: {\"access_token\":\"\(Self.secret)\"}\n\ndata: 2\n\n"
        let redacted = try builder.entry(for: exchange(text), page: nil)
        #expect(redacted["_chunks"] == [["time": 5.0], ["time": 50.0]])
        let stream = Data(text.replacing(Self.secret, with: "REDACTED").utf8)
        #expect(
            redacted.bodyChunks.ranges(of: stream.count, borders: EventStream.ends(of: stream)).map(\.time) == [5, 50])
        let repeatable = exchange("data: 1\n\n")
        settings.repeatable = .init()
        let entry = try EntryBuilder(settings: settings, folder: folder).entry(for: repeatable, page: nil)
        #expect(entry["_chunks"] == nil, "times differ in each run")
    }
}
