#if Server
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// Tunnels whose bytes are passed on unchanged: to hosts that the settings name, and with protocols other than HTTP.
    extension ConnectionSetup {
        /// Two connections between which bytes are passed on.
        struct Passage {
            let toServer: RawRelay
            let toClient: RawRelay
        }

        /// The time after which the server may speak first.
        private static let silence = TimeAmount.milliseconds(500)

        /// The maximum length of a method.
        private static let longestMethod = 24

        /// Returns whether bytes begin a request of HTTP/1, or nil if more of them are needed.
        static func beginsHTTP(_ bytes: ByteBufferView) -> Bool? {
            for (index, byte) in bytes.enumerated() {
                if byte == 0x20 { return index > 2 }
                let isLetter = byte &- UInt8(ascii: "A") < 26
                let isOfMethod = isLetter || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                guard isOfMethod, index < longestMethod else { return false }
            }
            return nil
        }

        /// Begins to pass on bytes if the settings name the host of the tunnel, or waits for the first bytes.
        func beginTunnel() {
            guard let tunnel, let upstream = server.upstream else { return }
            let host = LiteralURL("http://\(tunnel)").host.lowercased().trimmingPrefix("[")
            if upstream.passesThrough(String(host)) { return passThrough() }
            silenceTimer = TurnTimer(in: Self.silence, on: server.turns) { [self] in
                guard !isSetUp, !isDetected, context != nil else { return }
                // A server can speak first, as with SSH, and the first bytes can look like a method.
                if buffer.readableBytes > 0 { passThrough() } else { connectToServer() }
            }
        }

        /// Passes on all bytes unchanged.
        func passThrough() {
            isPassingThrough = true
            if let passage { return adopt(passage) }
            setReading(false)
            connectToServer()
        }

        /// Sets whether data of the client is read, which it is not while the connection to the server is established.
        private func setReading(_ isReading: Bool) {
            try? context?.channel.syncOptions?.setOption(.autoRead, value: isReading)
        }

        private func connectToServer() {
            guard let tunnel, let upstream = server.upstream, !isConnecting,
                let origin = UpstreamOrigin("https://\(tunnel)")
            else { return }
            isConnecting = true
            upstream.openTunnel(to: origin) { [self] channel in
                guard let channel else { return isPassingThrough ? close(because: nil) : () }
                let upgraded = UpgradedConnection()
                let end = { [server] in server.remove(upgraded) }
                let speakFirst: (ByteBuffer) -> Void = { [self] _ in self.passage.map(adopt) }
                let passage = Passage(
                    toServer: RawRelay(observing: speakFirst, end: end),
                    toClient: RawRelay(observing: { _ in }, end: end))
                RawRelay.join(passage.toServer, passage.toClient)
                upgraded.handler = passage.toServer
                do { try channel.pipeline.syncOperations.addHandler(passage.toServer) } catch { return }
                guard context != nil, isPassingThrough || !isSetUp && !isDetected else {
                    return passage.toServer.close()
                }
                server.add(upgraded)
                self.passage = passage
                if isPassingThrough { adopt(passage) }
            }
        }

        /// Replaces this handler with the handler that passes on bytes.
        private func adopt(_ passage: Passage) {
            guard let context, !isSetUp, !isDetected else { return }
            finishDetection()
            isPassed = true
            setReading(true)
            let pipeline = context.pipeline.syncOperations
            do {
                try pipeline.addHandler(passage.toClient)
                passBuffer()
                pipeline.removeHandler(context: context, promise: nil)
            } catch {
                context.close(promise: nil)
            }
        }
    }
#endif
