#if Server
    import Foundation
    import HTTPArchive
    import NIOCore

    /// The messages of a WebSocket connection, in the form that Chromium exports.
    ///
    /// It is used only on the server's event loop.
    final class WebSocketRecording {
        private var sent: WebSocketParser
        private var received: WebSocketParser
        private var messages: [JSONValue] = []

        /// The total size of the messages, in bytes.
        private(set) var size = 0

        /// The maximum total size of the messages, in bytes.
        private static let limit = 32 << 20

        /// Whether messages were left out, because there are too many.
        private(set) var isIncomplete = false

        /// Prepares a recording.
        ///
        /// - Parameter extensions: The value of `Sec-WebSocket-Extensions` in the response; empty by default.
        init(extensions: String = "") {
            sent = WebSocketParser(extensions: extensions, isMasked: true)
            received = WebSocketParser(extensions: extensions, isMasked: false)
        }

        /// Notes bytes of the client.
        func send(_ bytes: ByteBuffer) { sent.feed(bytes) { add("send", $0, $1) } }

        /// Notes bytes of the server.
        func receive(_ bytes: ByteBuffer) { received.feed(bytes) { add("receive", $0, $1) } }

        /// Notes a frame without compression.
        func add(_ type: JSONString, _ frame: WebSocketFrame) { add(type, Int(frame.opcode), frame.content) }

        private func add(_ type: JSONString, _ opcode: Int, _ content: Data) {
            guard size + content.count <= Self.limit else { return isIncomplete = true }
            size += content.count
            let text = opcode == 1 ? String(validating: content, as: UTF8.self) : nil
            messages.append([
                "type": .string(type),
                "time": JSONNumber((Date().timeIntervalSince1970 * 1e6).rounded() / 1e6).map { .number($0) } ?? .null,
                "opcode": .number(JSONNumber(opcode)),
                "data": .string(JSONString(text ?? content.base64EncodedString())),
            ])
        }

        /// The custom fields of the entry.
        var fields: [String: JSONValue] { ["_resourceType": "websocket", "_webSocketMessages": .array(messages)] }
    }
#endif
