#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import Testing

    @testable import RelayServer

    @Suite struct RecordedMessagesTests {
        /// Returns the texts of recorded messages.
        private static func texts(_ messages: RecordedMessages) -> [String] {
            messages.decoded().fields["_webSocketMessages"]?.array?.compactMap { $0["data"]?.text } ?? []
        }

        @Test func `messages of both ends are recorded in order`() throws {
            let compression = try #require(WebSocketCompression(offers: ["permessage-deflate"]))
            let recording = WebSocketRecording(extensions: compression.field)
            for number in 0..<3 {
                recording.send(ByteBuffer(bytes: WebSocketFrameTests.masked(0x81, Array("\(number)".utf8))))
                let frame = WebSocketFrame(.text("response \(number)"))
                recording.receive(compression.compressed(frame).bytes)
            }
            #expect(
                Self.texts(recording.messages) == ["0", "response 0", "1", "response 1", "2", "response 2"])
            #expect(recording.messages.decoded().isComplete)
        }

        @Test func `very many empty messages are left out`() {
            var messages = RecordedMessages()
            let empty = WebSocketParser.Message(opcode: 1, isCompressed: false, content: Data())
            for _ in 0..<100_000 { messages.add(empty, from: .server) }
            #expect(messages.isFull)
            let (fields, isComplete) = messages.decoded()
            #expect(!isComplete)
            #expect(60_000..<70_000 ~= fields["_webSocketMessages"]?.array?.count ?? 0)
        }

        @Test func `compressed messages are decompressed up to a total size`() throws {
            let compression = try #require(WebSocketCompression(offers: ["permessage-deflate"]))
            let large = compression.compressed(WebSocketFrame(.text(String(repeating: "a", count: 15 << 20))))
            let small = compression.compressed(WebSocketFrame(.text("end")))
            var messages = RecordedMessages()
            for frame in [large, large, large, small] {
                messages.add(
                    WebSocketParser.Message(opcode: 1, isCompressed: true, content: frame.content), from: .server)
            }
            #expect(messages.weight == 32 << 20)
            #expect(Self.texts(messages).map(\.utf8.count) == [15 << 20, 15 << 20, 3])
            #expect(!messages.decoded().isComplete)
            for _ in 0..<20 {
                messages.add(
                    WebSocketParser.Message(opcode: 1, isCompressed: true, content: large.content), from: .server)
            }
            // The work is limited, too.
            messages.add(
                WebSocketParser.Message(opcode: 1, isCompressed: true, content: small.content), from: .server)
            #expect(Self.texts(messages).count == 3)
        }

        @Test func `an invalid compressed message and those after it are left out`() {
            var messages = RecordedMessages()
            for isCompressed in [true, true, false] {
                let content = Data([7, 0, 0])
                messages.add(
                    WebSocketParser.Message(opcode: 2, isCompressed: isCompressed, content: content), from: .client)
            }
            #expect(Self.texts(messages) == ["BwAA"])
            #expect(!messages.decoded().isComplete)
        }
    }
#endif
