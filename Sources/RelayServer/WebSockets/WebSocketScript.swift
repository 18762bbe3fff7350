#if Server
    import ArchiveInspection
    import Foundation
    import HTTPArchive
    import RelayCore
    import Synchronization

    /// A recorded WebSocket connection, which its replays share.
    final class WebSocketScript: Sendable {
        /// A recorded message.
        struct Event: Sendable {
            let isFromClient: Bool

            /// The content, which frames of all replays share.
            let frame: WebSocketFrame

            /// The time since the request, in seconds, or nil if it is unknown.
            let time: Double?
        }

        /// The messages, in recorded order.
        let events: [Event]

        /// The indices of the messages of the client.
        private let clientIndices: [Int]

        /// The time from the request to the response, in seconds.
        let openingTime: Double

        /// Whether the connection uses Engine.IO, whose URLs contain its version
        /// (https://socket.io/docs/v4/engine-io-protocol/#protocol).
        let isEngineIO: Bool

        /// The origin of the page that opened the recorded connection, or nil if it is unknown.
        let origin: String?

        /// The recorded response.
        let response: HAR.Response

        /// Reads an entry.
        ///
        /// Pongs and the pings of the client are left out, because each end answers the pings that it receives.
        init(of entry: HAR.Entry) {
            response = entry.response
            origin = entry.request.header("origin")
            isEngineIO = NormalizedURL(entry.request.url).queryItems.contains { $0.hasPrefix("EIO=") }
            let timings = entry.timings
            let phases = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait]
            openingTime = phases.reduce(0) { $0 + max(0, $1 ?? 0) } / 1000
            events = entry.webSocketMessages.compactMap { recorded in
                guard recorded.direction == .sent || recorded.direction == .received,
                    let frame = Self.frame(recorded), frame.opcode != 9 || recorded.direction == .received
                else { return nil }
                return Event(
                    isFromClient: recorded.direction == .sent, frame: frame,
                    time: recorded.secondsElapsed(in: entry))
            }
            clientIndices = events.indices.filter { [events] in events[$0].isFromClient }
        }

        /// Returns the indices of the messages of the client from an index on.
        ///
        /// - Complexity: O(log *n*).
        func clientMessages(from index: Int) -> ArraySlice<Int> {
            var range = clientIndices.startIndex..<clientIndices.endIndex
            while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
                let isBefore = clientIndices[middle] < index
                range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return clientIndices[range.lowerBound...]
        }

        private static func frame(_ recorded: RecordedWebSocketMessage) -> WebSocketFrame? {
            switch recorded.opcode {
            case 1, nil: WebSocketFrame(.text(recorded.data))
            case 2: WebSocketFrame(recorded.bytes.map { .binary($0) } ?? .text(recorded.data))
            case 8:
                WebSocketFrame(opcode: 8, content: Base64.decode(recorded.data) ?? Data()).message.map(
                    WebSocketFrame.init)
            case 9: WebSocketFrame(.ping(Base64.decode(recorded.data) ?? Data()))
            default: nil
            }
        }
    }

    /// The recorded WebSocket connections that are being replayed.
    ///
    /// Many connections can replay the same large entry.
    final class WebSocketScripts: Sendable {
        private struct Reference { weak var script: WebSocketScript? }

        private let references = Mutex<[ObservedExchange.Source: Reference]>([:])

        /// Returns the script of an entry, which other connections may already use.
        ///
        /// - Parameters:
        ///   - entry: The entry.
        ///   - source: The location of the entry.
        /// - Returns: The script.
        func script(of entry: HAR.Entry, from source: ObservedExchange.Source) -> WebSocketScript {
            if let script = references.withLock({ $0[source]?.script }) { return script }
            let new = WebSocketScript(of: entry)
            return references.withLock { references in
                if let script = references[source]?.script { return script }
                if references.count >= 1000 { references = references.filter { $0.value.script != nil } }
                references[source] = Reference(script: new)
                return new
            }
        }
    }
#endif
