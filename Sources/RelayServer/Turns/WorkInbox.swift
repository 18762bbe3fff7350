#if Server
    import Foundation

    /// The work of other threads for ``WorkTurns``, and the pipe that announces the next turn.
    struct WorkInbox {
        /// The work of other threads.
        var work: [@Sendable () -> Void] = []

        /// The end of the pipe for writing, or nil if the pipe is closed.
        var pipe: CInt?

        /// Whether the pipe announces a turn.
        var isAnnounced = false

        mutating func announce() {
            guard !isAnnounced, let pipe else { return }
            isAnnounced = true
            var byte: UInt8 = 0
            // An empty pipe has room for a byte.
            _ = write(pipe, &byte, 1)
        }
    }
#endif
