import Foundation
import HTTPArchive

/// A WebSocket message of an entry, as Chromium and Playwright record it.
struct WebSocketMessage {
    /// The origin of a message.
    enum Direction: String {
        case sent
        case received

        /// The browser reported an error, whose description is the data of the message.
        case error
    }

    /// The origin of the message.
    let direction: Direction

    /// The opcode of the frame (RFC 6455, section 5.2, https://www.rfc-editor.org/rfc/rfc6455#section-5.2), or nil if it
    /// is missing.
    let opcode: Int?

    /// The time in seconds since 1970, or nil if it is unknown.
    let time: Double?

    /// The recorded data: text, or Base64 for a binary message.
    let data: String

    /// Reads a message.
    init(_ value: JSONValue) {
        direction =
            switch value["type"]?.text {
            case "send": .sent
            case "error": .error
            default: .received
            }
        opcode = value["opcode"]?.int
        time = value["time"]?.double.flatMap { $0 < 0 ? nil : $0 }
        data = value["data"]?.text ?? ""
    }

    /// The name of the opcode, such as `text`, or `error`.
    var name: String {
        if direction == .error { return "error" }
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

    /// Returns the time from the start of an entry to the message, such as `0.120 s`, or nil if it is unknown.
    func elapsed(in entry: HAR.Entry) -> String? {
        guard let time, let start = entry.startedDate else { return nil }
        return (time - start.timeIntervalSince1970).rounded(to: 3) + " s"
    }

    /// The bytes of a binary message, or nil for other messages and for invalid Base64.
    var bytes: Data? { direction != .error && opcode == 2 ? Data(base64Encoded: data) : nil }

    /// The data as text, or nil for a binary message.
    var text: String? { direction != .error && opcode == 2 ? nil : data }
}

extension HAR.Entry {
    /// The WebSocket messages.
    var webSocketMessages: [WebSocketMessage] {
        (self["_webSocketMessages"]?.array ?? []).map(WebSocketMessage.init)
    }
}
