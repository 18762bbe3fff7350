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
        private let inflater: WebSocketInflater?
        private let recording: WebSocketRecording?
        private let end: (_ sentBytes: Int, _ miss: String?) -> Void

        private var context: ChannelHandlerContext?
        private var state = State.open
        private var timer: TurnTimer?

        /// The rest of the message that is being sent.
        private var unsent: WebSocketFrame?

        private var isReadPending = false

        /// Whether input and output wait for a later turn of the event loop.
        private var isYielding = false

        /// Whether a message of the client is handled on a queue, which uses the conversation meanwhile.
        private var isReceiving = false

        /// Whether the next message of the server is prepared on a queue.
        private var isPreparing = false

        /// Whether input has arrived that is not handled yet.
        private var hasInput = false

        /// Whether the client sends no further data.
        private var isInputClosed = false

        /// Whether the connection is closed, so that it ends after its input.
        private var isInactive = false
        private var hasEnded = false
        private var isPinged = false
        private var sentBytes = 0
        private var miss: String?
        private(set) var lastProgress = NIODeadline.now()
        private var lastReceived = NIODeadline.now()

        /// The number of bytes that the client had not read when this was last checked.
        private var lastUnread = 0

        /// The maximum number of bytes that a connection sends in one turn of the event loop.
        private static let turnSize = 1 << 16

        /// The time in which a connection handles input, and sends messages, in one turn.
        private static let turnTime = TimeAmount.microseconds(250)

        /// The maximum size of a message of the client, in bytes.
        private static let largestMessage = 1 << 20
        private let messageLimit: Int

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
            messageLimit = min(server.limits.bodySize, Self.largestMessage)
            inflater = compression == nil ? nil : WebSocketInflater()
            parser = WebSocketParser(extensions: compression?.field ?? "", isMasked: true, limit: messageLimit)
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
            isInactive = true
            handleInput()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            lastReceived = .now()
            lastProgress = lastReceived
            isPinged = false
            guard state != .closed else { return }
            parser.append(unwrapInboundIn(data))
            hasInput = true
            handleInput()
        }

        func read(context: ChannelHandlerContext) {
            if context.channel.isWritable, !hasInput { context.read() } else { isReadPending = true }
        }

        /// Continues to read when the client reads, and its earlier messages are handled.
        private func continueReading() {
            guard isReadPending, !hasInput, let context, context.channel.isWritable else { return }
            isReadPending = false
            context.read()
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            guard context.channel.isWritable else { return }
            lastReceived = .now()
            continueLater()
            continueReading()
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard let event = event as? ChannelEvent, event == .inputClosed else { return }
            isInputClosed = true
            handleInput()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        // MARK: - Messages

        /// Whether input waits for a queue or a later turn.
        private var isBusy: Bool { isReceiving || isPreparing || isYielding }

        /// Handles the messages that have arrived, until one of them takes long or the turn ends.
        private func handleInput() {
            guard !isBusy else { return }
            let end = NIODeadline.now() + Self.turnTime
            defer { context?.flush() }
            while state != .closed, let message = parser.next() {
                receive(message)
                proceed()
                if .now() >= end { continueLater() }
                guard !isBusy else { return }
            }
            if let code = parser.violation { close(with: code) }
            hasInput = false
            if isInputClosed { context?.close(promise: nil) }
            if isInactive { endConnection() }
            continueReading()
        }

        private func endConnection() {
            guard !hasEnded else { return }
            hasEnded = true
            state = .closed
            end(sentBytes, miss)
        }

        private func receive(_ message: WebSocketParser.Message) {
            switch (message.opcode, state) {
            case (_, .closed): break
            case (8, _): receiveClose(message.content)
            case (9, .open): write(WebSocketFrame(opcode: 10, content: message.content))
            case (1...2, .open):
                handle(ReceivedMessage(message, decompressedBy: inflater, limit: messageLimit))
            default: break
            }
        }

        /// Handles a message, on a queue if it takes long.
        private func handle(_ message: ReceivedMessage) {
            var message = message
            let result = message.handle(in: &conversation, isShort: true)
            guard result == .unfinished else { return finish(message, result) }
            isReceiving = true
            inQueue(for: message.size) { [message, conversation] in
                var (message, conversation) = (message, conversation)
                let result = message.handle(in: &conversation, isShort: false)
                return (message, conversation, result)
            } then: { [self] message, conversation, result in
                isReceiving = false
                self.conversation = conversation
                finish(message, result)
                proceed()
                handleInput()
            }
        }

        private func finish(_ message: ReceivedMessage, _ result: ReceivedMessage.Result) {
            if case .violation(let code) = result { return close(with: code) }
            recording?.add(WebSocketFrame(opcode: UInt8(message.opcode), content: message.content), from: .client)
            guard case .missed(let reason) = result, state == .open else { return }
            miss = reason
            let shown = MessageText.printable(String(reason.prefix(200)))
            server.report("A WebSocket connection was closed. \(shown)", from: context?.channel.remoteAddress)
            send(WebSocketFrame(.close(code: WebSocketConversation.missCode, reason: reason)))
        }

        /// Runs work on a queue for messages, and then a step on the event loop.
        ///
        /// - Parameters:
        ///   - size: The size of the message, in bytes.
        ///   - work: The work.
        ///   - step: Receives the result.
        private func inQueue<Result: Sendable>(
            for size: Int, _ work: @escaping @Sendable () -> Result, then step: @escaping (Result) -> Void
        ) {
            let bound = NIOLoopBound(step, eventLoop: server.loop)
            server.messageQueues.async(for: size) { [turns = server.turns] in
                let result = work()
                turns.execute { bound.value(result) }
            }
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
            guard state == .open, !isYielding, !isPreparing, let context else { return }
            timer?.cancel()
            timer = nil
            let limit = sentBytes + Self.turnSize
            let end = NIODeadline.now() + Self.turnTime
            defer { context.flush() }
            while state == .open, context.channel.isWritable {
                if let frame = unsent {
                    write(parts: frame)
                } else {
                    guard !isReceiving else { return }
                    switch conversation.next() {
                    case .send(let message) where message.takesLong(isCompressed: compression != nil):
                        return prepare(message)
                    case .send(let message):
                        let frame = message.complete
                        send(frame, as: compression?.compressed(frame) ?? frame)
                    case .idle: return
                    case .pause: return continueLater()
                    case .wait(let time): return wait(until: time)
                    }
                }
                if sentBytes >= limit || .now() >= end { return continueLater() }
            }
        }

        private func wait(until time: NIODeadline) {
            // Many connections can continue at the same time.
            timer = TurnTimer(in: time - .now(), on: server.turns) { [weak self] in self?.continueLater() }
        }

        /// Continues in the next turn of the event loop, after other connections.
        private func continueLater() {
            guard !isYielding else { return }
            isYielding = true
            server.turns.continueLater { [self] in
                isYielding = false
                handleInput()
                proceed()
            }
        }

        /// Prepares a message on a queue, and then sends it.
        private func prepare(_ message: OutgoingMessage) {
            isPreparing = true
            inQueue(for: message.frame.content.count) { [compression] in
                let frame = message.complete
                return (frame, compression?.compressed(frame) ?? frame)
            } then: { [self] frame, compressed in
                isPreparing = false
                if state == .open { send(frame, as: compressed) }
                continueLater()
            }
        }

        private func send(_ frame: WebSocketFrame) { send(frame, as: frame) }

        /// Sends a frame.
        ///
        /// - Parameters:
        ///   - frame: The frame without compression.
        ///   - compressed: The frame with compression, or the same frame.
        private func send(_ frame: WebSocketFrame, as compressed: WebSocketFrame) {
            recording?.add(frame, from: .server)
            write(parts: compressed)
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
            timer = TurnTimer(in: Self.closeTime, on: server.turns) { [weak self] in
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
            guard let context else { return endConnection() }
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
