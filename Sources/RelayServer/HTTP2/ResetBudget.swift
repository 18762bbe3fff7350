#if Server
    import NIOCore

    /// The number of requests that the client of a connection can reset, which is restored within 20 seconds.
    struct ResetBudget {
        private static let window = TimeAmount.seconds(20)

        /// The time in which one reset is restored.
        private let interval: TimeAmount

        /// The time at which the whole budget is restored.
        private var restored = NIODeadline.uptimeNanoseconds(0)

        /// Creates a whole budget.
        ///
        /// - Parameter count: The number of resets; at least 1.
        init(_ count: Int) { interval = .nanoseconds(Self.window.nanoseconds / Int64(max(1, count))) }

        /// Counts a reset.
        ///
        /// - Returns: Whether the reset is within the budget.
        mutating func spend(at now: NIODeadline) -> Bool {
            restored = max(restored, now) + interval
            return restored - now <= Self.window
        }
    }
#endif
