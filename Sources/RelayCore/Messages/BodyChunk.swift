import Foundation
package import HTTPArchive

/// A part of a body as it was received.
package struct BodyChunk: Hashable, Sendable {
    /// The time from the start of the exchange, in milliseconds.
    package var time: Double

    /// The size in bytes, or 0 if it is unknown.
    package var size: Int
}

/// The chunks of a body that is being received.
///
/// A log of an ordinary body is small, and is discarded unless the body paused.
package struct ChunkLog: Sendable {
    private var chunks: [BodyChunk] = []
    private let isStream: Bool

    /// The time within which chunks count as one, in milliseconds.
    private var interval: Double

    private var lastTime: Double?
    private var longestPause = 0.0

    /// The media types whose parts clients handle as they arrive.
    private static let streamTypes: Set = [
        "text/event-stream", "application/x-ndjson", "application/jsonl", "application/json-seq",
        "application/stream+json", "application/vnd.amazon.eventstream", "multipart/x-mixed-replace",
    ]

    /// The pause that makes the times of an ordinary body useful, in milliseconds.
    private static let pause = 100.0

    /// Creates an empty log.
    ///
    /// - Parameter contentType: The field `Content-Type` of the response, or nil (the default) if it is missing.
    package init(contentType: String? = nil) {
        let type = contentType.flatMap(MediaType.init)
        isStream = type.map { Self.streamTypes.contains($0.essence) } ?? false
        interval = isStream ? 1 : 20
    }

    /// Adds a chunk.
    ///
    /// - Parameters:
    ///   - size: The size in bytes.
    ///   - time: The time from the start of the exchange, in milliseconds.
    package mutating func note(_ size: Int, at time: Double) {
        guard size > 0 else { return }
        longestPause = max(longestPause, time - (lastTime ?? time))
        lastTime = time
        if let last = chunks.last, time - last.time < interval { return chunks[chunks.count - 1].size += size }
        if chunks.count == (isStream ? BodyChunk.limit : 1000) { mergePairs() }
        chunks.append(BodyChunk(time: time, size: size))
    }

    /// Halves the number of chunks.
    private mutating func mergePairs() {
        interval *= 2
        chunks = stride(from: 0, to: chunks.count, by: 2).map { index in
            let next = index + 1 < chunks.count ? chunks[index + 1].size : 0
            return BodyChunk(time: chunks[index].time, size: chunks[index].size + next)
        }
    }

    /// The value of the custom field `_chunks`, or nil if it would not be useful.
    package var field: JSONValue? {
        guard isStream ? !chunks.isEmpty : longestPause >= Self.pause else { return nil }
        return .array(
            chunks.map { chunk in
                let time = JSONNumber((chunk.time * 1000).rounded() / 1000)
                return ["time": time.map { .number($0) } ?? .null, "size": .number(JSONNumber(chunk.size))]
            })
    }
}

extension BodyChunk {
    /// The maximum number of chunks of an entry.
    fileprivate static let limit = 100_000
}

extension HAR.Entry {
    /// The recorded times of the parts of the response's body; empty if they are unknown.
    ///
    /// They are read from `_chunks`, as recorded by Relay and other tools, or else from `_eventSourceMessages`. At most
    /// 100,000 are read.
    package var bodyChunks: [BodyChunk] {
        let chunks = self["_chunks"]?.array?.prefix(BodyChunk.limit).map { chunk in
            BodyChunk(
                time: (chunk["time"] ?? chunk["timestamp"] ?? chunk["ts"])?.double ?? 0,
                size: max(0, (chunk["size"] ?? chunk["bytes"])?.int ?? 0))
        }
        if let chunks, !chunks.isEmpty { return chunks }
        return eventSourceMessages.prefix(BodyChunk.limit).map { message in
            BodyChunk(time: (message["time"].flatMap(secondsElapsed) ?? 0) * 1000, size: 0)
        }
    }

    private var eventSourceMessages: [JSONValue] { self["_eventSourceMessages"]?.array ?? [] }

    /// The event stream with the messages that Chromium recorded, or nil if it recorded none.
    ///
    /// Comments, retry times and the spelling of lines are not recorded.
    var eventSourceBody: Data? {
        let messages = eventSourceMessages
        guard !messages.isEmpty else { return nil }
        return Data(
            messages.map { message in
                let fields = [("id", "eventId", ""), ("event", "eventName", "message")].compactMap {
                    name, member, usual in
                    message[member]?.text.flatMap {
                        $0.isEmpty || $0 == usual || $0.contains(where: \.isLineBreak) ? nil : "\(name): \($0)\n"
                    }
                }
                let lines = (message["data"]?.text ?? "").split(
                    omittingEmptySubsequences: false, whereSeparator: \.isLineBreak)
                return fields.joined() + lines.map { "data: \($0)\n" }.joined() + "\n"
            }.joined().utf8)
    }
}

extension Character {
    /// Whether the character ends a line of an event stream, unlike other line breaks of Unicode.
    fileprivate var isLineBreak: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}

extension [BodyChunk] {
    /// Returns the byte ranges of the chunks in a body, with their times in ascending order.
    ///
    /// If the sizes do not add up to the size of the body, because it was decoded or changed, each chunk gets its share
    /// of the body. A chunk of an event stream then ends with an event; as many chunks as events are the events.
    ///
    /// - Parameters:
    ///   - size: The size of the body, in bytes.
    ///   - borders: The offsets at which the events of an event stream end; empty for any other body.
    /// - Returns: The chunks that are not empty. Together, they are the body.
    package func ranges(of size: Int, borders: [Int]) -> [(time: Double, range: Range<Int>)] {
        let total = reduce(0) { $0.adding(clamping: $1.size) }
        var (time, received, start, border) = (0.0, 0, 0, 0)
        return enumerated().compactMap { index, chunk in
            time = Swift.max(time, chunk.time)
            received = total > 0 ? received.adding(clamping: chunk.size) : index + 1
            var end = received
            if total != size {
                end = Int(clamping: Double(size) * Double(received) / Double(total > 0 ? total : count))
                if borders.count == count {
                    end = borders[index]
                } else if !borders.isEmpty {
                    while border < borders.count - 1, borders[border] < end { border += 1 }
                    end = borders[border]
                }
            }
            end = index == count - 1 ? size : Swift.min(Swift.max(start, end), size)
            defer { start = end }
            return start < end ? (time, start..<end) : nil
        }
    }
}
