#if Server
    import ArchiveInspection
    import Foundation
    import HTTPArchive

    /// The comparison of a message with a recorded one.
    struct MessageComparison {
        /// A value that identifies a message, a subscription or a session, and its recorded value.
        struct Identifier: Hashable {
            let name: String
            let recorded: JSONValue
            let current: JSONValue
        }

        private let current: ComparedMessage
        private let ignored: Set<String>

        /// The approximate time of the comparison, as the number of bytes that are read in this time, without the
        /// recorded message.
        private(set) var work = 0

        /// The time for a member or an element, which includes that for its location.
        private static let valueWork = 64

        /// The identifiers whose values differ.
        private(set) var identifiers: [Identifier] = []

        /// The first difference that matters, such as `/payload/query`, or nil if the messages match.
        private(set) var difference: String?

        /// Compares two messages.
        ///
        /// - Parameters:
        ///   - recorded: The recorded message.
        ///   - current: The message of the client.
        ///   - ignored: The names of members that are not compared.
        init(_ recorded: MessageContent, _ current: ComparedMessage, ignoring ignored: Set<String>) {
            self.current = current
            self.ignored = ignored
            switch (recorded, current.content) {
            case (.json(let recorded, let packet), .json(let current, let other)):
                guard packet.type == other.type, (packet.id == nil) == (other.id == nil) else {
                    difference = "the type of the packet"
                    return
                }
                if let id = packet.id, let otherID = other.id, id != otherID {
                    add(SocketIOPacket.idName, .string(JSONString(id)), .string(JSONString(otherID)))
                }
                compare(recorded, current, named: "", at: JSONPointer(), isMessage: true)
            case (.stomp(let recorded), .stomp(let current)): compare(recorded, current)
            case (.text(let recorded), .text(let current)):
                guard !matches(recorded, current) else { return }
                difference = "byte \(Self.commonLength(recorded.utf8, current.utf8))"
            case (.binary(let recorded), .binary(let current)) where recorded == current: break
            case (.binary(let recorded), .binary(let current)):
                difference = "byte \(Self.commonLength(recorded, current))"
            default: difference = "the kind of the message"
            }
        }

        private static func commonLength(_ first: some Sequence<UInt8>, _ second: some Sequence<UInt8>) -> Int {
            zip(first, second).prefix { $0 == $1 }.count
        }

        /// Returns whether a text equals a recorded one, in which each placeholder of a redacted secret stands for any
        /// text.
        private mutating func matches(_ recorded: String, _ current: String) -> Bool {
            if recorded == current { return true }
            guard HARRedactor.isRedacted(recorded) else { return false }
            work += current.utf8.count
            var parts = HARRedactor.withoutKeys(recorded).components(separatedBy: "REDACTED")[...]
            guard let first = parts.popFirst(), let last = parts.popLast(), current.hasPrefix(first) else {
                return false
            }
            var rest = current.dropFirst(first.count)
            for part in parts where !part.isEmpty {
                guard let range = rest.range(of: part) else { return false }
                rest = rest[range.upperBound...]
            }
            return rest.hasSuffix(last)
        }

        private mutating func add(_ name: String, _ recorded: JSONValue, _ current: JSONValue) {
            identifiers.append(Identifier(name: name, recorded: recorded, current: current))
        }

        // MARK: - JSON

        /// Compares two values; members can be in any order.
        ///
        /// - Parameters:
        ///   - recorded: The recorded value.
        ///   - current: The value in the message of the client.
        ///   - name: The name of the member, or of the array that contains the value.
        ///   - pointer: The location.
        ///   - isMessage: Whether the value is a message, or one of several in an array.
        private mutating func compare(
            _ recorded: JSONValue, _ current: JSONValue, named name: String, at pointer: JSONPointer, isMessage: Bool
        ) {
            guard difference == nil else { return }
            work += Self.valueWork
            switch (recorded, current) {
            case (.object(let first), .object(let second)):
                compare(first, second, at: pointer, hasID: isMessage && Self.isIdentified(first))
            case (.array(let first), .array(let second)) where first.count == second.count:
                for (index, (recorded, current)) in zip(first, second).enumerated() {
                    let inside = pointer.appending(String(index))
                    compare(recorded, current, named: name, at: inside, isMessage: isMessage)
                }
            case (.number(let first), .number(let second)) where first.double != nil && first.double == second.double:
                break
            default:
                guard recorded != current else { return }
                let isSecret = recorded.text.map { matches($0, current.text ?? "") } ?? false
                let isVolatile = VolatileValue.isVolatile(recorded) && VolatileValue.isVolatile(current)
                guard recorded.isScalar, isSecret || isVolatile else {
                    let text = pointer.description
                    return difference = text.isEmpty ? "the whole value" : text
                }
                add(name, recorded, current)
            }
        }

        private mutating func compare(
            _ recorded: JSONObject, _ current: JSONObject, at pointer: JSONPointer, hasID: Bool
        ) {
            let members = recorded.members
            let others = self.current.members(of: current, at: pointer)
            // A client could send very many members, which take long to compare.
            guard others.count <= members.count + 1000 else {
                return difference = difference ?? "the number of members"
            }
            let names = members.map(\.name.text)
            var rest = Set(names)
            if rest.count < names.count {
                // Equal objects match even if names are repeated.
                work += Self.valueWork * others.count
                if recorded == current { return }
            }
            var commonCount = 0
            for (member, name) in zip(members, names) {
                let inside = pointer.appending(name)
                let isIgnored = ignored.contains(name)
                guard rest.remove(name) != nil, let other = others.values[name] else {
                    if isIgnored { continue }
                    return difference = difference ?? inside.description
                }
                commonCount += 1
                if isIgnored || hasID && name == "id", member.value.isScalar, other.isScalar {
                    if member.value != other { add(name, member.value, other) }
                } else if !isIgnored {
                    compare(member.value, other, named: name, at: inside, isMessage: false)
                }
            }
            guard difference == nil, others.values.count > commonCount else { return }
            work += Self.valueWork * others.count
            let known = ignored.union(names)
            if let name = others.values.keys.filter({ !known.contains($0) }).min() {
                difference = pointer.appending(name).description
            }
        }

        /// Whether the member `id` of a message only connects requests and responses, as in JSON-RPC
        /// (https://www.jsonrpc.org/specification#request_object) and GraphQL over WebSocket.
        private static func isIdentified(_ message: JSONObject) -> Bool {
            if message["jsonrpc"] != nil || message["method"]?.text != nil { return true }
            let types = ["subscribe", "next", "error", "complete", "start", "stop", "data"]
            return message["type"]?.text.map(types.contains) ?? false
        }

        // MARK: - STOMP

        private mutating func compare(_ recorded: STOMPFrame, _ current: STOMPFrame) {
            guard recorded.command == current.command else { return difference = "the command" }
            work += current.fields.count * Self.valueWork + current.body.utf8.count
            let fields = [recorded, current].map { frame in
                Dictionary(frame.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
            }
            for name in Set(fields[0].keys).union(fields[1].keys).sorted() {
                let isIgnored = ignored.contains(name)
                guard let first = fields[0][name], let second = fields[1][name] else {
                    if isIgnored { continue }
                    return difference = "the field \(name)"
                }
                guard first != second else { continue }
                let values = [first, second].map { JSONValue.string(JSONString($0)) }
                let isIdentifier = isIgnored || STOMPFrame.identifiers.contains(name)
                guard isIdentifier || matches(first, second) || values.allSatisfy(VolatileValue.isVolatile) else {
                    return difference = "the field \(name)"
                }
                add(name, values[0], values[1])
            }
            guard recorded.body != current.body else { return }
            let bodies = [recorded, current].map { frame in
                MessageContent(.text(frame.body.replacing("\0", with: "")))
            }
            let comparison = MessageComparison(bodies[0], ComparedMessage(bodies[1]), ignoring: ignored)
            work += comparison.work
            identifiers += comparison.identifiers
            difference = comparison.difference
        }
    }

    /// A message of a client, whose members are decoded once for all comparisons.
    final class ComparedMessage {
        /// The members of an object.
        struct Members {
            /// The number of members, including repeated names.
            let count: Int

            /// The values by name.
            let values: [String: JSONValue]
        }

        let content: MessageContent

        /// The members of objects by location.
        private var members: [JSONPointer: Members] = [:]

        /// Prepares comparisons of a message.
        init(_ content: MessageContent) { self.content = content }

        /// Returns the members of an object in the message.
        ///
        /// - Parameters:
        ///   - object: The object.
        ///   - pointer: The location of the object.
        /// - Returns: The members.
        func members(of object: JSONObject, at pointer: JSONPointer) -> Members {
            if let known = members[pointer] { return known }
            let list = object.members
            let values = Dictionary(list.map { ($0.name.text, $0.value) }, uniquingKeysWith: { $1 })
            let new = Members(count: list.count, values: values)
            members[pointer] = new
            return new
        }
    }

    extension JSONValue {
        /// Whether the value is neither an array nor an object.
        fileprivate var isScalar: Bool { array == nil && object == nil }
    }

    /// The identifiers that a client uses in place of the recorded ones.
    struct IdentifierMap {
        /// Values by name and recorded value.
        private var named: [String: [JSONValue: JSONValue]] = [:]

        /// Texts by recorded text, which replace equal texts under other names, and parts of longer texts.
        private var texts: [String: String] = [:]

        /// The recorded texts that are replaced within other texts.
        private var parts: [String] = []

        /// The maximum number of these texts: the first half of them, and the last ones.
        private static let partLimit = 64

        /// The minimum size of a text that is replaced under any name and within other texts, in bytes.
        ///
        /// A shorter one may be equal by coincidence.
        private static let textSize = 8

        /// Adds identifiers of a message.
        mutating func add(_ identifiers: [MessageComparison.Identifier]) {
            for identifier in identifiers {
                named[identifier.name, default: [:]][identifier.recorded] = identifier.current
                if let recorded = identifier.recorded.text, let current = identifier.current.text {
                    if recorded.utf8.count >= Self.textSize, texts[recorded] == nil { parts.append(recorded) }
                    texts[recorded] = current
                    if parts.count > Self.partLimit { parts.remove(at: Self.partLimit / 2) }
                }
            }
        }

        var isEmpty: Bool { named.isEmpty }

        /// Returns a recorded message of the server with the client's identifiers.
        func applied(to message: WebSocketMessage) -> WebSocketMessage {
            switch MessageContent(message) {
            case .json(let value, var packet):
                if let id = packet.id { packet.id = self.text(id, named: SocketIOPacket.idName) }
                return MessageContent.json(applied(to: value, named: ""), packet: packet).message
            case .stomp(var frame):
                for index in frame.fields.indices {
                    frame.fields[index].value = text(frame.fields[index].value, named: frame.fields[index].name)
                }
                return MessageContent.stomp(frame).message
            case .text, .binary: return message
            }
        }

        private func text(_ text: String, named name: String) -> String {
            let isReference = ["subscription", "receipt-id", "id", "ack", "transaction"].contains(name)
            return named[name]?[.string(JSONString(text))]?.text ?? (isReference ? texts[text] : nil)
                ?? replacingParts(of: text)
        }

        /// Returns a text with the long identifiers in it replaced, unless a letter or digit precedes or follows them.
        private func replacingParts(of text: String) -> String {
            guard text.utf8.count >= Self.textSize, !parts.isEmpty else { return text }
            if let current = texts[text] { return current }
            let bytes = Array(text.utf8)
            let starts = Set(parts.compactMap(\.utf8.first))
            var result: [UInt8] = []
            var index = 0
            while index < bytes.count {
                let rest = bytes[index...]
                let isCandidate =
                    starts.contains(bytes[index]) && !(index > 0 && ByteSet.alphanumerics.contains(bytes[index - 1]))
                let part =
                    isCandidate
                    ? parts.first { part in
                        let end = index + part.utf8.count
                        return rest.starts(with: part.utf8)
                            && !(end < bytes.count && ByteSet.alphanumerics.contains(bytes[end]))
                    } : nil
                result += part.flatMap { texts[$0] }.map { Array($0.utf8) } ?? [bytes[index]]
                index += part?.utf8.count ?? 1
            }
            return String(decoding: result, as: UTF8.self)
        }

        private func applied(to value: JSONValue, named name: String) -> JSONValue {
            switch value {
            case .object(let object):
                return .object(
                    JSONObject(
                        members: object.members.map { member in
                            JSONObject.Member(
                                name: member.name, value: applied(to: member.value, named: member.name.text))
                        }))
            case .array(let elements): return .array(elements.map { applied(to: $0, named: name) })
            default:
                if let replacement = named[name]?[value] { return replacement }
                guard let text = value.text else { return value }
                let replaced = replacingParts(of: text)
                return replaced == text ? value : .string(JSONString(replaced))
            }
        }
    }
#endif
