#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// The opening of replayed WebSocket connections (RFC 6455, section 4.2, https://www.rfc-editor.org/rfc/rfc6455#section-4.2).
    extension Exchange {
        /// Opens a connection for which a rule alone determines the messages.
        ///
        /// - Parameter decide: A closure that is called instead if no rule of this kind matches the request.
        func openByRule(otherwise decide: @escaping @Sendable () -> Void) {
            findWebSocketRule { [self] rule in
                guard let rule, (rule.policy ?? server.webSockets.policy) == .free else { return decide() }
                decided(from: .stub(rule.pattern.description))
                open(nil, rule)
            }
        }

        /// Opens a recorded connection.
        func open(_ script: WebSocketScript) {
            findWebSocketRule { [self] rule in
                // Browsers let any page open a WebSocket connection to any server, and leave the check of the origin to the
                // server (RFC 6455, section 10.2, https://www.rfc-editor.org/rfc/rfc6455#section-10.2).
                guard rule == nil, let origin = request.headers.values(named: "origin").first, origin != script.origin
                else { return open(script, rule) }
                findOrigin(origin) { self.open(script, nil, isKnown: $0) }
            }
        }

        /// Opens a connection.
        ///
        /// - Parameters:
        ///   - script: The recorded connection, or nil if the rule alone determines the messages.
        ///   - rule: The rule, or nil for none.
        ///   - isKnown: Whether the client may read the recorded connection.
        private func open(_ script: WebSocketScript?, _ rule: WebSocketRule?, isKnown: Bool = true) {
            guard let sink else { return }
            guard sink.canUpgrade else {
                return respond(
                    501, "The server replays WebSocket connections only over HTTP/1.1.", as: "websocket")
            }
            let version = request.headers.values(named: "sec-websocket-version")
            guard let key = served.webSocketKey, version == ["13"] else {
                let fields = [
                    HeaderField(name: "Connection", value: "Upgrade"),
                    HeaderField(name: "Upgrade", value: "websocket"),
                    HeaderField(name: "Sec-WebSocket-Version", value: "13"),
                ]
                return respond(426, "The entry needs a WebSocket connection of version 13.", as: "websocket", fields)
            }
            guard Base64.decode(key)?.count == 16 else {
                return respond(400, "Expected 16 bytes in Base64 in the field Sec-WebSocket-Key.", as: "websocket")
            }
            guard isKnown else {
                return respond(
                    403,
                    """
                    The origin of the page is neither recorded nor the server's. To let its pages read the messages, add \
                    a rule with 'webSocket: {}' for this request.
                    """, as: "origin")
            }
            let accept = HashAlgorithm.sha1.hash(of: Data((key + Self.webSocketGUID).utf8))
            let recorded = script?.response.headers.map { HeaderField(name: $0.name, value: $0.value) }
            var fields = (recorded ?? []).filter { !Self.negotiatedFields.contains($0.name.lowercased()) }
            fields.append(HeaderField(name: "Sec-WebSocket-Accept", value: Data(accept).base64EncodedString()))
            if let name = subprotocol(recorded: recorded, rule) {
                fields.append(HeaderField(name: "Sec-WebSocket-Protocol", value: name))
            }
            let isCompressed = recorded?.values(named: "sec-websocket-extensions").isEmpty == false
            let compression =
                isCompressed
                ? WebSocketCompression(offers: request.headers.values(named: "sec-websocket-extensions")) : nil
            if let compression {
                fields.append(HeaderField(name: "Sec-WebSocket-Extensions", value: compression.field))
            }
            let head = CapturedExchange.Head(status: 101, statusText: "Switching Protocols", headers: fields)
            var response = ServedResponse(head, length: nil, method: "HEAD")
            if let mapping = served.mapping { response = response.mapped(by: mapping) }
            let conversation = WebSocketConversation(script, rule: rule, settings: server.webSockets)
            // The messages take memory.
            let recording = server.interceptor.isObserved ? WebSocketRecording() : nil
            let connection = WebSocketConnection(
                conversation, compression: compression, recordedBy: recording, at: server
            ) { size, miss in
                self.customFields = recording?.fields ?? [:]
                self.endUpgrade(sentBytes: size, miss: miss)
            }
            upgrade(response, to: connection)
            register()
        }

        /// Sends the head of a response, after which a handler uses the connection.
        func upgrade(_ response: ServedResponse, to handler: any UpgradedHandler) {
            guard let sink else { return handler.close() }
            result = .success(response.status)
            hasSentHead = true
            let connection = UpgradedConnection(handler)
            upgraded = connection
            server.add(connection)
            // The number of open connections is limited, and they can be open for any time.
            server.end(sink)
            sink.upgrade(response, to: handler)
        }

        private func endUpgrade(sentBytes size: Int, miss: String?) {
            guard sink != nil else { return }
            sentBytes = size
            if let miss {
                let url = MessageText.url(request.url)
                result = .failure(
                    RelayError(.noMatchingEntry, "The WebSocket connection to \(url) was closed. \(miss)"))
            }
            end()
        }

        /// Returns the subprotocol of the recording or the rule, if the client offers it, or nil.
        private func subprotocol(recorded: [HeaderField]?, _ rule: WebSocketRule?) -> String? {
            let offered = request.headers.values(named: "sec-websocket-protocol")
                .flatMap { $0.split(separator: ",") }.map { $0.trimming(.whitespaces) }
            let wanted = rule?.subprotocol ?? recorded?.values(named: "sec-websocket-protocol").first
            if let wanted { return offered.contains(wanted) ? wanted : nil }
            return recorded == nil ? offered.first : nil
        }

        /// The text that a server appends to the key of a client (RFC 6455, section 1.3).
        private static let webSocketGUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

        /// The fields that depend on the request of the client.
        private static let negotiatedFields: Set = [
            "sec-websocket-accept", "sec-websocket-protocol", "sec-websocket-extensions", "content-length",
        ]
    }
#endif
