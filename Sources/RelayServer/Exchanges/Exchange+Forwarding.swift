#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    extension Exchange {
        /// Sends the request to the network if its host is passed through, without rules and without recording it.
        ///
        /// - Returns: Whether the request is sent.
        func passThrough() -> Bool {
            guard let upstream = server.upstream, upstream.passesThrough(urlOf: request.withHTTPScheme) else {
                return false
            }
            send(request, recordedBy: nil, over: upstream)
            return true
        }

        /// Sends the request to the network.
        func forward(_ decision: Decision) {
            guard let upstream = server.upstream, case .network(_, let receiver) = decision.origin else {
                return refuseNetwork()
            }
            if !decision.changes.isEmpty {
                changing = (decision, InterceptedResponse(url: request.url, status: 0, headers: [], body: Data()))
            }
            send(decision.request, recordedBy: receiver, over: upstream)
        }

        private func send(
            _ request: InterceptedRequest, recordedBy receiver: ExchangeReceiver?, over upstream: Upstream
        ) {
            guard let sink else { return }
            let kind = ClientKind(
                isVersion2: sink.isVersion2, canUpgrade: changing == nil && sink.canUpgrade, upload: upload)
            let forwarded = ForwardedExchange(
                request.withHTTPScheme, to: self, over: kind, recordedBy: receiver, in: upstream.memory,
                in: server.turns)
            self.forwarded = forwarded
            register()
            upstream.send(forwarded)
        }
    }

    extension Exchange: ForwardedExchange.Client {
        var isWritable: Bool { changing != nil || sink?.isWritable ?? true }

        func continueUpload() { sink?.continueUpload() }

        func receive(interim head: CapturedExchange.Head) {
            if !hasSentHead, changing == nil { sink?.sendInterim(ServedResponse(head, length: nil, method: "HEAD")) }
        }

        func receive(_ head: CapturedExchange.Head, length: Int?) {
            guard let sink else { return }
            guard changing == nil else {
                changing?.response.status = head.status
                changing?.response.statusText = head.statusText
                changing?.response.headers = head.headers
                return
            }
            var response = ServedResponse(
                head, length: length, method: request.method, isLatin1: forwarded?.isLatin1 == true)
            if let mapping = served.mapping { response = response.mapped(by: mapping) }
            result = .success(head.status)
            hasSentHead = true
            sink.sendHead(response)
        }

        func receive(_ bytes: ByteBuffer) {
            if changing != nil {
                sentBytes += bytes.readableBytes
                changing?.response.body.append(contentsOf: bytes.readableBytesView)
                if sentBytes > server.limits.bodySize { refuseToChange() }
                return
            }
            sentBytes += bytes.readableBytes
            sink?.sendBody(bytes)
        }

        func flush() { sink?.flush() }

        private func refuseNetwork() {
            decided(from: .nothing)
            respond(
                502,
                """
                \(request.method) \(MessageText.url(request.url)) would be sent to the network, but the server responds \
                only from archives and rules.
                """, as: "network")
        }

        private func refuseToChange() {
            (changing, sentBytes) = (nil, 0)
            respond(
                502,
                """
                The response is larger than \(server.limits.bodySize) bytes, so the overrides cannot change it. Raise the \
                limit with bodySize or --max-body.
                """, as: "upstream")
        }

        func receiveEnd(trailers: [HeaderField]) {
            if let (decision, received) = changing {
                (changing, sentBytes) = (nil, 0)
                return work(on: decision, live: received)
            }
            guard let sink else { return }
            end()
            let valid = trailers.filter { FieldSyntax.isToken($0.name) }
            sink.sendEnd(
                trailers: valid.map { HeaderField(name: $0.name, value: FieldSyntax.singleLine($0.value)) })
        }

        func receive(upgrade head: CapturedExchange.Head, to relay: RawRelay) {
            guard sink != nil else { return relay.close() }
            upgrade(ServedResponse(head, length: nil, method: "HEAD"), to: relay)
        }

        func receive(failure: any Error) {
            guard let sink else { return }
            let host = (forwarded?.request).flatMap { UpstreamOrigin($0.url)?.host } ?? ""
            guard hasSentHead else {
                changing = nil
                return respond(
                    502, ForwardedExchange.explanation(of: failure, host: MessageText.printable(host)), as: "upstream")
            }
            result = .failure(ForwardedExchange.recordable(failure))
            end()
            sink.fail(.close)
        }
    }
#endif
