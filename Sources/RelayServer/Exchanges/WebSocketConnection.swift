#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// The server's end of a replayed WebSocket connection (RFC 6455, https://www.rfc-editor.org/rfc/rfc6455).
    ///
    /// It is used only on the server's event loop.
    final class WebSocketConnection: ChannelDuplexHandler, UpgradedHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private enum State {
            case open

            /// The server has sent a close frame, and waits for the client's.
            case closing

            /// Both ends have sent a close frame, or the client has violated the protocol.
            case closed
        }

        private let server: ServerState
        private var conversation: WebSocketConversation
        private let compression: WebSocketCompression?
        private var parser: WebSocketParser
        private let recording: WebSocketRecording?
        private let end: (_ sentBytes: Int, _ miss: String?) -> Void

        private var context: ChannelHandlerContext?
        private var state = State.open
        private var timer: Scheduled<Void>?

        /// The rest of the message that is being sent.
        private var unsent: WebSocketFrame?

        private var isReadPending = false
        private var isYielding = false
        private var isPinged = false
        private var sentBytes = 0
        private var miss: String?
        private(set) var lastProgress = NIODeadline.now()
        private var lastReceived = NIODeadline.now()

        /// The number of bytes that the client had not read when this was last checked.
        private var lastUnread = 0

        /// The maximum number of bytes that a connection sends in one turn of the event loop.
        private static let turnSize = 1 << 16

        /// The maximum size of a message of the client, in bytes.
        private static let messageSize = 1 << 20

        /// The time in which a client must respond to a close frame.
        private static let closeTime = TimeAmount.seconds(5)

        /// Prepares a connection.
        ///
        /// - Parameters:
        ///   - conversation: The messages.
        ///   - compression: The compression of messages, or nil for none.
        ///   - recording: The recording of the messages, or nil if they are not observed.
        ///   - server: The server.
        ///   - end: Called when the connection is closed, with the size of the messages that the server sent, in bytes, and
        ///     the reason why a message of the client had no response.
        init(
            _ conversation: WebSocketConversation, compression: WebSocketCompression?,
            recordedBy recording: WebSocketRecording?, at server: ServerState,
            end: @escaping (_ sentBytes: Int, _ miss: String?) -> Void
        ) {
            self.conversation = conversation
            self.compression = compression
            self.recording = recording
            self.server = server
            self.end = end
            parser = WebSocketParser(
                extensions: compression?.field ?? "", isMasked: true,
                limit: min(server.limits.bodySize, Self.messageSize))
        }

        // MARK: - Channel events

        func handlerAdded(context: ChannelHandlerContext) {
            self.context = context
            guard state == .open else { return context.close(promise: nil) }
            // The head of the response was sent before.
            proceed()
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            self.context = nil
            timer?.cancel()
            timer = nil
            state = .closed
            end(sentBytes, miss)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            lastReceived = .now()
            lastProgress = lastReceived
            isPinged = false
            guard state != .closed else { return }
            parser.feed(unwrapInboundIn(data)) { opcode, content in
                receive(opcode, content)
                proceed()
            }
            if let code = parser.violation { close(with: code) }
            context.flush()
        }

        func read(context: ChannelHandlerContext) {
            if context.channel.isWritable { context.read() } else { isReadPending = true }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            guard context.channel.isWritable else { return }
            lastReceived = .now()
            proceed()
            guard isReadPending else { return }
            isReadPending = false
            context.read()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if let event = event as? ChannelEvent, event == .inputClosed { context.close(promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        // MARK: - Messages

        private func receive(_ opcode: Int, _ content: Data) {
            switch (opcode, state) {
            case (_, .closed): break
            case (8, _): receiveClose(content)
            case (9, .open): write(WebSocketFrame(opcode: 10, content: content))
            case (1, .open):
                guard let text = String(validating: content, as: UTF8.self) else { return close(with: 1007) }
                receive(.text(text))
            case (2, .open): receive(.binary(content))
            default: break
            }
        }

        private func receive(_ message: WebSocketMessage) {
            recording?.add("send", WebSocketFrame(message))
            guard let reason = conversation.receive(message) else { return }
            miss = reason
            let shown = MessageText.printable(String(reason.prefix(200)))
            server.report("A WebSocket connection was closed. \(shown)", from: context?.channel.remoteAddress)
            send(WebSocketFrame(.close(code: WebSocketConversation.missCode, reason: reason)))
        }

        /// Responds to a close frame with the same code (RFC 6455, section 5.5.1).
        private func receiveClose(_ content: Data) {
            let code = content.count < 2 ? nil : Int(content[0]) << 8 | Int(content[1])
            let isValid =
                content.isEmpty
                || code.map(WebSocketFrame.isValid) ?? false
                    && String(validating: content.dropFirst(2), as: UTF8.self) != nil
            guard isValid else { return close(with: 1002) }
            if state == .open { write(WebSocketFrame(.close(code: code ?? WebSocketFrame.noCode))) }
            closeAfterWriting()
        }

        /// Sends the messages whose time has come.
        private func proceed() {
            guard state == .open, !isYielding, let context else { return }
            timer?.cancel()
            timer = nil
            let limit = sentBytes + Self.turnSize
            defer { context.flush() }
            while state == .open, context.channel.isWritable {
                if let frame = unsent {
                    write(parts: frame)
                    if sentBytes >= limit { return continueLater() }
                    continue
                }
                switch conversation.next() {
                case .send(let frame): send(frame)
                case .idle: return
                case .wait(let time):
                    timer = server.loop.assumeIsolated().scheduleTask(deadline: time) { [weak self] in self?.proceed() }
                    return
                }
                if sentBytes >= limit { return continueLater() }
            }
        }

        /// Continues in the next turn of the event loop, after other connections.
        private func continueLater() {
            isYielding = true
            server.turns.continueLater { [weak self] in
                self?.isYielding = false
                self?.proceed()
            }
        }

        private func send(_ frame: WebSocketFrame) {
            recording?.add("receive", frame)
            write(parts: compression?.compressed(frame) ?? frame)
            if frame.opcode == 8 { waitForClose() }
        }

        /// Sends the first fragment of a frame, and keeps the rest.
        private func write(parts frame: WebSocketFrame) {
            let (first, rest) = frame.split()
            unsent = rest
            sentBytes += first.content.count
            write(first)
        }

        private func write(_ frame: WebSocketFrame) {
            lastProgress = .now()
            context?.write(wrapOutboundOut(frame.bytes), promise: nil)
        }

        // MARK: - End

        private func waitForClose() {
            state = .closing
            context?.flush()
            timer?.cancel()
            timer = server.loop.assumeIsolated().scheduleTask(in: Self.closeTime) { [weak self] in
                self?.context?.close(promise: nil)
            }
        }

        /// Closes the connection because of a violation of the protocol.
        private func close(with code: Int) {
            if state == .open { write(WebSocketFrame(.close(code: code))) }
            closeAfterWriting()
        }

        private func closeAfterWriting() {
            guard let context, state != .closed else { return }
            state = .closed
            timer?.cancel()
            context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { [channel = context.channel] _ in
                channel.close(promise: nil)
            }
        }

        /// Closes the connection because the server stops or needs room.
        func close() {
            guard let context else {
                state = .closed
                return end(sentBytes, miss)
            }
            guard state == .open else { return context.close(promise: nil) }
            close(with: 1001)
        }

        /// Sends a ping to a client that has sent nothing for a time, and closes the connection if it neither responds nor
        /// reads.
        func checkTime(_ now: NIODeadline) {
            let unread = (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
            if unread < lastUnread { lastReceived = now }
            lastUnread = unread
            guard now - lastReceived > server.idleTime else { return }
            guard isPinged else {
                isPinged = true
                write(WebSocketFrame(opcode: 9, content: Data()))
                context?.flush()
                return
            }
            if now - lastReceived > server.idleTime + server.idleTime { context?.close(promise: nil) }
        }
    }
#endif
