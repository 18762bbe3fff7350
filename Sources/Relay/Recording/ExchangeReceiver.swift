/// Who is given an exchange with the network once it is over, beside the way of its answer to the caller.
struct ExchangeReceiver: Sendable {
    /// Where all is done with the exchange that its caller does not wait for.
    let queue: BackgroundQueue

    private let end: @Sendable () -> Void
    private let receive: @Sendable (LiveExchange) -> Void

    /// Makes a receiver.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - end: Is called where the exchange ends, when what is left to be done is in the queue; does nothing by default.
    ///   - receive: Is given the exchange, in the queue.
    init(
        in queue: BackgroundQueue, end: @escaping @Sendable () -> Void = {},
        receive: @escaping @Sendable (LiveExchange) -> Void
    ) {
        self.queue = queue
        self.end = end
        self.receive = receive
    }

    /// Gives it an exchange that has ended; to be called once.
    ///
    /// - Parameter exchange: Makes the exchange, in the queue.
    func take(_ exchange: @escaping @Sendable () -> LiveExchange) {
        queue.append { [receive] in receive(exchange()) }
        end()
    }
}
