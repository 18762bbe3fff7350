#if Server
    import Foundation
    import NIOCore
    import NIOPosix
    import RelayCore
    import Synchronization

    /// Runs work on the event loop in short turns.
    ///
    /// The event loop handles the events of all connections in between. While tasks of an event loop follow one another,
    /// it handles no events. A pipe therefore announces each turn as an event.
    final class WorkTurns: @unchecked Sendable {
        private final class Announcements: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            private let turns: WorkTurns

            init(of turns: WorkTurns) { self.turns = turns }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) { turns.run() }
        }

        let loop: any EventLoop

        /// Returns the number of small exchanges with a server that wait until they are recorded, or of all for an unknown
        /// server.
        private let unrecordedCount: (Destination) -> Int

        /// The number of these exchanges at which input waits that could begin further ones with the server.
        private static let lateCount = 32

        /// The number at which input that follows output waits, too.
        private static let fullCount = 256

        /// The time until the next turn while input waits only for that.
        private static let recordingTime = TimeAmount.milliseconds(2)
        private let inbox = Mutex(WorkInbox())
        private var channel: (any Channel)?

        /// The small input of new connections of clients that waits for a turn.
        private var newInputs = FairWork()

        /// The small input of servers for exchanges that began a short time ago, and the ends of recorded exchanges.
        private var newResponses = FairWork()

        /// Whether the next input is new.
        private var takesNew = false

        /// The other input that waits for a turn.
        private var inputs = FairWork()

        /// The input that follows output of its connection, which is in use.
        private var continuedInputs = FairWork()

        /// Whether the next input is from a connection in use.
        private var continues = false

        /// The work of other threads that waits for a turn.
        private var arrived: CircularBuffer<@Sendable () -> Void> = []

        /// The TLS handshakes, and the beginnings of HTTP/2 connections, that wait for a turn, in the order in which their
        /// connections began.
        private var handshakes: CircularBuffer<(start: NIODeadline, work: () -> Void)> = []

        /// Whether the next of them is on the latest connection.
        private var beginsLatest = false

        /// The work that continues in later turns.
        private var continuations: CircularBuffer<() -> Void> = []

        /// The work that is due at a time.
        private var deliveries: CircularBuffer<() -> Void> = []

        /// The ends of clients' connections.
        private var ends: CircularBuffer<() -> Void> = []

        /// The time of the first event since the event loop has last run its tasks, or nil for no event.
        private var firstEvent: NIODeadline?

        /// The time after which further input waits for a turn.
        private static let eventTime = TimeAmount.milliseconds(1)

        /// The time after which the small input of new connections and exchanges waits, too.
        private static let newEventTime = TimeAmount.milliseconds(4)

        /// The maximum time in one turn for the work of other threads, and for input.
        private static let longestShare = TimeAmount.milliseconds(1)

        /// The end of the last turn.
        private var lastTurn = NIODeadline.now()

        /// The time after which no further work continues in one turn.
        private static let turnTime = TimeAmount.microseconds(500)

        /// The same time if events have kept the event loop busy since the last turn, such as many new connections.
        private static let shortTurnTime = TimeAmount.microseconds(150)

        /// The time between two turns after which the next one is short.
        private static let busyTime = TimeAmount.milliseconds(1)

        /// Opens the pipe.
        ///
        /// - Parameters:
        ///   - loop: The event loop.
        ///   - unrecordedCount: Returns the number of small exchanges with a server that wait until they are recorded, or
        ///     of all for an unknown server. If there are many, input that could begin further exchanges with it waits, too.
        /// - Throws: `invalidSetting` if the process has too many open files.
        init(on loop: any EventLoop, unrecordedCount: @escaping (Destination) -> Int) async throws(RelayError) {
            self.loop = loop
            self.unrecordedCount = unrecordedCount
            var ends: [CInt] = [0, 0]
            guard pipe(&ends) == 0 else { throw Self.tooManyFiles }
            let output = ends[1]
            // Programs that this process starts do not need the pipe.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            do {
                channel = try await NIOPipeBootstrap(group: loop)
                    .channelOption(.maxMessagesPerRead, value: 1)
                    .channelInitializer { [self] channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(Announcements(of: self))
                        }
                    }
                    .takingOwnershipOfDescriptor(input: ends[0]).get()
            } catch {
                for end in ends { Foundation.close(end) }
                throw Self.tooManyFiles
            }
            inbox.withLock { $0.pipe = output }
        }

        private static var tooManyFiles: RelayError {
            RelayError(
                .invalidSetting,
                "The server cannot open a pipe, because too many files are open. Raise the limit with `ulimit -n`.")
        }

        /// Closes the pipe.
        ///
        /// Work that waits or follows runs as tasks of the event loop.
        func close() {
            let work = inbox.withLock { inbox in
                if let pipe = inbox.pipe { Foundation.close(pipe) }
                inbox.pipe = nil
                defer { inbox.work = [] }
                return inbox.work
            }
            for step in work { loop.execute(step) }
            while let step = arrived.popFirst() { loop.execute(step) }
            while let step = newResponses.take() { loop.assumeIsolated().execute(step) }
            while let step = continuations.popFirst() { loop.assumeIsolated().execute(step) }
            channel?.close(promise: nil)
        }

        /// Runs work in a turn soon.
        ///
        /// It can be called on any thread.
        func execute(_ work: @escaping @Sendable () -> Void) {
            let isOpen = inbox.withLock { inbox in
                guard inbox.pipe != nil else { return false }
                inbox.work.append(work)
                inbox.announce()
                return true
            }
            if !isOpen { loop.execute(work) }
        }

        /// Continues work in a later turn, after the event loop has handled the events of other connections.
        ///
        /// - Parameters:
        ///   - isTimed: Whether the work is due now. If very much work is due all the time, it is done late, and other work
        ///     does not wait for it. By default, it is not.
        ///   - work: Continues the work.
        func continueLater(isTimed: Bool = false, _ work: @escaping () -> Void) {
            if isTimed { deliveries.append(work) } else { continuations.append(work) }
            inbox.withLock { $0.announce() }
        }

        /// Runs work now, or in a later turn if the event loop has no time for further events.
        func executeSoon(_ work: @escaping () -> Void) {
            if busyTime(at: .now()) < Self.eventTime { work() } else { continueLater(work) }
        }

        /// Handles the end of a client's data now, or in a later turn if the event loop has no time for further events.
        ///
        /// Very many connections can end at the same time.
        func endSoon(_ work: @escaping () -> Void) {
            if busyTime(at: .now()) < Self.eventTime { return work() }
            ends.append(work)
            inbox.withLock { $0.announce() }
        }

        /// Handles the end that has waited for the longest time, or returns `false` if none waits.
        func handleNextEnd() -> Bool {
            guard let work = ends.popFirst() else { return false }
            work()
            return true
        }

        /// Ends a recorded exchange now, or in a later turn if the event loop has no time for further events.
        ///
        /// Very many exchanges can be recorded at the same time.
        ///
        /// - Parameters:
        ///   - destination: The server.
        ///   - work: Ends the exchange.
        func finishSoon(for destination: Destination, _ work: @escaping () -> Void) {
            if busyTime(at: .now()) < Self.eventTime { return work() }
            newResponses.append(work, for: destination)
            inbox.withLock { $0.announce() }
        }

        /// Runs work for each of many elements in later turns.
        ///
        /// - Parameters:
        ///   - elements: The elements.
        ///   - work: Runs the work for an element.
        ///   - end: A closure to call at the end; empty by default.
        func forEachLater<Element>(
            of elements: ArraySlice<Element>, _ work: @escaping (Element) -> Void, then end: @escaping () -> Void = {}
        ) {
            var rest = elements
            continueLater { [self] in
                let limit = NIODeadline.now() + Self.turnTime
                while let element = rest.popFirst() {
                    work(element)
                    if .now() > limit { return forEachLater(of: rest, work, then: end) }
                }
                end()
            }
        }

        /// Begins a TLS handshake, or an HTTP/2 connection, in a later turn, which begins no other one.
        ///
        /// This takes longer than most requests. The latest and the oldest connection have their turns alternately,
        /// so a client does not wait for many others that have connected before it.
        ///
        /// - Parameters:
        ///   - start: The start of the connection.
        ///   - work: Begins the handshake.
        func beginHandshakeLater(since start: NIODeadline, _ work: @escaping () -> Void) {
            let earlier = handshakes.lastIndex { $0.start <= start }
            handshakes.insert((start, work), at: earlier.map(handshakes.index(after:)) ?? handshakes.startIndex)
            inbox.withLock { $0.announce() }
        }

        /// Handles input, or begins exchanges, in a later turn.
        ///
        /// Half of the time belongs to the small input of new connections, and half of the rest to input that soon follows
        /// output, such as the next request of a client. Unless it is small and new, input also waits while many exchanges
        /// wait until they are recorded. All destinations have equal shares of the time. Among the input for the same one,
        /// the latest and the oldest are handled alternately, so a client does not wait for many others that were earlier.
        ///
        /// - Parameters:
        ///   - peer: The other end of the connection; a client by default.
        ///   - destination: The server that the input is from or for; unknown by default.
        ///   - start: The start of the connection or exchange; nil (the default) for large input.
        ///   - output: The time of the latest output of the connection; nil (the default) for no output.
        ///   - work: Handles the input.
        func receiveLater(
            from peer: PacedInput.Peer = .client, for destination: Destination = .unknown,
            since start: NIODeadline? = nil, after output: NIODeadline? = nil, _ work: @escaping () -> Void
        ) {
            let now = NIODeadline.now()
            if let start, isNew(start, at: now) {
                if peer == .client {
                    newInputs.append(work, for: destination)
                } else {
                    newResponses.append(work, for: destination)
                }
            } else if let output, now - output <= Self.pauseTime {
                continuedInputs.append(work, for: destination)
            } else {
                inputs.append(work, for: destination)
            }
            inbox.withLock { $0.announce() }
        }

        /// The time after output in which the next input follows it.
        private static let pauseTime = TimeAmount.seconds(1)

        /// Takes the next input, new and other input alternately, or returns nil if all input waits.
        private func takeInput() -> (() -> Void)? {
            takesNew.toggle()
            if !takesNew, let input = takeOtherInput() { return input }
            return newInputs.take() ?? (takesNew ? takeOtherInput() : nil)
        }

        /// Takes the next input that is not new, of both kinds alternately.
        private func takeOtherInput() -> (() -> Void)? {
            continues.toggle()
            if continues, let input = continuedInputs.take(where: isNotFull) { return input }
            return inputs.take(where: isNotLate) ?? continuedInputs.take(where: isNotFull)
        }

        /// Whether few exchanges with a server wait until they are recorded.
        private func isNotLate(_ destination: Destination) -> Bool { unrecordedCount(destination) < Self.lateCount }

        /// Whether not very many of them wait.
        private func isNotFull(_ destination: Destination) -> Bool { unrecordedCount(destination) < Self.fullCount }

        /// Whether the next turn can handle input.
        private var canTakeInput: Bool {
            !newInputs.isEmpty || inputs.contains(where: isNotLate) || continuedInputs.contains(where: isNotFull)
        }

        /// The time in which a connection or an exchange is new.
        private static let newTime = TimeAmount.milliseconds(50)

        private func isNew(_ start: NIODeadline, at now: NIODeadline) -> Bool { now - start <= Self.newTime }

        /// Whether the event loop can handle input now without delaying others for long.
        ///
        /// New connections and exchanges do not wait for the input of older ones.
        ///
        /// - Parameters:
        ///   - start: The start of the connection or exchange, or nil for large input.
        ///   - destination: The server that the input is from or for; unknown by default.
        /// - Returns: Whether the input can be handled now.
        func hasTime(forInputSince start: NIODeadline?, for destination: Destination = .unknown) -> Bool {
            let now = NIODeadline.now()
            let busy = busyTime(at: now)
            if busy < Self.eventTime, isNotLate(destination) { return true }
            return busy < Self.newEventTime && start.map { isNew($0, at: now) } ?? false
        }

        /// Returns the time that events have taken since the event loop has last run its tasks.
        private func busyTime(at now: NIODeadline) -> TimeAmount {
            if let firstEvent { return now - firstEvent }
            firstEvent = now
            loop.assumeIsolated().execute { [self] in firstEvent = nil }
            return .zero
        }

        private func run() {
            inbox.withLock { inbox in
                arrived.append(contentsOf: inbox.work)
                inbox.work.removeAll(keepingCapacity: true)
                inbox.isAnnounced = false
            }
            var now = NIODeadline.now()
            let elapsed = now - lastTurn
            let share = min(max(elapsed, Self.shortTurnTime), Self.longestShare)
            var end = now + share
            while now < end, let work = arrived.popFirst() {
                work()
                now = .now()
            }
            end = now + Self.newEventTime
            while now < end, let input = newResponses.take() {
                input()
                now = .now()
            }
            end = now + share
            while now < end, let input = takeInput() {
                input()
                now = .now()
            }
            end = now + (elapsed > Self.busyTime ? Self.shortTurnTime : Self.turnTime)
            beginsLatest.toggle()
            (beginsLatest ? handshakes.popLast() : handshakes.popFirst())?.work()
            // Work that continues again waits for the next turn.
            for _ in 0..<continuations.count where now < end {
                continuations.removeFirst()()
                now = .now()
            }
            end = now + Self.shortTurnTime
            for _ in 0..<deliveries.count where now < end {
                deliveries.removeFirst()()
                now = .now()
            }
            end = now + Self.shortTurnTime
            while now < end, handleNextEnd() { now = .now() }
            lastTurn = .now()
            let isBusy =
                !arrived.isEmpty || !newResponses.isEmpty || !handshakes.isEmpty || !continuations.isEmpty
                || !deliveries.isEmpty || !ends.isEmpty
            if isBusy || canTakeInput {
                inbox.withLock { $0.announce() }
            } else if !inputs.isEmpty || !continuedInputs.isEmpty {
                loop.scheduleTask(in: Self.recordingTime) { [self] in inbox.withLock { $0.announce() } }
            }
        }
    }
#endif
