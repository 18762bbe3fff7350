#if Server
    public import Foundation
    public import HTTPArchive
    public import RelayCore

    extension RelayServer {
        /// The settings for WebSocket connections.
        public struct WebSockets: Sendable {
            /// The policy for connections without a rule; ``WebSocketPolicy/scripted`` by default.
            public var policy = WebSocketPolicy.scripted

            /// The factor by which messages are sent faster than they were recorded.
            ///
            /// By default (nil), scripted messages are sent as soon as possible, and timed messages at the recorded
            /// speed.
            public var speed: Double?

            /// The names of JSON members and STOMP header fields of client messages that are not compared; none by
            /// default.
            public var ignoredMembers: Set<String> = []

            /// The rules; the last one that matches a request applies.
            public var rules: [WebSocketRule] = []

            /// Creates the default settings.
            public init() {}
        }
    }

    /// The messages that a server sends over a replayed WebSocket connection.
    public enum WebSocketPolicy: String, CaseIterable, Sendable {
        /// A recorded message is sent when the client has sent the messages that were recorded before it.
        ///
        /// A message of the client that differs from the recorded ones closes the connection.
        case scripted

        /// Recorded messages are sent at their recorded times, regardless of the client's messages.
        case timed

        /// Only a rule determines the messages. No archive is necessary.
        case free
    }

    /// A message of a WebSocket connection.
    public enum WebSocketMessage: Hashable, Sendable {
        /// A text message.
        case text(String)

        /// A binary message.
        case binary(Data)

        /// A ping with at most 125 bytes, which clients answer themselves.
        ///
        /// Rules do not receive the pings of clients, which the server answers.
        case ping(Data = Data())

        /// The end of the connection, with a close code and a reason of at most 123 bytes
        /// (RFC 6455, section 7.4, https://www.rfc-editor.org/rfc/rfc6455#section-7.4).
        case close(code: Int, reason: String = "")

        /// Returns a text message with a JSON value.
        ///
        /// - Parameter value: The value.
        /// - Returns: The message.
        public static func json(_ value: JSONValue) -> WebSocketMessage {
            .text(String(decoding: value.data(layout: .compact), as: UTF8.self))
        }
    }

    /// A rule for WebSocket connections whose requests match a pattern.
    ///
    /// ```swift
    /// var configuration = RelayServer.Configuration()
    /// configuration.webSockets.rules = [
    ///     WebSocketRule("wss://chat.example.com/**", policy: .free) { message in
    ///         message == .text("ping") ? [WebSocketResponse(.text("pong"))] : nil
    ///     }
    /// ]
    /// ```
    public struct WebSocketRule: Sendable {
        /// The requests to which the rule applies.
        ///
        /// Their URLs have the scheme `ws` or `wss`.
        public var pattern: RequestPattern

        /// The policy, or nil (the default) for the policy of the server.
        public var policy: WebSocketPolicy?

        /// The names of JSON members and STOMP header fields of client messages that are not compared, in addition to
        /// the ignored members of the server; none by default.
        public var ignoredMembers: Set<String> = []

        /// The subprotocol for the policy ``WebSocketPolicy/free``, or nil (the default) for the first one that the
        /// client offers.
        public var subprotocol: String?

        /// The messages that the server sends first; none by default.
        public var greeting: [WebSocketResponse] = []

        /// A closure that returns the messages to send for a message of the client, or nil to compare the message with
        /// the archive.
        ///
        /// It is called on the server's event loop, which it must not block, or on a queue for large messages. The
        /// messages of a connection arrive one after another.
        public var responses: @Sendable (_ message: WebSocketMessage) -> [WebSocketResponse]?

        /// Creates a rule.
        ///
        /// - Parameters:
        ///   - pattern: The requests to which the rule applies.
        ///   - policy: The policy, or nil (the default) for the policy of the server.
        ///   - responses: A closure that returns the messages to send for a message of the client, or nil to compare the
        ///     message with the archive; nil for all messages by default.
        public init(
            _ pattern: RequestPattern, policy: WebSocketPolicy? = nil,
            responses: @escaping @Sendable (_ message: WebSocketMessage) -> [WebSocketResponse]? = { _ in nil }
        ) {
            self.pattern = pattern
            self.policy = policy
            self.responses = responses
        }
    }

    /// A message that a rule sends, and the delay before it.
    public struct WebSocketResponse: Sendable {
        /// The message.
        public var message: WebSocketMessage

        /// The delay after the message of the client or the message before; zero by default.
        public var delay: Duration

        /// Creates a message to send.
        ///
        /// - Parameters:
        ///   - message: The message.
        ///   - delay: The delay before the message; zero by default.
        public init(_ message: WebSocketMessage, after delay: Duration = .zero) {
            self.message = message
            self.delay = delay
        }
    }
#endif
