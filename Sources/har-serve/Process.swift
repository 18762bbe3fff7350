#if Server
    import Dispatch
    import Foundation

    /// The signals that end the server.
    final class StopSignals {
        private let signals: AsyncStream<Int32>
        private let sources: [any DispatchSourceSignal]

        /// Begins to receive SIGINT and SIGTERM.
        ///
        /// A second signal ends the process at once.
        init() {
            let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
            self.signals = signals
            sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler {
                    continuation.yield(number)
                    signal(number, SIG_DFL)
                }
                source.resume()
                return source
            }
        }

        /// Waits for the first signal.
        func wait() async { for await _ in signals { return } }
    }
#endif
