#if Server
    import Foundation
    import HTTPArchive
    import NIOCore

    @testable import RelayServer

    extension HAR.Entry {
        /// Creates an entry of a WebSocket connection.
        ///
        /// - Parameters:
        ///   - messages: The messages: `>` and the text of a message of the client, or `<` and the text of a message of
        ///     the server, one second after another.
        ///   - url: The URL.
        ///   - headers: The header fields of the response.
        /// - Returns: The entry.
        static func socket(
            _ messages: [String], url: String = "wss://chat.example/socket", headers: [(String, String)] = []
        ) -> HAR.Entry {
            var entry = HAR.Entry.entry("GET", url, status: 101, headers: headers, text: nil)
            entry["_webSocketMessages"] = .array(
                messages.enumerated().map { index, message in
                    [
                        "type": message.hasPrefix(">") ? "send" : "receive",
                        "time": .number(JSONNumber(1_767_225_601 + index)), "opcode": 1,
                        "data": .string(JSONString(String(message.dropFirst()))),
                    ]
                })
            return entry
        }
    }

    extension WebSocketConversation {
        /// Begins a conversation with recorded messages.
        init(
            _ messages: [String], rule: WebSocketRule? = nil, settings: RelayServer.WebSockets = .init()
        ) {
            self.init(WebSocketScript(of: .socket(messages)), rule: rule, settings: settings)
        }

        /// The messages that are sent before the conversation waits.
        mutating func sent() -> [String] {
            var sent: [String] = []
            while true {
                let step = next()
                if case .pause = step { continue }
                guard case .send(let message) = step else { return sent }
                switch message.complete.message {
                case .text(let text): sent.append(text)
                case .binary(let data): sent.append("\(Array(data))")
                case .ping(let data): sent.append("ping \(Array(data))")
                case .close(let code, let reason): sent.append("close \(code) \(reason)")
                case nil: sent.append("pong")
                }
            }
        }

        /// Receives a message.
        ///
        /// - Returns: The reason why the message is neither recorded nor matched by a rule, or nil.
        mutating func receive(_ message: WebSocketMessage) -> String? {
            var result = respond(to: message)
            if result == .unfinished { result = compare(message, isShort: false) }
            return if case .missed(let reason) = result { reason } else { nil }
        }
    }
#endif
