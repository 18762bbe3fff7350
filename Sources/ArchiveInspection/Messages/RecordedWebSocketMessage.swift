package import Foundation
package import HTTPArchive

/// A WebSocket message of an entry, as Chromium and Playwright record it.
///
/// The format is not specified. Values that are not in it are treated as missing.
package struct RecordedWebSocketMessage {
    /// The origin of a message.
    package enum Direction: String {
        case sent
        case received

        /// The browser reported an error, whose description is the data of the message.
        case error

        /// The recorded value is not an object. Its JSON text is the data of the message.
        case invalid
    }

    /// The origin of the message.
    package let direction: Direction

    /// The opcode of the frame (RFC 6455, section 5.2, https://www.rfc-editor.org/rfc/rfc6455#section-5.2), or nil if it
    /// is missing.
    package let opcode: Int?

    /// The recorded time, or nil if it is missing.
    private let time: JSONValue?

    /// The recorded data: text, or Base64 for a binary message.
    package let data: String

    /// Reads a message.
    package init(_ value: JSONValue) {
        direction =
            switch value["type"]?.text {
            case _ where value.object == nil: .invalid
            case "send": .sent
            case "error": .error
            default: .received
            }
        opcode = value.object?.int("opcode").flatMap { 0...15 ~= $0 ? $0 : nil }
        time = value["time"]
        let data = value.object == nil ? value : value["data"] ?? .null
        self.data = data.text ?? (data == .null ? "" : String(decoding: data.data(), as: UTF8.self))
    }

    /// The name of the opcode, such as `text`, or `error` or `invalid`.
    package var name: String {
        if !hasOpcode { return direction.rawValue }
        return switch opcode {
        case 0: "continuation"
        case 1, nil: "text"
        case 2: "binary"
        case 8: "close"
        case 9: "ping"
        case 10: "pong"
        case let opcode?: "opcode \(opcode)"
        }
    }

    private var hasOpcode: Bool { direction == .sent || direction == .received }

    /// Returns the time from the start of an entry to the message in seconds, or nil if it is unknown.
    package func secondsElapsed(in entry: HAR.Entry) -> Double? { time.flatMap(entry.secondsElapsed) }

    /// Returns the time from the start of an entry to the message, such as `0.120 s`, or nil if it is unknown.
    package func elapsed(in entry: HAR.Entry) -> String? {
        secondsElapsed(in: entry).map { String(format: "%.3f s", $0) }
    }

    /// The bytes of a binary message, or nil for other messages and for invalid Base64.
    package var bytes: Data? { hasOpcode && opcode == 2 ? Base64.decode(data) : nil }

    /// The data as text, or nil for a binary message with valid Base64.
    package var text: String? { bytes == nil ? data : nil }
}

extension HAR.Entry {
    /// The WebSocket messages.
    package var webSocketMessages: [RecordedWebSocketMessage] {
        (self["_webSocketMessages"]?.array ?? []).map(RecordedWebSocketMessage.init)
    }
}
