#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// The messages of a replayed WebSocket connection, as a state machine.
    struct WebSocketConversation: Sendable {
        /// The next step of a server.
        enum Step {
            case send(OutgoingMessage)

            /// Waits until a time, or for a message of the client.
            case wait(until: NIODeadline)

            /// Waits for a message of the client.
            case idle

            /// Continues in a later turn, because many recorded messages were passed over.
            case pause
        }

        /// The result of receiving a message.
        enum Result: Equatable {
            /// The message is recorded, or matched by a rule, or needs no match.
            case accepted

            /// The reason why the message is neither recorded nor matched by a rule.
            case missed(String)

            /// The message needs further steps.
            case unfinished
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

        /// The maximum work of comparisons with a message, as the number of bytes that are read in the same time.
        private static let longestWork = 1 << 24

        /// The maximum work in a turn of the event loop.
        private static let shortWork = 1 << 13

        /// The work for a recorded message without its content.
        private static let messageWork = 64

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
                return .send(OutgoingMessage(frame: WebSocketFrame(next.message), identifiers: nil))
            }
            var work = Self.shortWork
            while position < events.count {
                let event = events[position]
                if event.isFromClient {
                    guard work > 0 else { return .pause }
                    work -= Self.messageWork
                    if received.remove(position) == nil, policy == .scripted {
                        // The end of the connection, and a message that has not arrived, are waited for.
                        guard isHeartbeat(event) else { return .idle }
                        work -= event.frame.content.count
                    }
                } else {
                    let time = self.time(of: event)
                    guard time <= .now() else { return .wait(until: time) }
                    position += 1
                    return .send(
                        OutgoingMessage(frame: event.frame, identifiers: identifiers.isEmpty ? nil : identifiers))
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

        /// Receives a message, and responds to it if a rule matches it.
        ///
        /// - Returns: The result, which is unfinished if the message must be compared with recorded ones.
        mutating func respond(to message: WebSocketMessage) -> Result {
            count += 1
            guard waiting.count < Self.waitingLimit else {
                return .missed("More than \(Self.waitingLimit) messages wait.")
            }
            guard let responses = rule?.responses(message) else { return .unfinished }
            let content = responses.isEmpty ? nil : MessageContent(message)
            for response in responses { add(response, inResponseTo: content) }
            return .accepted
        }

        /// Compares a message that no rule matches with the recorded ones.
        ///
        /// - Parameters:
        ///   - message: The message.
        ///   - isShort: Whether to stop without effect if the comparison takes long.
        /// - Returns: The result, which is unfinished only if the comparison takes long.
        mutating func compare(_ message: WebSocketMessage, isShort: Bool) -> Result {
            let current = ComparedMessage(MessageContent(message))
            var firstDifference: String?
            var rest = Self.lookahead
            var work = isShort ? Self.shortWork : Self.longestWork
            for index in script?.clientMessages(from: position) ?? [] {
                if isShort {
                    work -= 1
                    guard work > 0 else { return .unfinished }
                }
                let event = events[index]
                guard !received.contains(index), event.frame.opcode < 8, let message = event.frame.message else {
                    continue
                }
                work -= Self.messageWork + event.frame.content.count
                if isShort, work < 0 { return .unfinished }
                let recorded = MessageContent(message)
                let comparison = MessageComparison(recorded, current, ignoring: ignored)
                guard let difference = comparison.difference else {
                    received.insert(index)
                    identifiers.add(comparison.identifiers)
                    if policy == .scripted { anchor = (.now(), event.time ?? anchor.recorded) }
                    return .accepted
                }
                work -= comparison.work
                if !isHeartbeat(recorded) {
                    firstDifference = firstDifference ?? difference
                    rest -= 1 + event.frame.content.count
                }
                if rest <= 0 || !isShort && work <= 0 { break }
            }
            if isHeartbeat(current.content) {
                if let response = current.content.heartbeatResponse { add(WebSocketResponse(response)) }
                return .accepted
            }
            if policy == .timed { return .accepted }
            guard policy == .scripted else { return .missed("Message \(count) matches no rule.") }
            guard let firstDifference else { return .missed("Message \(count) is not recorded.") }
            return .missed("Message \(count) differs from the recorded one: \(firstDifference).")
        }

        private func isHeartbeat(_ event: WebSocketScript.Event) -> Bool {
            // A heart-beat is short.
            guard event.frame.content.count < 1000, let message = event.frame.message else { return false }
            return isHeartbeat(MessageContent(message))
        }

        private func isHeartbeat(_ content: MessageContent) -> Bool {
            content.isHeartbeat(isEngineIO: script?.isEngineIO ?? false)
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
                let text = isWhole ? nil : value.text
                result += rest[..<start.lowerBound].dropLast(isWhole ? 1 : 0)
                result += text ?? String(decoding: value.data(layout: .compact), as: UTF8.self)
                rest = rest[end.upperBound...].dropFirst(isWhole ? 1 : 0)
            }
            return .text(result + rest)
        }
    }
#endif
