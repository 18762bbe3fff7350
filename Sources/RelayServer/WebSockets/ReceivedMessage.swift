#if Server
    import Foundation
    import HTTPArchive

    /// A message of a client that is being handled: first on the event loop, and then on a queue if it takes long.
    struct ReceivedMessage: Sendable {
        /// The result of handling a message.
        enum Result: Equatable, Sendable {
            case accepted

            /// The reason why the message has no response.
            case missed(String)

            /// The close code for a violation of the protocol.
            case violation(Int)

            /// The message takes long, and is handled on a queue.
            case unfinished
        }

        /// The steps that follow.
        private enum Step {
            case decompression(WebSocketInflater), decoding, comparison(WebSocketMessage)
        }

        let opcode: Int

        /// The content, which is compressed at first if the message is.
        private(set) var content: Data

        /// The maximum size of the content, in bytes.
        private let limit: Int

        private var step: Step

        /// Prepares a message.
        ///
        /// - Parameters:
        ///   - message: The message.
        ///   - inflater: Decompresses the messages of the client, or nil without compression.
        ///   - limit: The maximum size of the content, in bytes.
        init(_ message: WebSocketParser.Message, decompressedBy inflater: WebSocketInflater?, limit: Int) {
            opcode = message.opcode
            content = message.content
            self.limit = limit
            step = .decoding
            if message.isCompressed, let inflater {
                inflater.begin(content)
                step = .decompression(inflater)
            }
        }

        /// The size that selects a queue, in bytes.
        var size: Int { if case .decompression = step { limit } else { content.count } }

        /// Continues to handle the message.
        ///
        /// - Parameters:
        ///   - conversation: The conversation that receives the message.
        ///   - isShort: Whether to stop before a step that takes long.
        /// - Returns: The result, which is unfinished only if a step takes long.
        mutating func handle(in conversation: inout WebSocketConversation, isShort: Bool) -> Result {
            if case .decompression(let inflater) = step {
                if isShort, content.count > MessageQueues.smallSize { return .unfinished }
                switch inflater.inflate(upTo: isShort ? MessageQueues.smallSize : limit) {
                case .complete(let data): content = data
                case .incomplete where isShort: return .unfinished
                case .incomplete, .invalid: return .violation(1009)
                }
                step = .decoding
            }
            if case .decoding = step {
                guard content.count <= limit else { return .violation(1009) }
                if isShort, content.count > MessageQueues.smallSize { return .unfinished }
                guard let message = decoded else { return .violation(1007) }
                switch conversation.respond(to: message) {
                case .accepted: return .accepted
                case .missed(let reason): return .missed(reason)
                case .unfinished: step = .comparison(message)
                }
            }
            guard case .comparison(let message) = step else { return .accepted }
            switch conversation.compare(message, isShort: isShort) {
            case .accepted: return .accepted
            case .missed(let reason): return .missed(reason)
            case .unfinished: return .unfinished
            }
        }

        /// The message, or nil for a text that is not valid UTF-8.
        private var decoded: WebSocketMessage? {
            guard opcode == 1 else { return .binary(content) }
            return String(validating: content, as: UTF8.self).map { .text($0) }
        }
    }
#endif
