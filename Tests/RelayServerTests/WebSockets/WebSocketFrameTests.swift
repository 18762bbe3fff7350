#if Server
    import Foundation
    import NIOCore
    import Testing

    @testable import RelayServer

    @Suite struct WebSocketFrameTests {
        /// Returns the bytes of a frame as a client sends it.
        static func masked(_ first: UInt8, _ content: [UInt8]) -> [UInt8] {
            let key: [UInt8] = [1, 2, 3, 4]
            let size: [UInt8] =
                content.count < 126
                ? [0x80 | UInt8(content.count)] : [0xFE, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
            return [first] + size + key + content.enumerated().map { $1 ^ key[$0 & 3] }
        }

        private func messages(
            in bytes: [UInt8], by parser: inout WebSocketParser, chunkSize: Int = .max,
            with inflater: WebSocketInflater? = nil
        ) -> [String] {
            var found: [String] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let chunk = rest.prefix(chunkSize)
                rest = rest.dropFirst(chunk.count)
                parser.append(ByteBuffer(bytes: chunk))
                while let message = parser.next() {
                    var content = message.content
                    if message.isCompressed, let inflater {
                        inflater.begin(content)
                        guard case .complete(let data) = inflater.inflate(upTo: 1 << 20) else { return found }
                        content = data
                    }
                    found.append("\(message.opcode) \(String(decoding: content, as: UTF8.self))")
                }
            }
            return found
        }

        @Test(arguments: [1, 2, 3, 7, 1000])
        func `messages do not depend on chunks and fragments`(chunkSize: Int) {
            let long = [UInt8](repeating: 0x61, count: 300)
            let bytes =
                Self.masked(0x01, [0x41]) + Self.masked(0x89, [0x70]) + Self.masked(0x00, [0x42])
                + Self.masked(0x80, [0x43]) + Self.masked(0x82, long) + Self.masked(0x88, [])
            var parser = WebSocketParser(extensions: "", isMasked: true)
            let found = messages(in: bytes, by: &parser, chunkSize: chunkSize)
            #expect(found == ["9 p", "1 ABC", "2 " + String(decoding: long, as: UTF8.self), "8 "])
            #expect(parser.violation == nil)
        }

        @Test(
            arguments: [
                ([0x81, 0x01, 0x41], 1002), (masked(0xC1, [1]), 1002), (masked(0x91, [1]), 1002),
                (masked(0x80, [1]), 1002),
                (masked(0x01, [1]) + masked(0x01, [1]), 1002), (masked(0x09, [1]), 1002), (masked(0x83, [1]), 1002),
                (masked(0x8B, [1]), 1002), (masked(0x89, [UInt8](repeating: 0, count: 126)), 1002),
                ([0x82, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0], 1009), ([0x82, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0], 1009),
                (
                    masked(0x02, [UInt8](repeating: 0, count: 900)) + masked(0x80, [UInt8](repeating: 0, count: 900)),
                    1009
                ),
            ] as [([UInt8], Int)])
        func `violations have a close code`(bytes: [UInt8], code: Int) {
            var parser = WebSocketParser(extensions: "", isMasked: true, limit: 1000)
            _ = messages(in: bytes, by: &parser)
            #expect(parser.violation == code)
        }

        @Test(arguments: ["", "a", String(repeating: "message ", count: 10_000)])
        func `compressed messages are the same after decompression`(text: String) throws {
            let compression = try #require(
                WebSocketCompression(offers: ["x-unknown, permessage-deflate; server_max_window_bits=10"]))
            let field = """
                permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10
                """
            #expect(compression.field == field)
            var parser = WebSocketParser(extensions: compression.field, isMasked: false)
            let inflater = WebSocketInflater()
            for _ in 0..<2 {
                let frame = compression.compressed(WebSocketFrame(.text(text)))
                #expect(frame.isCompressed && (text.count < 10 || frame.content.count < text.count / 10))
                let bytes = Array(frame.bytes.readableBytesView)
                #expect(messages(in: bytes, by: &parser, with: inflater) == ["1 \(text)"])
            }
        }

        @Test(arguments: [true, false])
        func `a large message is sent in fragments`(isCompressed: Bool) throws {
            let bytes = (0..<200_000).map { _ in UInt8.random(in: 0...9) }
            let compression = try #require(WebSocketCompression(offers: ["permessage-deflate"]))
            var parser = WebSocketParser(extensions: compression.field, isMasked: false)
            let inflater = WebSocketInflater()
            let whole = WebSocketFrame(.binary(Data(bytes)))
            var rest: WebSocketFrame? = isCompressed ? compression.compressed(whole) : whole
            var (count, found) = (0, [String]())
            while let frame = rest {
                let (first, others) = frame.split()
                found += messages(in: Array(first.bytes.readableBytesView), by: &parser, with: inflater)
                found += messages(in: Array(WebSocketFrame(.ping()).bytes.readableBytesView), by: &parser)
                (rest, count) = (others, count + 1)
            }
            #expect(count > 1 && parser.violation == nil)
            let pings = [String](repeating: "9 ", count: count)
            #expect(found == pings.dropLast() + ["2 \(String(decoding: bytes, as: UTF8.self))", "9 "])
        }

        @Test(arguments: [
            "", "x", "permessage-deflate; server_max_window_bits=8", "permessage-deflate; server_max_window_bits=a",
        ])
        func `other extensions are refused`(offer: String) {
            #expect(WebSocketCompression(offers: [offer]) == nil)
        }

        @Test func `the reason of a close frame is shortened`() {
            let frame = WebSocketFrame(.close(code: 4404, reason: String(repeating: "ä", count: 100)))
            #expect(Array(frame.content.prefix(2)) == [0x11, 0x34])
            #expect(String(decoding: frame.content.dropFirst(2), as: UTF8.self) == String(repeating: "ä", count: 61))
            #expect(WebSocketFrame(.close(code: 1006)).content.isEmpty)
            #expect(WebSocketFrame(.close(code: -1)).content.isEmpty)
        }
    }
#endif
