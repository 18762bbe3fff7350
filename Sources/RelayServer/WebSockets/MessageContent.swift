#if Server
    import ArchiveInspection
    import Foundation
    import HTTPArchive

    /// The content of a WebSocket message, in the form in which messages are compared.
    enum MessageContent {
        /// A JSON value, after the type, namespace and acknowledgment id of a Socket.IO packet, if it is one
        /// (https://socket.io/docs/v4/socket-io-protocol/#packet-encoding).
        case json(JSONValue, packet: SocketIOPacket)

        /// A STOMP frame (https://stomp.github.io/stomp-specification-1.2.html#STOMP_Frames).
        case stomp(STOMPFrame)
        case text(String)
        case binary(Data)

        /// Interprets a message.
        init(_ message: WebSocketMessage) {
            switch message {
            case .binary(let data): self = .binary(data)
            case .ping, .close: self = .text("")
            case .text(let text):
                let packet = SocketIOPacket(startOf: text)
                let start = text.utf8.index(text.utf8.startIndex, offsetBy: packet.length)
                let rest = text[start...]
                let isJSON = rest.utf8.first.map("{[".utf8.contains) ?? false
                if isJSON, let value = try? JSONValue(parsing: Data(rest.utf8)) {
                    self = .json(value, packet: packet)
                } else if let frame = STOMPFrame(text) {
                    self = .stomp(frame)
                } else {
                    self = .text(text)
                }
            }
        }

        /// The message.
        var message: WebSocketMessage {
            switch self {
            case .json(let value, let packet):
                .text(packet.text + String(decoding: value.data(layout: .compact), as: UTF8.self))
            case .stomp(let frame): .text(frame.text)
            case .text(let text): .text(text)
            case .binary(let data): .binary(data)
            }
        }

        /// Returns whether clients send the message at certain times, so that its presence depends on the duration of a
        /// connection: the heart-beats of STOMP, Engine.IO and GraphQL over WebSocket.
        ///
        /// - Parameter isEngineIO: Whether the connection uses Engine.IO.
        /// - Returns: Whether the message is a heart-beat.
        func isHeartbeat(isEngineIO: Bool) -> Bool {
            switch self {
            case .text(let text): ["", "\n", "\r\n"].contains(text) || isEngineIO && ["2", "3"].contains(text)
            case .json(let value, _): ["ping", "pong"].contains(value["type"]?.text) && value["id"] == nil
            case .stomp, .binary: false
            }
        }

        /// The response to a heart-beat that the archive does not contain, or nil if it needs none.
        var heartbeatResponse: WebSocketMessage? {
            switch self {
            case .text("2"): .text("3")
            case .json(let value, _) where value["type"]?.text == "ping": .json(["type": "pong"])
            default: nil
            }
        }

        /// Returns a member of a JSON object, a value at a JSON pointer, or a header field of a STOMP frame.
        func value(named name: String) -> JSONValue? {
            switch self {
            case .json(let value, let packet):
                if name == SocketIOPacket.idName { return packet.id.map { .string(JSONString($0)) } }
                guard name.hasPrefix("/") else { return value[name] }
                return JSONPointer(text: name)?.components.reduce(value) { value, component in
                    value?[component] ?? Int(component).flatMap { value?[$0] }
                }
            case .stomp(let frame): return frame[name].map { .string(JSONString($0)) }
            case .text, .binary: return nil
            }
        }
    }

    /// The beginning of a Socket.IO packet: the types, and optionally the number of attachments, a namespace and an
    /// acknowledgment id.
    ///
    /// It is empty for a message that is only JSON.
    struct SocketIOPacket {
        /// The types of Engine.IO and Socket.IO, the number of attachments and the namespace, such as `451-/chat,`.
        let type: String

        /// The acknowledgment id, or nil if the packet has none.
        var id: String?

        /// The size in bytes.
        let length: Int

        /// The name of the acknowledgment id in templates and identifiers.
        static let idName = "ack"

        /// Parses the beginning of a message.
        init(startOf text: String) {
            let bytes = Array(text.utf8.prefix(256))
            // The types have one digit each.
            var end = bytes.prefix(2).prefix { 0x30...0x39 ~= $0 }.count
            let attachments = bytes[end...].prefix { 0x30...0x39 ~= $0 }
            if end > 0, !attachments.isEmpty, bytes[attachments.endIndex...].first == UInt8(ascii: "-") {
                end = attachments.endIndex + 1
            }
            if end > 0, bytes[end...].first == UInt8(ascii: "/"),
                let comma = bytes[end...].firstIndex(of: UInt8(ascii: ","))
            {
                end = comma + 1
            }
            let id = bytes[end...].prefix { 0x30...0x39 ~= $0 }
            type = String(decoding: bytes[..<end], as: UTF8.self)
            self.id = id.isEmpty ? nil : String(decoding: id, as: UTF8.self)
            length = end + id.count
        }

        /// The text of the beginning.
        var text: String { type + (id ?? "") }
    }

    /// A STOMP frame in a message.
    struct STOMPFrame {
        let command: String

        /// The header fields, in order, as written.
        var fields: [(name: String, value: String)]

        /// The text after the header fields, with the NUL that ends the frame.
        let body: String

        private static let commands: Set = [
            "CONNECT", "STOMP", "CONNECTED", "SEND", "SUBSCRIBE", "UNSUBSCRIBE", "ACK", "NACK", "BEGIN", "COMMIT",
            "ABORT", "DISCONNECT", "MESSAGE", "RECEIPT", "ERROR",
        ]

        /// The names of fields whose values identify a frame or a subscription, or depend on the body.
        static let identifiers: Set = [
            "id", "receipt", "transaction", "subscription", "ack", "message-id", "receipt-id", "session",
            "content-length", "heart-beat",
        ]

        /// Parses a message, or returns nil if it is not a STOMP frame.
        init?(_ text: String) {
            guard text.unicodeScalars.last == "\0" || text.unicodeScalars.last == "\n" else { return nil }
            var rest = Substring(text).unicodeScalars
            func line() -> Substring? {
                guard let end = rest.firstIndex(of: "\n") else { return nil }
                var line = rest[..<end]
                rest = rest[rest.index(after: end)...]
                if line.last == "\r" { line.removeLast() }
                return Substring(line)
            }
            guard let command = line(), Self.commands.contains(String(command)) else { return nil }
            self.command = String(command)
            fields = []
            while let field = line(), !field.isEmpty {
                guard fields.count < 1000, let colon = field.firstIndex(of: ":") else { return nil }
                fields.append((String(field[..<colon]), String(field[field.index(after: colon)...])))
            }
            body = String(rest)
        }

        /// The value of the first field with a name.
        subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

        /// The text of the frame.
        var text: String {
            command + "\n" + fields.map { "\($0.name):\($0.value)\n" }.joined() + "\n" + body
        }
    }
#endif
