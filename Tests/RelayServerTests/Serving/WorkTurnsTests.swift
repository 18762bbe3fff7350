#if Server
    import Dispatch
    import NIOCore
    import NIOPosix
    import Synchronization
    import TestSupport
    import Testing

    @testable import RelayServer

    @Suite(.limited) struct WorkTurnsTests {
        /// The number of steps that have run.
        private final class Count: Sendable {
            let steps = Atomic(0)
        }

        /// Runs a body in a turn, and returns the steps that it resumes the continuation with.
        private func stepsInTurns(
            unrecordedCount: @escaping @Sendable (Destination) -> Int = { _ in 0 },
            _ body: @escaping @Sendable (WorkTurns, CheckedContinuation<[String], Never>) -> Void
        ) async throws -> [String] {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let turns = try await WorkTurns(on: loop, unrecordedCount: unrecordedCount)
            let steps = await withCheckedContinuation { continuation in
                turns.execute { body(turns, continuation) }
            }
            try await loop.submit { turns.close() }.get()
            return steps
        }

        @Test func `the event loop handles events between the steps of much work`() async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let turns = try await WorkTurns(on: loop) { _ in 0 }
            let others = try await WorkTurns(on: loop) { _ in 0 }
            let count = Count()
            let before = await withCheckedContinuation { continuation in
                turns.execute {
                    // The event arrives at once, and all of the work before it.
                    for _ in 0..<1000 {
                        turns.execute {
                            let end = NIODeadline.now() + .microseconds(100)
                            while .now() < end {}
                            count.steps.add(1, ordering: .relaxed)
                        }
                    }
                    others.execute { continuation.resume(returning: count.steps.load(ordering: .relaxed)) }
                }
            }
            #expect(before < 500)
            try await loop.submit {
                turns.close()
                others.close()
            }.get()
        }

        @Test func `work in turns keeps its order, and runs after the end, too`() async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let turns = try await WorkTurns(on: loop) { _ in 0 }
            let done = Mutex<[Int]>([])
            await withCheckedContinuation { continuation in
                for number in 0..<1000 {
                    turns.execute {
                        done.withLock { $0.append(number) }
                        if number == 999 { continuation.resume() }
                    }
                }
            }
            turns.execute { done.withLock { $0.append(1000) } }
            try await loop.submit { turns.close() }.get()
            await withCheckedContinuation { continuation in
                turns.execute {
                    done.withLock { $0.append(1001) }
                    continuation.resume()
                }
            }
            #expect(done.withLock { $0 } == Array(0...1001))
        }

        @Test func `work that continues runs in later turns`() async throws {
            let steps = try await stepsInTurns { turns, continuation in
                var steps: [String] = []
                turns.continueLater {
                    steps.append("first")
                    turns.continueLater { continuation.resume(returning: steps + ["third"]) }
                }
                turns.receiveLater { steps.append("input") }
                turns.continueLater { steps.append("second") }
            }
            #expect(steps == ["input", "first", "second", "third"])
        }

        @Test func `work for many elements takes several turns`() async throws {
            let steps = try await stepsInTurns { turns, continuation in
                var steps: [String] = []
                turns.forEachLater(of: [1, 2, 3]) { number in
                    steps.append("\(number)")
                    let end = NIODeadline.now() + .milliseconds(1)
                    while .now() < end {}
                } then: {
                    continuation.resume(returning: steps)
                }
                turns.continueLater { steps.append("other") }
            }
            #expect(steps == ["1", "other", "2", "3"] || steps == ["1", "2", "other", "3"])
        }

        @Test func `events wait for a turn if the event loop is busy, and run after the end, too`() async throws {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let turns = try await WorkTurns(on: loop) { _ in 0 }
            let steps = Mutex<[String]>([])
            try await loop.submit {
                turns.executeSoon { steps.withLock { $0.append("at once") } }
                let end = NIODeadline.now() + .milliseconds(2)
                while .now() < end {}
                turns.executeSoon { steps.withLock { $0.append("later") } }
                steps.withLock { $0.append("end") }
                turns.close()
            }.get()
            try await loop.submit {}.get()
            #expect(steps.withLock { $0 } == ["at once", "end", "later"])
        }

        @Test func `each turn begins one TLS handshake, before the work that continues`() async throws {
            let steps = try await stepsInTurns { turns, continuation in
                var steps: [String] = []
                turns.continueLater {
                    steps.append("first")
                    turns.continueLater { steps.append("third") }
                }
                turns.continueLater { steps.append("second") }
                let start = NIODeadline.now()
                for number: Int64 in [3, 1, 4, 2] {
                    turns.beginHandshakeLater(since: start + .nanoseconds(number)) {
                        steps.append("handshake \(number)")
                        if number == 2 { continuation.resume(returning: steps) }
                    }
                }
            }
            // The latest connection and the oldest one have their turns alternately.
            let handshakes = ["handshake 4", "handshake 1", "handshake 3", "handshake 2"]
            #expect(steps == [handshakes[0], "first", "second", handshakes[1], "third"] + handshakes[2...])
        }

        @Test func `input that follows output waits only for others of its kind`() async throws {
            let count = Atomic(0)
            let steps = try await stepsInTurns(
                unrecordedCount: { _ in count.load(ordering: .relaxed) }
            ) { turns, continuation in
                var steps: [String] = []
                let now = NIODeadline.now()
                for _ in 0..<2 { turns.receiveLater { steps.append("first request") } }
                turns.receiveLater(after: now - .hours(1)) { steps.append("request after a pause") }
                // The latest input and the oldest one have their turns alternately.
                turns.receiveLater(after: now) {
                    steps.append("request while others are recorded")
                    count.store(256, ordering: .relaxed)
                }
                turns.receiveLater(after: now) { steps.append("request after they are recorded") }
                turns.receiveLater(after: now) {
                    steps.append("latest request")
                    count.store(255, ordering: .relaxed)
                }
                func continueRecording() {
                    guard count.load(ordering: .relaxed) == 256 else {
                        return turns.continueLater(continueRecording)
                    }
                    count.store(0, ordering: .relaxed)
                    end()
                }
                func end() {
                    if steps.count == 6 { continuation.resume(returning: steps) } else { turns.continueLater(end) }
                }
                continueRecording()
            }
            #expect(steps.prefix(2) == ["latest request", "request while others are recorded"])
            let others = ["first request", "first request", "request after a pause", "request after they are recorded"]
            #expect(steps.dropFirst(2).sorted() == others)
        }

        @Test func `input of new connections does not wait for others that are recorded`() async throws {
            let steps = try await stepsInTurns(unrecordedCount: { _ in 256 }) { turns, continuation in
                var steps: [String] = []
                let now = NIODeadline.now()
                turns.receiveLater(since: now - .hours(1)) { steps.append("old") }
                turns.receiveLater(since: now - .hours(1), after: now) { steps.append("next") }
                for number in 1...4 {
                    turns.receiveLater(since: now) {
                        steps.append("new \(number)")
                        if steps.count == 4 { continuation.resume(returning: steps) }
                    }
                }
            }
            // The latest connection and the oldest one have their turns alternately.
            #expect(steps == ["new 4", "new 1", "new 3", "new 2"])
        }

        @Test func `input for one server does not wait for others that are recorded`() async throws {
            let late = Destination("late.example")
            let steps = try await stepsInTurns(unrecordedCount: { $0 == late ? 256 : 0 }) { turns, continuation in
                var steps: [String] = []
                let now = NIODeadline.now()
                turns.receiveLater(for: late) { steps.append("late") }
                turns.receiveLater(for: late, after: now) { steps.append("late request") }
                for text in ["other", "other request"] {
                    let output = text == "other" ? nil : now
                    turns.receiveLater(for: Destination("other.example"), after: output) {
                        steps.append(text)
                        if steps.count == 2 { continuation.resume(returning: steps) }
                    }
                }
            }
            #expect(steps.sorted() == ["other", "other request"])
        }

        @Test func `ends of recorded exchanges wait while the event loop is busy, with shares for all servers`()
            async throws
        {
            let steps = try await stepsInTurns { turns, continuation in
                var steps: [String] = []
                func add(_ step: String) {
                    steps.append(step)
                    if steps.count == 102 { continuation.resume(returning: steps) }
                }
                // Then, the event loop has no time for input.
                while turns.hasTime(forInputSince: nil) {}
                for number in 1...100 {
                    turns.finishSoon(for: Destination("many.example")) { add("many \(number)") }
                }
                turns.finishSoon(for: Destination("other.example")) { add("other") }
                add("now")
            }
            #expect(steps.first == "now")
            #expect(steps[1...2].contains("other"))
        }

        @Test func `the work of a timer that is canceled never runs, even if its turn is near`() async throws {
            let steps = try await stepsInTurns { turns, continuation in
                var steps: [String] = []
                var later: [TurnTimer] = []
                later.append(
                    TurnTimer(in: .zero, on: turns) {
                        steps.append("first")
                        later[1].cancel()
                        turns.continueLater { continuation.resume(returning: steps) }
                    })
                later.append(TurnTimer(in: .zero, on: turns) { steps.append("second") })
            }
            #expect(steps == ["first"])
        }

        @Test func `input waits while exchanges are recorded late`() async throws {
            let isLate = Atomic(true)
            let steps = try await stepsInTurns(
                unrecordedCount: { _ in isLate.load(ordering: .relaxed) ? 32 : 31 }
            ) { turns, continuation in
                var steps: [String] = []
                // Nothing else announces a turn for the second input.
                turns.receiveLater {
                    steps.append("input")
                    isLate.store(true, ordering: .relaxed)
                    turns.receiveLater { continuation.resume(returning: steps + ["more input"]) }
                    DispatchQueue.global().async { isLate.store(false, ordering: .relaxed) }
                }
                turns.continueLater {
                    steps.append("first")
                    turns.continueLater {
                        steps.append("second")
                        isLate.store(false, ordering: .relaxed)
                    }
                }
            }
            #expect(steps == ["first", "second", "input", "more input"])
        }
    }
#endif
