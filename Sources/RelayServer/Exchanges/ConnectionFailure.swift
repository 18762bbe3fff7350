#if Server
    import Foundation

    /// The way in which a connection fails in place of a response or the rest of it.
    enum ConnectionFailure: Sendable {
        /// The server closes the connection.
        case close

        /// The server resets the connection.
        case reset

        /// The server sends nothing, and leaves the connection open until the client or a time limit closes it.
        case stall

        /// Creates the failure that a client observes as a network error.
        ///
        /// - Parameter error: The error of a stub or a recorded exchange.
        init(_ error: URLError) {
            switch error.code {
            case .timedOut: self = .stall
            case .networkConnectionLost, .cannotConnectToHost: self = .reset
            default: self = .close
            }
        }
    }
#endif
