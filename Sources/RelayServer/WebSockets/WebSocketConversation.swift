#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// The messages of a replayed WebSocket connection, as a state machine.
    struct WebSocketConversation {
        /// The next step of a server.
        enum Step {
            case send(WebSocketFrame)

            /// Waits until a time, or for a message of the client.
            case wait(until: NIODeadline)

            /// Waits for a message of the client.
            case idle
        }

        /// The recorded connection, whose other replays find it as long as one of them uses it.
        private let script: WebSocketScript?
        private let policy: WebSocketPolicy
        private let speed: Double?
        private let ignored: Set<String>
        private let rule: WebSocketRule?

        /// The index of the first recorded message that is neither sent nor received.
        private var position = 0

        /// The indices of received messages after ``position``.
        private var received: Set<Int> = []

        /// The messages of rules, and the times at which they are sent.
        private var waiting: CircularBuffer<(message: WebSocketMessage, time: NIODeadline)> = []

        /// A time of this connection and the recorded time that corresponds to it, in seconds.
        private var anchor: (time: NIODeadline, recorded: Double)

        private var identifiers = IdentifierMap()

        /// The number of messages of the client.
        private var count = 0

        /// The size of the recorded messages of the client that a message is compared with, in bytes.
        private static let lookahead = 1 << 16

        /// The maximum number of messages of rules that wait for their times.
        private static let waitingLimit = 1000

        /// The close code after a message that is not recorded.
        ///
        /// Codes from 4000 are for applications (RFC 6455, section 7.4.2).
        static let missCode = 4404

        /// Begins a conversation.
        ///
        /// - Parameters:
        ///   - script: The recorded connection, or nil if only a rule determines the messages.
        ///   - rule: The rule for the connection, or nil for none.
        ///   - settings: The settings of the server.
        init(_ script: WebSocketScript?, rule: WebSocketRule?, settings: RelayServer.WebSockets) {
            policy = script == nil ? .free : rule?.policy ?? settings.policy
            self.script = policy == .free ? nil : script
            self.rule = rule
            speed = settings.speed ?? (policy == .timed ? 1 : nil)
            ignored = settings.ignoredMembers.union(rule?.ignoredMembers ?? [])
            anchor = (.now(), script?.openingTime ?? 0)
            for response in rule?.greeting ?? [] { add(response) }
        }

        private var events: [WebSocketScript.Event] { script?.events ?? [] }

        // MARK: - Messages of the server

        /// Returns the next step.
        mutating func next() -> Step {
            if let next = waiting.first {
                guard next.time <= .now() else { return .wait(until: next.time) }
                waiting.removeFirst()
                return .send(WebSocketFrame(next.message))
            }
            while position < events.count {
                let event = events[position]
                if event.isFromClient {
                    // The end of the connection, and a message that has not arrived, are waited for.
                    let isExpected = !received.contains(position) && !isHeartbeat(event)
                    if isExpected, policy == .scripted { return .idle }
                    received.remove(position)
                } else {
                    let time = self.time(of: event)
                    guard time <= .now() else { return .wait(until: time) }
                    position += 1
                    return .send(identifiers.isEmpty ? event.frame : frame(of: event))
                }
                position += 1
            }
            return .idle
        }

        /// Returns the time at which a recorded message is sent.
        ///
        /// All times are relative to the last message of the client, so that delays do not add up.
        private func time(of event: WebSocketScript.Event) -> NIODeadline {
            guard let speed, let recorded = event.time, recorded > anchor.recorded else { return .uptimeNanoseconds(0) }
            return anchor.time + TimeAmount(Duration(clampingSeconds: (recorded - anchor.recorded) / speed))
        }

        // MARK: - Messages of the client

        /// Receives a message.
        ///
        /// - Returns: The reason why the message is neither recorded nor matched by a rule, or nil.
        mutating func receive(_ message: WebSocketMessage) -> String? {
            count += 1
            let content = MessageContent(message)
            guard waiting.count < Self.waitingLimit else { return "More than \(Self.waitingLimit) messages wait." }
            if let responses = rule?.responses(message) {
                for response in responses { add(response, inResponseTo: content) }
                return nil
            }
            var firstDifference: String?
            var rest = Self.lookahead
            for index in events.indices[position...] where events[index].isFromClient && !received.contains(index) {
                let event = events[index]
                guard event.frame.opcode < 8, let message = event.frame.message else { continue }
                let recorded = MessageContent(message)
                let comparison = MessageComparison(recorded, content, ignoring: ignored)
                guard let difference = comparison.difference else {
                    received.insert(index)
                    identifiers.add(comparison.identifiers)
                    if policy == .scripted { anchor = (.now(), event.time ?? anchor.recorded) }
                    return nil
                }
                if isHeartbeat(recorded) { continue }
                firstDifference = firstDifference ?? difference
                rest -= 1 + event.frame.content.count
                if rest <= 0 { break }
            }
            if isHeartbeat(content) {
                if let response = content.heartbeatResponse { add(WebSocketResponse(response)) }
                return nil
            }
            if policy == .timed { return nil }
            guard policy == .scripted else { return "Message \(count) matches no rule." }
            guard let firstDifference else { return "Message \(count) is not recorded." }
            return "Message \(count) differs from the recorded one: \(firstDifference)."
        }

        private func isHeartbeat(_ event: WebSocketScript.Event) -> Bool {
            // A heart-beat is short.
            guard event.frame.content.count < 1000, let message = event.frame.message else { return false }
            return isHeartbeat(MessageContent(message))
        }

        private func isHeartbeat(_ content: MessageContent) -> Bool {
            content.isHeartbeat(isEngineIO: script?.isEngineIO ?? false)
        }

        /// Returns a recorded message of the server with the identifiers of the client.
        private func frame(of event: WebSocketScript.Event) -> WebSocketFrame {
            guard case .text? = event.frame.message, let message = event.frame.message else { return event.frame }
            return WebSocketFrame(identifiers.applied(to: message))
        }

        private mutating func add(_ response: WebSocketResponse, inResponseTo content: MessageContent? = nil) {
            let message = content.map { response.message.filled(from: $0) } ?? response.message
            let start = max(waiting.last?.time ?? .now(), .now())
            waiting.append((message, start + TimeAmount(response.delay)))
        }
    }

    extension WebSocketMessage {
        /// Returns the message with `{{name}}` and `{{/pointer}}` replaced by values in a message of the client.
        ///
        /// A JSON string that is only a template becomes the value, so that numbers stay numbers. A template without a
        /// value remains.
        fileprivate func filled(from content: MessageContent) -> WebSocketMessage {
            guard case .text(let text) = self, text.contains("{{") else { return self }
            var result = ""
            var rest = text[...]
            while let start = rest.range(of: "{{"), let end = rest[start.upperBound...].range(of: "}}") {
                let name = rest[start.upperBound..<end.lowerBound]
                guard let value = content.value(named: name.trimming(.whitespaces)) else {
                    result += rest[..<end.upperBound]
                    rest = rest[end.upperBound...]
                    continue
                }
                let isWhole =
                    rest[..<start.lowerBound].hasSuffix("\"") && rest[end.upperBound...].hasPrefix("\"")
                let json = String(decoding: value.data(layout: .compact), as: UTF8.self)
                result += rest[..<start.lowerBound].dropLast(isWhole ? 1 : 0)
                result += isWhole ? json : value.text ?? json
                rest = rest[end.upperBound...].dropFirst(isWhole ? 1 : 0)
            }
            return .text(result + rest)
        }
    }
#endif
