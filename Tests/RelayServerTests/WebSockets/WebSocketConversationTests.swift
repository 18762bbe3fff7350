#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore
    import Testing

    @testable import RelayServer

    @Suite struct WebSocketConversationTests {
        @Test func `a recorded message is sent after the messages of the client before it`() {
            var conversation = WebSocketConversation(["<a", ">1", ">2", "<b", "<c", ">3"])
            #expect(conversation.sent() == ["a"])
            #expect(conversation.receive(.text("1")) == nil)
            #expect(conversation.sent() == [])
            #expect(conversation.receive(.text("2")) == nil)
            #expect(conversation.sent() == ["b", "c"])
            #expect(conversation.receive(.text("3")) == nil)
            #expect(conversation.sent() == [])
        }

        @Test func `messages of the client can arrive early and in another order`() {
            var conversation = WebSocketConversation([">1", "<a", ">2", "<b", ">3", "<c"])
            #expect(conversation.receive(.text("3")) == nil)
            #expect(conversation.receive(.text("2")) == nil)
            #expect(conversation.sent() == [])
            #expect(conversation.receive(.text("1")) == nil)
            #expect(conversation.sent() == ["a", "b", "c"])
        }

        @Test func `a message that differs is a miss`() throws {
            var conversation = WebSocketConversation([#">{"a":{"b":1},"c":[1,2]}"#, "<x"])
            let reason = conversation.receive(.text(#"{"c":[1,3],"a":{"b":1}}"#))
            #expect(reason == "Message 1 differs from the recorded one: /c/1.")
            #expect(conversation.sent() == [])
        }

        @Test func `a message after the recorded ones is a miss`() {
            var conversation = WebSocketConversation([">1"])
            #expect(conversation.receive(.text("1")) == nil)
            #expect(conversation.receive(.text("1")) == "Message 2 is not recorded.")
        }

        @Test(arguments: [
            // GraphQL over WebSocket.
            (
                #"{"type":"subscribe","id":"1","payload":{"query":"q"}}"#,
                #"{"id":"b2","type":"subscribe","payload":{"query":"q"}}"#,
                #"{"id":"1","type":"next"}"#, #"{"id":"b2","type":"next"}"#
            ),
            // JSON-RPC with numbers, which stay numbers.
            (
                #"{"jsonrpc":"2.0","id":1,"method":"m"}"#, #"{"jsonrpc":"2.0","id":77,"method":"m"}"#,
                #"{"jsonrpc":"2.0","id":1,"result":1}"#, #"{"jsonrpc":"2.0","id":77,"result":1}"#
            ),
            (
                #"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#, #"[{"jsonrpc":"2.0","id":"x","method":"m"}]"#,
                #"[{"jsonrpc":"2.0","id":1,"result":1}]"#, #"[{"jsonrpc":"2.0","id":"x","result":1}]"#
            ),
            // The acknowledgment of a Socket.IO event.
            (#"423["save",{"n":1}]"#, #"428["save",{"n":1}]"#, #"433["ok"]"#, #"438["ok"]"#),
            (
                #"451-3["draw",{"_placeholder":true,"num":0}]"#, #"451-571["draw",{"_placeholder":true,"num":0}]"#,
                #"461-3["ok"]"#, #"461-571["ok"]"#
            ),
            (#"42/chat,3["save"]"#, #"42/chat,15["save"]"#, #"43/chat,3["ok"]"#, #"43/chat,15["ok"]"#),
            // STOMP.
            (
                "SUBSCRIBE\nid:sub-12345\n\n\0", "SUBSCRIBE\nid:sub-98765\n\n\0",
                "MESSAGE\nsubscription:sub-12345\nmessage-id:T_sub-12345@@1\n\n\0",
                "MESSAGE\nsubscription:sub-98765\nmessage-id:T_sub-98765@@1\n\n\0"
            ),
            (
                "SUBSCRIBE\nid:0\ndestination:/q\n\n\0", "SUBSCRIBE\nid:s-9\ndestination:/q\n\n\0",
                "MESSAGE\nsubscription:0\nmessage-id:1\ndestination:/q\n\n0\0",
                "MESSAGE\nsubscription:s-9\nmessage-id:1\ndestination:/q\n\n0\0"
            ),
            (
                "SEND\ndestination:/q\nreceipt:r1\n\n{\"a\":1, \"b\":2}\0",
                "SEND\ndestination:/q\nreceipt:xx\n\n{\"b\":2,\"a\":1}\0",
                "RECEIPT\nreceipt-id:r1\n\n\0", "RECEIPT\nreceipt-id:xx\n\n\0"
            ),
            // Identifiers and times in another protocol.
            (
                #"{"op":"get","ref":"6f9619ff-8b86-d011-b42d-00c04fc964ff","at":"2026-01-01T00:00:00Z"}"#,
                #"{"op":"get","ref":"11111111-8b86-d011-b42d-00c04fc964ff","at":"2027-02-03T04:05:06Z"}"#,
                #"{"for":"6f9619ff-8b86-d011-b42d-00c04fc964ff"}"#, #"{"for":"11111111-8b86-d011-b42d-00c04fc964ff"}"#
            ),
        ])
        func `identifiers of the client replace the recorded ones`(
            recorded: String, current: String, reply: String, expected: String
        ) {
            var conversation = WebSocketConversation([">" + recorded, "<" + reply])
            #expect(conversation.receive(.text(current)) == nil)
            #expect(conversation.sent() == [expected])
        }

        @Test(arguments: [
            // A member `id` can be content.
            (#"{"op":"get","id":1}"#, #"{"op":"get","id":2}"#, "/id"),
            (
                #"{"jsonrpc":"2.0","id":1,"params":{"id":1},"method":"m"}"#,
                #"{"jsonrpc":"2.0","id":1,"params":{"id":2},"method":"m"}"#, "/params/id"
            ),
            (#"{"a":1}"#, #"{"a":1,"b":2}"#, "/b"), (#"{"a":1,"b":null}"#, #"{"a":1}"#, "/b"),
            ("[1,2]", "[1,2,3]", "the whole value"), ("abc", "abd", "byte 2"), ("{}", "a", "the kind of the message"),
            ("421[1]", "42[1]", "the type of the packet"), ("40{}", "41{}", "the type of the packet"),
            ("SEND\ndestination:/a\n\nx\0", "SEND\ndestination:/b\n\nx\0", "the field destination"),
            ("SEND\ndestination:/a\n\nx\0", "SEND\ndestination:/a\n\ny\0", "byte 0"),
            ("ACK\nid:1\n\n\0", "NACK\nid:1\n\n\0", "the command"),
        ])
        func `content that differs is not ignored`(recorded: String, current: String, difference: String) {
            var conversation = WebSocketConversation([">" + recorded, "<x"])
            let reason = conversation.receive(.text(current))
            #expect(reason == "Message 1 differs from the recorded one: \(difference).")
        }

        @Test func `very many members, fields and identifiers take little time`() {
            let members = (0..<5000).map { #""m\#($0)":1"# }.joined(separator: ",")
            let fields = (0..<5000).map { "f\($0):1\n" }.joined()
            let ids = (0..<2000).map { "identifier-\($0)" }
            var conversation = WebSocketConversation(
                ids.flatMap { [#">{"jsonrpc":"2.0","id":"\#($0)"}"#, #"<{"id":"\#($0)","in":"a \#($0) b"}"#] } + [
                    ">{}", "<x",
                ])
            for id in ids {
                #expect(conversation.receive(.text(#"{"jsonrpc":"2.0","id":"new \#(id)"}"#)) == nil)
                #expect(conversation.sent() == [#"{"id":"new \#(id)","in":"a new \#(id) b"}"#])
            }
            let difference = conversation.receive(.text("{\(members)}"))
            #expect(difference == "Message 2001 differs from the recorded one: the number of members.")
            #expect(conversation.receive(.text("SEND\n\(fields)\n\0"))?.hasSuffix("the kind of the message.") == true)
        }

        @Test func `placeholders of redacted secrets match any text`() {
            let secret = "REDACTED-3a1221a104224aca"
            var conversation = WebSocketConversation([
                ">CONNECT\nlogin:a\npasscode:\(secret)\n\n\0", #">{"token":"\#(secret)"}"#, ">auth \(secret) now", "<x",
            ])
            #expect(conversation.receive(.text("CONNECT\nlogin:a\npasscode:pw\n\n\0")) == nil)
            #expect(conversation.receive(.text(#"{"token":"abc"}"#)) == nil)
            #expect(conversation.receive(.text("auth later")) != nil)
            #expect(conversation.receive(.text("auth me now")) == nil)
            #expect(conversation.sent() == ["x"])
        }

        @Test func `ignored members of any kind are not compared`() {
            var settings = RelayServer.WebSockets()
            settings.ignoredMembers = ["seed", "tags"]
            var conversation = WebSocketConversation(
                [#">{"a":{"seed":1,"tags":[1]}}"#, "<x", "\u{3E}SEND\nseed:1\n\n\0", "<y"], settings: settings)
            #expect(conversation.receive(.text(#"{"a":{"tags":"t"}}"#)) == nil)
            #expect(conversation.receive(.text("SEND\n\n\0")) == nil)
            #expect(conversation.sent() == ["x", "y"])
        }

        @Test func `heartbeats are neither required nor misses`() {
            let entry = HAR.Entry.socket(
                ["<2", ">3", "<a", #">{"type":"ping"}"#, "<b", ">\n", "<c"], url: "wss://a/socket.io/?EIO=4")
            var conversation = WebSocketConversation(WebSocketScript(of: entry), rule: nil, settings: .init())
            #expect(conversation.sent() == ["2", "a", "b", "c"])
            for heartbeat in ["3", "3", "\n", #"{"type":"pong"}"#] {
                #expect(conversation.receive(.text(heartbeat)) == nil)
            }
            #expect(conversation.sent() == [])
            #expect(conversation.receive(.text("2")) == nil)
            #expect(conversation.receive(.text(#"{"type":"ping"}"#)) == nil)
            #expect(conversation.sent() == ["3", #"{"type":"pong"}"#])
        }

        @Test func `a rule takes precedence over the archive`() {
            let rule = WebSocketRule("chat.example/**") { message in
                switch message {
                case .text("1"):
                    [WebSocketResponse(.text("rule")), WebSocketResponse(.close(code: 4000, reason: "end"))]
                case .text(let text) where text.hasPrefix("{"):
                    [WebSocketResponse(.text(#"{"n":"{{/a/b}}","t":"<{{c}}>","m":"{{none}}"}"#))]
                default: nil
                }
            }
            var conversation = WebSocketConversation([">1", "<a", ">2", "<b"], rule: rule)
            #expect(conversation.receive(.text(#"{"a":{"b":7},"c":"x"}"#)) == nil)
            #expect(conversation.sent() == [#"{"n":7,"t":"<x>","m":"{{none}}"}"#])
            #expect(conversation.receive(.text("1")) == nil)
            #expect(conversation.sent() == ["rule", "close 4000 end"])
        }

        @Test func `without an archive, only rules respond`() {
            var rule = WebSocketRule(.any, policy: .free) { $0 == .binary(Data([1])) ? [] : nil }
            rule.greeting = [WebSocketResponse(.text("hello")), WebSocketResponse(.binary(Data([2])))]
            var conversation = WebSocketConversation(nil, rule: rule, settings: .init())
            #expect(conversation.sent() == ["hello", "[2]"])
            #expect(conversation.receive(.binary(Data([1]))) == nil)
            #expect(conversation.receive(.text("x")) == "Message 2 matches no rule.")
        }

        @Test func `a timed conversation does not depend on the client`() {
            var settings = RelayServer.WebSockets()
            settings.policy = .timed
            settings.speed = 1e12
            var conversation = WebSocketConversation(["<a", ">1", "<b"], settings: settings)
            #expect(conversation.receive(.text("anything")) == nil)
            var sent: [String] = []
            while sent.count < 2 { sent += conversation.sent() }
            #expect(sent == ["a", "b"])
        }

        @Test(arguments: [WebSocketPolicy.timed, .scripted])
        func `recorded times are reproduced`(policy: WebSocketPolicy) throws {
            var settings = RelayServer.WebSockets()
            settings.policy = policy
            settings.speed = 0.01
            let start = NIODeadline.now()
            var conversation = WebSocketConversation(["<a", "<b"], settings: settings)
            guard case .wait(let time) = conversation.next() else {
                Issue.record("The conversation does not wait.")
                return
            }
            #expect(time - start >= .seconds(99) && time - start < .seconds(160))
        }

        @Test func `the recorded end of the connection is sent`() {
            var entry = HAR.Entry.socket(["<a"])
            let end: JSONValue = ["type": "receive", "time": 1, "opcode": 8, "data": "D6BieWU="]
            entry["_webSocketMessages"] = .array((entry["_webSocketMessages"]?.array ?? []) + [end])
            var conversation = WebSocketConversation(WebSocketScript(of: entry), rule: nil, settings: .init())
            #expect(conversation.sent() == ["a", "close 4000 bye"])
        }

        @Test func `invalid messages in an archive are left out`() {
            var entry = HAR.Entry.socket([])
            entry["_webSocketMessages"] = [
                1, "text", ["type": "error", "data": "x"], ["type": "receive", "opcode": 99, "data": "x"],
                ["type": "receive", "time": 1e300, "data": 5], ["type": "receive", "time": "never", "opcode": 11],
                ["type": "receive", "opcode": 2, "data": "AQI="], ["type": "receive", "opcode": 9, "data": "AQ=="],
                ["type": "receive", "opcode": 10, "data": "AQ=="], ["type": "send", "opcode": 9, "data": "AQ=="],
                ["type": "receive", "opcode": 8, "data": "!"],
            ]
            var settings = RelayServer.WebSockets()
            settings.speed = 1
            var conversation = WebSocketConversation(WebSocketScript(of: entry), rule: nil, settings: settings)
            #expect(conversation.sent() == ["x", "5", "[1, 2]", "ping [1]", "close 1005 "])
        }
    }
#endif
