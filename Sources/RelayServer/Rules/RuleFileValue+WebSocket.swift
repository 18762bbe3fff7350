#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import Yams

    extension RuleFileValue {
        /// Returns a rule for WebSocket connections.
        ///
        /// - Parameter pattern: The requests to which the rule applies.
        /// - Returns: The rule.
        /// - Throws: `invalidRule`.
        func webSocketRule(for pattern: RequestPattern) throws(RelayError) -> WebSocketRule {
            var rule = WebSocketRule(pattern)
            var cases: [(when: RequestPattern, responses: [WebSocketResponse])] = []
            for (key, value) in try members(
                among: ["policy", "ignore", "subprotocol", "greeting", "messages"], "a mapping")
            {
                switch key {
                case "policy":
                    let names = WebSocketPolicy.allCases.map(\.rawValue).joined(separator: ", ")
                    let name = try value.text("a policy (\(names))")
                    guard let policy = WebSocketPolicy(rawValue: name) else {
                        throw value.mismatch("a policy (\(names))")
                    }
                    rule.policy = policy
                case "ignore":
                    rule.ignoredMembers = Set(
                        try value.elements.map { element throws(RelayError) in try element.text("a name") })
                case "subprotocol": rule.subprotocol = try value.text("a subprotocol")
                case "greeting": rule.greeting = try value.webSocketResponses()
                default:
                    cases = try value.list("a list of messages").map { element throws(RelayError) in
                        try element.webSocketCase()
                    }
                }
            }
            let found = cases
            rule.responses = { message in
                let bodies = message.comparedBodies
                return found.first { rule in
                    bodies.contains { rule.when.matches(InterceptedRequest(method: "", url: "", body: $0)) }
                }?.responses
            }
            return rule
        }

        /// Returns a condition for messages of a client, and the messages to send for them.
        private func webSocketCase() throws(RelayError) -> (RequestPattern, [WebSocketResponse]) {
            let value = RuleFileValue(node: node, file: file, title: "the message")
            var (when, responses) = (RequestPattern.any, [WebSocketResponse]())
            for (key, value) in try value.members(among: ["when", "send"], "a mapping with 'when' and 'send'") {
                if key == "when" { when = try value.content() } else { responses = try value.webSocketResponses() }
            }
            return (when, responses)
        }

        private func webSocketResponses() throws(RelayError) -> [WebSocketResponse] {
            try elements.map { element throws(RelayError) in
                var delay = Duration.zero
                var message: WebSocketMessage?
                let keys = Self.bodyKeys + ["close", "delay"]
                let members = try element.members(among: keys, "a message")
                for (key, value) in members {
                    switch key {
                    case "delay": delay = try value.duration()
                    case "close": message = try value.closing()
                    default:
                        let (data, type) = try value.body(key)
                        message = type == nil ? .binary(data) : .text(String(decoding: data, as: UTF8.self))
                    }
                }
                guard let message, members.count(where: { $0.key != "delay" }) == 1 else {
                    throw element.error(
                        "Expected one of \(Self.bodyKeys.joined(separator: ", ")) or close in a message.")
                }
                return WebSocketResponse(message, after: delay)
            }
        }

        /// Returns the end of a connection: a close code, or a mapping with a code and a reason.
        private func closing() throws(RelayError) -> WebSocketMessage {
            let expected = "a close code such as 1000, from 3000 to 4999 for applications"
            if node.scalar != nil { return .close(code: try closeCode(expected)) }
            var (code, reason) = (1000, "")
            for (key, value) in try members(among: ["code", "reason"], "a mapping with 'code' and 'reason'") {
                if key == "code" { code = try value.closeCode(expected) } else { reason = try value.text("text") }
            }
            return .close(code: code, reason: reason)
        }

        private func closeCode(_ expected: String) throws(RelayError) -> Int {
            let code: Int = try number(1000...4999, expected)
            guard WebSocketFrame.isValid(closeCode: code) else { throw mismatch(expected) }
            return code
        }
    }

    extension WebSocketMessage {
        /// The content, and the JSON in a Socket.IO packet without its type.
        fileprivate var comparedBodies: [Data] {
            switch self {
            case .binary(let data): [data]
            case .text(let text):
                switch MessageContent(self) {
                case .json(let value, let packet) where packet.length > 0: [Data(text.utf8), value.data()]
                default: [Data(text.utf8)]
                }
            case .ping, .close: []
            }
        }
    }
#endif
