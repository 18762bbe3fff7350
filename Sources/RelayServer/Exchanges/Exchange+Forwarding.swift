#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    extension Exchange {
        /// Sends the request to the network.
        func forward(_ decision: Decision) {
            guard let upstream = server.upstream, case .network(_, let receiver) = decision.origin else {
                return refuseNetwork()
            }
            if !decision.changes.isEmpty {
                changing = (decision, InterceptedResponse(url: request.url, status: 0, headers: [], body: Data()))
            }
            let forwarded = ForwardedExchange(
                request, to: self, upgrades: changing == nil && sink?.canUpgrade == true, recordedBy: receiver,
                on: server.loop)
            self.forwarded = forwarded
            register()
            upstream.send(forwarded)
        }
    }

    extension Exchange: ForwardedExchange.Client {
        var isWritable: Bool { changing != nil || sink?.isWritable ?? true }

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
            var response = ServedResponse(head, length: length, method: request.method)
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

        private func refuseToChange() {
            (changing, sentBytes) = (nil, 0)
            respond(
                502,
                """
                The response is larger than \(server.limits.bodySize) bytes, so the overrides cannot change it. Raise the \
                limit with bodySize or --max-body.
                """, as: "upstream")
        }

        func receiveEnd() {
            if let (decision, received) = changing {
                (changing, sentBytes) = (nil, 0)
                return work(on: decision, live: received)
            }
            guard let sink else { return }
            end()
            sink.sendEnd()
        }

        func receive(upgrade head: CapturedExchange.Head, to relay: RawRelay) {
            guard let sink else { return relay.close() }
            result = .success(head.status)
            hasSentHead = true
            let connection = UpgradedConnection(relay)
            upgraded = connection
            server.add(connection)
            sink.upgrade(ServedResponse(head, length: nil, method: "HEAD"), to: relay)
        }

        func receive(failure: any Error) {
            guard let sink else { return }
            let host = UpstreamOrigin(request.url)?.host ?? ""
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

    /// A connection to a client that carries another protocol.
    final class UpgradedConnection: ServedConnection {
        private let relay: RawRelay

        /// Prepares a connection.
        init(_ relay: RawRelay) { self.relay = relay }

        var isReplaceable: Bool { false }

        var lastProgress: NIODeadline { .now() }

        func close(because _: String?) { relay.close() }

        func drain() { relay.close() }

        func checkTime(_: NIODeadline) {}
    }
#endif
