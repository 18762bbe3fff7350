#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore
    import Synchronization

    /// The state shared by the connections of a server.
    ///
    /// It is used only on the server's event loop, except for the constants.
    final class ServerState: @unchecked Sendable {
        let interceptor: Interceptor
        let loop: any EventLoop
        let missStatus: Int
        let gate: RelayServer.Gate?
        let webSockets: RelayServer.WebSockets
        let limits: RelayServer.Limits

        /// The time without progress after which a connection is closed.
        let idleTime: TimeAmount

        /// The time in which the head of a request, and then each part of its body, must arrive.
        let requestTime: TimeAmount

        /// The authority for the server's certificates, or nil if the platform cannot make certificates.
        let authority: CertificateAuthority?

        private let log: (@Sendable (RelayServer.Event) -> Void)?
        private let logsExchanges: Bool

        /// The reports that are not repeated.
        private var reportedOnce: Set<String> = []

        /// The open connections, by identity.
        private var connections: [ObjectIdentifier: any ServedConnection] = [:]

        /// Connections that were replaceable at an earlier time, and their last progress at that time; the oldest is
        /// last.
        private var candidates: [(connection: any ServedConnection, lastProgress: NIODeadline)] = []

        /// Whether the time limits of connections are being checked.
        private var isChecking = false

        /// The recorded origins.
        var origins: RecentOrigins

        /// The connections for requests to the network, or nil if the server sends nothing.
        let upstream: Upstream?

        /// The secret that clients must send, or nil if clients need none.
        let token: String?

        /// Whether bodies of requests are sent to the network while they are received.
        var streamsUploads: Bool { upstream != nil && !interceptor.needsBodies }

        /// The folders that messages to clients do not name.
        let folders: LocalFolders

        /// The connections and streams whose requests wait for their response, or receive it.
        private var requestsInFlight: [ObjectIdentifier: any ExchangeSink] = [:]

        /// Requests that were replaceable at an earlier time, and their last progress at that time; the oldest is last.
        private var replaceable: [(request: any ExchangeSink, lastProgress: NIODeadline)] = []

        /// The time before which no request is replaceable.
        private var nextReplacement = NIODeadline.uptimeNanoseconds(0)

        /// The number of open HTTP/2 streams.
        var streamCount = 0

        /// The turns of work on the event loop.
        let turns: WorkTurns

        /// The total size of the bodies of requests and responses in memory, in bytes.
        ///
        /// A body can be released on any thread.
        let bodySize = Atomic(0)

        /// The sizes of the bodies that are being received, and closures that reject them.
        var receivedBodies: [ObjectIdentifier: (size: Int, refuse: ((Rejection) -> Void)?)] = [:]

        let scripts = WebSocketScripts()

        /// The queues for messages of WebSocket connections that take long.
        let messageQueues = MessageQueues()

        /// Whether the server is stopping, so that connections are closed after their current response.
        private(set) var isStopping = false

        private var emptied: EventLoopPromise<Void>?

        /// Creates the state of a server without connections.
        init(
            _ interceptor: Interceptor, on loop: any EventLoop, turns: WorkTurns, origins: Origins,
            authority: CertificateAuthority?, upstream: Upstream?, configuration: RelayServer.Configuration
        ) {
            self.turns = turns
            self.upstream = upstream
            token = configuration.forwarding?.token
            self.interceptor = interceptor
            self.loop = loop
            self.origins = RecentOrigins(among: origins)
            folders = LocalFolders(of: interceptor)
            self.authority = authority
            missStatus = configuration.missStatus
            gate = configuration.gate
            webSockets = configuration.webSockets
            limits = configuration.limits
            idleTime = TimeAmount(configuration.limits.idleTime)
            requestTime = TimeAmount(configuration.limits.requestTime)
            log = configuration.log
            logsExchanges = configuration.log != nil && configuration.logsExchanges
        }

        // MARK: - Log

        /// Whether finished exchanges are reported to anyone.
        var isObserved: Bool { logsExchanges || interceptor.isObserved }

        /// Reports a finished exchange.
        func observe(_ exchange: ObservedExchange) {
            if logsExchanges { log?(.exchange(exchange)) }
            if interceptor.isObserved { interceptor.observe(exchange) }
        }

        /// Reports a connection that violates HTTP or a limit.
        func report(_ reason: String, from address: SocketAddress?) {
            log?(.clientError(RelayServer.ClientError(address: address.map(Self.text), reason: reason)))
        }

        /// Reports a problem, unless it was already reported.
        ///
        /// Clients that do not trust the authority try again and again.
        func reportOnce(_ reason: String, from address: SocketAddress?) {
            if reportedOnce.count >= 1000 { reportedOnce.removeAll() }
            if reportedOnce.insert(reason).inserted { report(reason, from: address) }
        }

        /// Returns an address and a port, such as `127.0.0.1:50412`.
        private static func text(_ address: SocketAddress) -> String {
            let host = address.ipAddress ?? "?"
            return "\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(address.port ?? 0)"
        }

        // MARK: - Requests

        /// The reason for closing a connection or stream in favor of another request.
        static let needsRoom = "another request needs the room of a response that waits for its client"

        /// Adds a request that waits for its response.
        ///
        /// If there are too many, it replaces the request whose client has not read for the longest time, or else the
        /// oldest one of the connection that has the most, or else the one with the longest delay, or else any one that
        /// waits for its first turn.
        ///
        /// - Returns: Whether there is room for the request.
        func begin(_ sink: any ExchangeSink) -> Bool {
            requestsInFlight[ObjectIdentifier(sink)] = sink
            guard requestsInFlight.count > limits.requestsInFlight else { return true }
            guard let replaced = replaceableRequest(for: sink) else {
                end(sink)
                return false
            }
            end(replaced)
            replaced.makeRoom()
            return true
        }

        /// Removes a request that has received its response.
        func end(_ sink: any ExchangeSink) { requestsInFlight[ObjectIdentifier(sink)] = nil }

        /// Returns the request to replace, or nil for none.
        ///
        /// - Complexity: O(log *n*) on average, because requests are sorted only once for many replacements.
        private func replaceableRequest(for sink: any ExchangeSink) -> (any ExchangeSink)? {
            for _ in 0..<2 {
                while let (request, lastProgress) = replaceable.popLast() {
                    let isInFlight = requestsInFlight[ObjectIdentifier(request)] != nil
                    if isInFlight, request.lastProgress == lastProgress { return request }
                }
                let now = NIODeadline.now()
                guard now >= nextReplacement else { return nil }
                let requests = requestsInFlight.values
                var found = requests.filter(\.isBlocked)
                if found.isEmpty { found = largestShare(than: sink) }
                if found.isEmpty { found = requests.filter(\.isWaiting) }
                replaceable = found.map { ($0, $0.lastProgress) }.sorted { $0.1 > $1.1 }
                if found.isEmpty {
                    // It is not known yet whether these clients read, so any of them is replaced.
                    found = requests.filter(\.isQueued).shuffled()
                    replaceable = found.map { ($0, $0.lastProgress) }
                }
                if found.isEmpty { nextReplacement = now + .milliseconds(1) }
            }
            return nil
        }

        /// Returns the older half of the requests of the connection that has the most, if it has more than another one.
        private func largestShare(than sink: any ExchangeSink) -> [any ExchangeSink] {
            let connections = Dictionary(grouping: requestsInFlight.values) { $0.connection }
            guard let largest = connections.values.max(by: { $0.count < $1.count }),
                largest.count > connections[sink.connection]?.count ?? 0
            else { return [] }
            return largest.sorted { $0.lastProgress < $1.lastProgress }.prefix((largest.count + 1) / 2).map { $0 }
        }

        // MARK: - Connections

        /// Adds a connection.
        ///
        /// If there are too many, the replaceable connection with the longest time since its last progress is closed,
        /// so that a client with many connections does not lock out other clients.
        func add(_ connection: any ServedConnection) {
            connections[ObjectIdentifier(connection)] = connection
            // The connections that their clients have closed make room first.
            while connections.count > limits.connections, turns.handleNextEnd() {}
            if connections.count > limits.connections {
                let replaced = longestReplaceable() ?? connection
                // The connection is removed now, because closing it takes until the next turn of the event loop.
                connections[ObjectIdentifier(replaced)] = nil
                replaced.close(because: "more than \(limits.connections) connections")
            }
            if isStopping { connection.drain() }
        }

        /// Returns the replaceable connection with the longest time since its last progress, or nil for none.
        ///
        /// - Complexity: O(1) on average, because the candidates are sorted only once for many connections.
        private func longestReplaceable() -> (any ServedConnection)? {
            for _ in 0..<2 {
                while let (connection, lastProgress) = candidates.popLast() {
                    let isOpen = connections[ObjectIdentifier(connection)] != nil
                    if isOpen, connection.isReplaceable, connection.lastProgress == lastProgress { return connection }
                }
                let replaceable = connections.values.filter(\.isReplaceable).map { ($0, $0.lastProgress) }
                candidates = replaceable.sorted { $0.1 < $1.1 }.prefix(connections.count / 8 + 1).reversed()
            }
            return nil
        }

        /// Removes a closed connection.
        func remove(_ connection: any ServedConnection) {
            connections[ObjectIdentifier(connection)] = nil
            if connections.isEmpty { emptied?.succeed() }
        }

        /// Removes a connection whose client has left, and which has been closed.
        ///
        /// The handlers are removed in the next turn of the event loop. With TLS, the channel can stay open for some time.
        func remove(_ connection: any ServedConnection, ifClosed channel: any Channel) {
            if !channel.isActive { remove(connection) }
        }

        /// Closes connections that have exceeded a time limit, in several turns of the event loop.
        func closeOverdueConnections() {
            upstream?.closeIdle(.now())
            // Checking them takes longer than a second only if that many are closed.
            guard !isChecking else { return }
            isChecking = true
            turns.forEachLater(of: Array(connections.values)[...]) { [self] connection in
                // Others can have been closed since the check began.
                if connections[ObjectIdentifier(connection)] != nil { connection.checkTime(.now()) }
            } then: { [self] in
                isChecking = false
            }
        }

        /// Closes idle connections, and all others after their response.
        ///
        /// - Parameter grace: The time after which the others are closed, too.
        /// - Returns: A future for the end of the last connection.
        func stop(within grace: TimeAmount) -> EventLoopFuture<Void> {
            let promise = emptied ?? loop.makePromise()
            guard !isStopping else { return promise.futureResult }
            isStopping = true
            upstream?.stop()
            emptied = promise
            guard !connections.isEmpty else {
                promise.succeed()
                return promise.futureResult
            }
            for connection in Array(connections.values) { connection.drain() }
            let timer = loop.scheduleTask(in: grace) { [self] in
                for connection in Array(connections.values) { connection.close(because: nil) }
            }
            promise.futureResult.whenComplete { _ in timer.cancel() }
            return promise.futureResult
        }
    }

    /// A connection to a client.
    protocol ServedConnection: AnyObject {
        /// Whether the connection waits for its client or for a delay, or sends a response.
        ///
        /// When very many clients request large responses, those responses make progress less often than a new client.
        var isReplaceable: Bool { get }

        /// The time at which data was last received or sent.
        var lastProgress: NIODeadline { get }

        /// Closes the connection at once.
        ///
        /// - Parameter reason: The reason to report, or nil for none.
        func close(because reason: String?)

        /// Closes the connection when its current response is complete.
        func drain()

        /// Closes the connection if it has exceeded a time limit.
        func checkTime(_ now: NIODeadline)
    }
#endif
