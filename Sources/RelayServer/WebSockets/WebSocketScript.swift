#if Server
    import ArchiveInspection
    import Foundation
    import HTTPArchive

    /// A recorded WebSocket connection.
    struct WebSocketScript: Sendable {
        /// A recorded message.
        struct Event: Sendable {
            let isFromClient: Bool
            let message: WebSocketMessage

            /// The time since the request, in seconds, or nil if it is unknown.
            let time: Double?
        }

        /// The messages, in recorded order.
        let events: [Event]

        /// The time from the request to the response, in seconds.
        let openingTime: Double

        /// Whether the connection uses Engine.IO, whose URLs contain its version
        /// (https://socket.io/docs/v4/engine-io-protocol/#protocol).
        let isEngineIO: Bool

        /// The recorded response.
        let response: HAR.Response

        /// Reads an entry.
        ///
        /// Pings and pongs are left out, because each end answers those that it receives.
        init(of entry: HAR.Entry) {
            response = entry.response
            isEngineIO = NormalizedURL(entry.request.url).queryItems.contains { $0.hasPrefix("EIO=") }
            let timings = entry.timings
            let phases = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait]
            openingTime = phases.reduce(0) { $0 + max(0, $1 ?? 0) } / 1000
            events = entry.webSocketMessages.compactMap { recorded in
                guard recorded.direction == .sent || recorded.direction == .received,
                    let message = Self.message(recorded)
                else { return nil }
                return Event(
                    isFromClient: recorded.direction == .sent, message: message,
                    time: recorded.secondsElapsed(in: entry))
            }
        }

        private static func message(_ recorded: RecordedWebSocketMessage) -> WebSocketMessage? {
            switch recorded.opcode {
            case 1, nil: return .text(recorded.data)
            case 2: return recorded.bytes.map { .binary($0) } ?? .text(recorded.data)
            case 8:
                let content = Base64.decode(recorded.data) ?? Data()
                guard content.count >= 2 else { return .close(code: WebSocketFrame.noCode) }
                let code = Int(content[content.startIndex]) << 8 | Int(content[content.startIndex + 1])
                return .close(code: code, reason: String(decoding: content.dropFirst(2), as: UTF8.self))
            default: return nil
            }
        }
    }
#endif
