#if Server
    import RelayServer
    import Synchronization

    /// The events of a server, as text.
    final class Events: Sendable {
        private let lines = Mutex<[String]>([])

        /// Appends an event.
        func note(_ event: RelayServer.Event) {
            lines.withLock {
                switch event {
                case .exchange(let exchange): $0.append("\(exchange)")
                case .clientError(let error): $0.append(error.reason)
                }
            }
        }

        /// The events so far.
        var all: [String] { lines.withLock { $0 } }
    }
#endif
