#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import Synchronization
    import Testing

    @testable import RelayServer

    @Suite struct ReceivedMessageTests {
        /// Returns a message that a client sends.
        private static func message(
            _ text: String, isCompressed: Bool = false, with inflater: WebSocketInflater = WebSocketInflater(),
            limit: Int = 1 << 20
        ) throws -> ReceivedMessage {
            let compression = try #require(WebSocketCompression(offers: ["permessage-deflate"]))
            let frame = WebSocketFrame(.text(text))
            let content = isCompressed ? compression.compressed(frame).content : frame.content
            return ReceivedMessage(
                WebSocketParser.Message(opcode: 1, isCompressed: isCompressed, content: content),
                decompressedBy: inflater, limit: limit)
        }

        @Test(arguments: [true, false])
        func `a large message is handled on a queue, and has the same effect`(isCompressed: Bool) throws {
            let text = "[" + String(repeating: "1,", count: 10_000) + "1]"
            var conversation = WebSocketConversation([">" + text, "<a"])
            var message = try Self.message(text, isCompressed: isCompressed)
            #expect(message.handle(in: &conversation, isShort: true) == .unfinished)
            #expect(conversation.sent() == [])
            #expect(message.size > MessageQueues.smallSize)
            #expect(message.handle(in: &conversation, isShort: false) == .accepted)
            #expect(message.content == Data(text.utf8))
            #expect(conversation.sent() == ["a"])
        }

        @Test(arguments: [true, false])
        func `a small message is handled at once`(isCompressed: Bool) throws {
            let inflater = WebSocketInflater()
            var conversation = WebSocketConversation([">1", "<a", ">2", "<b"])
            for (text, response) in [("1", "a"), ("2", "b")] {
                var message = try Self.message(text, isCompressed: isCompressed, with: inflater)
                #expect(message.handle(in: &conversation, isShort: true) == .accepted)
                #expect(conversation.sent() == [response])
            }
            var message = try Self.message("3", isCompressed: isCompressed, with: inflater)
            #expect(
                message.handle(in: &conversation, isShort: true) == .missed("Message 3 is not recorded."))
        }

        @Test func `a rule receives a message once, even if its comparison continues on a queue`() throws {
            let count = Mutex(0)
            let rule = WebSocketRule("chat.example/**") { _ in
                count.withLock { $0 += 1 }
                return nil
            }
            let texts = (0..<2000).map { #"{"n":{"a":\#($0)}}"# }
            var conversation = WebSocketConversation(texts.map { ">" + $0 } + ["<a"], rule: rule)
            var message = try Self.message(texts[1999])
            #expect(message.handle(in: &conversation, isShort: true) == .unfinished)
            #expect(message.handle(in: &conversation, isShort: false) == .accepted)
            #expect(count.withLock { $0 } == 1)
            // The last message is received, and the first one is not.
            #expect(conversation.receive(.text(texts[0])) == nil)
            #expect(conversation.receive(.text(texts[1999])) != nil)
        }

        @Test func `a message that decompresses to more than the limit is a violation`() throws {
            for (count, isUnfinished) in [(100_000, true), (6_000, false)] {
                var conversation = WebSocketConversation(["<a"])
                let text = String(repeating: "a", count: count)
                var message = try Self.message(text, isCompressed: true, limit: 5000)
                if isUnfinished { #expect(message.handle(in: &conversation, isShort: true) == .unfinished) }
                #expect(message.handle(in: &conversation, isShort: false) == .violation(1009))
            }
        }

        @Test func `members of a message are decoded once for all comparisons`() throws {
            let members = (0..<900).map { #""m\#($0)":1"# }.joined(separator: ",")
            let current = ComparedMessage(MessageContent(.text("{\(members)}")))
            let object = try #require(JSONValue(parsing: Data("{\(members)}".utf8)).object)
            #expect(current.members(of: object, at: JSONPointer()).count == 900)
            // The members at a known location are not decoded again.
            #expect(current.members(of: JSONObject(), at: JSONPointer()).count == 900)
            let recorded = MessageContent(.text(#"{"n":1}"#))
            let comparison = MessageComparison(recorded, current, ignoring: [])
            #expect(comparison.difference == "/n" && comparison.work < 100)
            let empty = MessageComparison(MessageContent(.text("{}")), current, ignoring: [])
            #expect(empty.difference == "/m0" && empty.work > 900)
        }

        @Test(arguments: [
            (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#, nil), (#"{"a":1,"a":2}"#, #"{"a":2,"a":2}"#, "/a"),
            (#"{"a":1}"#, #"{"a":3,"a":1}"#, nil), (#"{"a":{"b":[{"c":1}]}}"#, #"{"a":{"b":[{"c":2}]}}"#, "/a/b/0/c"),
        ])
        func `repeated names are compared as before`(recorded: String, current: String, difference: String?) {
            let comparison = MessageComparison(
                MessageContent(.text(recorded)), ComparedMessage(MessageContent(.text(current))), ignoring: [])
            #expect(comparison.difference == difference)
        }

        @Test func `a message is compared with a limited number of recorded ones`() {
            let members = (0..<900).map { #""m\#($0)":1"# }.joined(separator: ",")
            let texts = [String](repeating: ">{}", count: 20_000)
            var conversation = WebSocketConversation(texts + [">{\(members)}"])
            #expect(conversation.receive(.text("{\(members)}")) == "Message 1 differs from the recorded one: /m0.")
        }

        @Test func `many recorded messages of the client are passed over in several turns`() {
            var settings = RelayServer.WebSockets()
            settings.policy = .timed
            settings.speed = 1e12
            var conversation = WebSocketConversation(
                [String](repeating: ">1", count: 1000) + ["<a"], settings: settings)
            guard case .pause = conversation.next() else {
                Issue.record("The conversation does not pause.")
                return
            }
            while case .pause = conversation.next() {}
            #expect(conversation.sent() == [])
        }
    }
#endif
