#if Server
    import NIOCore

    /// Work that begins after a delay, in a turn, because the delays of very many connections can end at the same time.
    final class TurnTimer {
        private var timer: Scheduled<Void>?
        private var isCancelled = false

        /// Begins the delay.
        ///
        /// - Parameters:
        ///   - delay: The delay.
        ///   - turns: The turns of the event loop.
        ///   - work: The work.
        init(in delay: TimeAmount, on turns: WorkTurns, _ work: @escaping () -> Void) {
            timer = turns.loop.assumeIsolated().scheduleTask(in: delay) { [self] in
                turns.continueLater { [self] in if !isCancelled { work() } }
            }
        }

        /// Prevents the work unless it has begun.
        func cancel() {
            isCancelled = true
            timer?.cancel()
        }
    }
#endif
