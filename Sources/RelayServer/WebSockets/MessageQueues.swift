#if Server
    import Dispatch

    /// The queues for messages that would delay other clients on the event loop.
    ///
    /// A message waits only for other messages of about the same size.
    struct MessageQueues: Sendable {
        private let medium = DispatchQueue(label: "WebSocket messages, medium")
        private let large = DispatchQueue(label: "WebSocket messages, large")

        /// The maximum size of a message that is handled on the event loop, in bytes.
        static let smallSize = 1 << 13

        /// The maximum size of a message in the first queue, in bytes.
        private static let mediumSize = 1 << 16

        /// Runs work on the queue for the size of a message, in bytes.
        func async(for size: Int, _ work: @escaping @Sendable () -> Void) {
            (size <= Self.mediumSize ? medium : large).async(execute: work)
        }
    }
#endif
