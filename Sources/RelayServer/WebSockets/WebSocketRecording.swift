#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// The recording of the messages of a WebSocket connection.
    ///
    /// It is used only on the server's event loop.
    final class WebSocketRecording {
        private var sent: WebSocketParser
        private var received: WebSocketParser

        /// The messages so far.
        private(set) var messages = RecordedMessages()

        /// Prepares a recording.
        ///
        /// - Parameter extensions: The value of `Sec-WebSocket-Extensions` in the response; empty by default.
        init(extensions: String = "") {
            sent = WebSocketParser(extensions: extensions, isMasked: true)
            received = WebSocketParser(extensions: extensions, isMasked: false)
        }

        /// Notes bytes of the client.
        func send(_ bytes: ByteBuffer) { add(bytes, to: &sent, from: .client) }

        /// Notes bytes of the server.
        func receive(_ bytes: ByteBuffer) { add(bytes, to: &received, from: .server) }

        private func add(_ bytes: ByteBuffer, to parser: inout WebSocketParser, from sender: RecordedMessages.Sender) {
            // Without room, further messages need not be found.
            guard !messages.isFull else { return }
            parser.append(bytes)
            while let message = parser.next() { messages.add(message, from: sender) }
        }

        /// Notes a frame without compression.
        func add(_ frame: WebSocketFrame, from sender: RecordedMessages.Sender) {
            messages.add(complete: Int(frame.opcode), frame.content, from: sender)
        }

        /// The custom fields of the entry.
        var fields: [String: JSONValue] { messages.decoded().fields }
    }

    /// The messages of a WebSocket connection, which become fields in the form that Chromium exports.
    ///
    /// Messages are decompressed and decoded when the connection is recorded, because that can take long.
    struct RecordedMessages: Sendable {
        /// The end of a connection that sends a message.
        enum Sender {
            case client, server

            /// The type of the message in an archive.
            fileprivate var type: JSONString { self == .client ? "send" : "receive" }
        }

        private struct Item: Sendable {
            enum Form: Sendable {
                case json(JSONValue)
                case message(WebSocketParser.Message)
            }

            let sender: Sender

            /// The time since 1970, in seconds.
            let time: Double
            let form: Form
        }

        private var items: [Item] = []

        /// The total size of the messages in memory, in bytes.
        private var size = 0

        /// The total size of the compressed messages, in bytes.
        private var compressedSize = 0

        /// The ends whose further compressed messages are left out, because these can refer to one that was left out.
        private var interrupted: Set<Sender> = []

        /// Whether messages were left out, because there are too many.
        private var isIncomplete = false

        /// The maximum total size of the messages, in bytes.
        private static let limit = 32 << 20

        /// The size of a message without its content, in bytes.
        private static let itemSize = 500

        /// The maximum total size of decompressed messages, with those that exceed the limit for all messages.
        private static let decompressionLimit = 128 << 20

        /// The maximum ratio between the sizes of a message after and before decompression.
        private static let largestRatio = 1000

        /// Whether messages were left out, and no further ones have room.
        var isFull: Bool { isIncomplete && size + Self.itemSize > Self.limit }

        /// The maximum size of the messages after decompression, in bytes.
        var weight: Int { min(size + Self.largestRatio * compressedSize, max(size, Self.limit)) }

        /// Adds a message, which can be compressed.
        mutating func add(_ message: WebSocketParser.Message, from sender: Sender) {
            let isLost = message.isCompressed && interrupted.contains(sender)
            guard !isLost, makeRoom(for: message.content) else {
                isIncomplete = true
                if message.isCompressed { interrupted.insert(sender) }
                return
            }
            if message.isCompressed { compressedSize += message.content.count }
            items.append(Item(sender: sender, time: Self.time, form: .message(message)))
        }

        /// Adds a message in its final form.
        mutating func add(complete opcode: Int, _ content: Data, from sender: Sender) {
            guard makeRoom(for: content) else { return isIncomplete = true }
            let time = Self.time
            let json = Self.json(opcode, content, at: time, from: sender)
            items.append(Item(sender: sender, time: time, form: .json(json)))
        }

        private static var time: Double { Date().timeIntervalSince1970 }

        private mutating func makeRoom(for content: Data) -> Bool {
            guard size + content.count + Self.itemSize <= Self.limit else { return false }
            size += content.count + Self.itemSize
            return true
        }

        /// Decompresses and decodes the messages.
        ///
        /// - Returns: The custom fields of the entry, and whether they contain all messages.
        func decoded() -> (fields: [String: JSONValue], isComplete: Bool) {
            var values: [JSONValue] = []
            var isComplete = !isIncomplete
            var inflaters = [Sender.client: WebSocketInflater(), .server: WebSocketInflater()]
            var room = Self.limit
            var work = Self.decompressionLimit
            for item in items {
                guard case .message(let message) = item.form else {
                    if case .json(let value) = item.form { values.append(value) }
                    continue
                }
                var content = message.content
                if message.isCompressed {
                    guard work > 0, let inflater = inflaters[item.sender] else {
                        isComplete = false
                        continue
                    }
                    inflater.begin(content)
                    guard case .complete(let data) = inflater.inflate(upTo: WebSocketParser.defaultLimit) else {
                        inflaters[item.sender] = nil
                        work -= WebSocketParser.defaultLimit
                        isComplete = false
                        continue
                    }
                    work -= data.count
                    content = data
                }
                guard content.count + Self.itemSize <= room else {
                    isComplete = false
                    continue
                }
                room -= content.count + Self.itemSize
                values.append(Self.json(message.opcode, content, at: item.time, from: item.sender))
            }
            return (["_resourceType": "websocket", "_webSocketMessages": .array(values)], isComplete)
        }

        /// Adds the messages to a recorded exchange.
        func add(to exchange: inout CapturedExchange) {
            let (fields, isComplete) = decoded()
            exchange.customFields.merge(fields) { $1 }
            if !isComplete, exchange.comment == nil {
                exchange.comment = "The archive does not contain all messages."
            }
        }

        private static func json(_ opcode: Int, _ content: Data, at time: Double, from sender: Sender) -> JSONValue {
            let text = opcode == 1 ? String(validating: content, as: UTF8.self) : nil
            return [
                "type": .string(sender.type),
                "time": JSONNumber((time * 1e6).rounded() / 1e6).map { .number($0) } ?? .null,
                "opcode": .number(JSONNumber(opcode)),
                "data": .string(JSONString(text ?? content.base64EncodedString())),
            ]
        }
    }
#endif
