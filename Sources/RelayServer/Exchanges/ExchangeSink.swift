#if Server
    import Foundation
    import NIOCore
    import RelayCore

    /// The connection or stream that an exchange sends its response to.
    ///
    /// All members are used on the server's event loop. Each exchange ends with one call of ``send(_:)``,
    /// ``sendEnd()`` or ``fail(_:)``.
    protocol ExchangeSink: AnyObject {
        /// Whether the client reads fast enough for more data.
        var isWritable: Bool { get }

        /// Whether the response waits for the client to read it or to give up.
        var isBlocked: Bool { get }

        /// Whether the response waits for its client or for a delay.
        var isWaiting: Bool { get }

        /// Whether the response waits for its first turn.
        var isQueued: Bool { get }

        /// The time at which data was last received or sent.
        var lastProgress: NIODeadline { get }

        /// The identity of the connection.
        var connection: ObjectIdentifier { get }

        /// Ends the exchange, so that another one can begin.
        func makeRoom()

        /// Notes that the response is complete or has failed.
        func exchangeEnded()

        /// Sends a complete response.
        func send(_ response: ServedResponse)

        /// Whether the client uses HTTP/2.
        var isVersion2: Bool { get }

        /// Continues to receive the body of the request.
        func continueUpload()

        /// Whether the connection can carry another protocol after the response.
        var canUpgrade: Bool { get }

        /// Sends the head of a response, after which the connection carries another protocol.
        func upgrade(_ response: ServedResponse, to handler: any UpgradedHandler)

        /// Sends what ``sendHead(_:)`` and ``sendBody(_:)`` have prepared.
        ///
        /// Several parts in one packet take less time for both sides. ``sendEnd(trailers:)`` sends everything.
        func flush()

        /// Sends an interim response (https://www.rfc-editor.org/rfc/rfc9110#section-15.2).
        func sendInterim(_ response: ServedResponse)

        /// Prepares a head, which the body follows with the other functions.
        func sendHead(_ response: ServedResponse)

        /// Prepares the next chunk of the body.
        func sendBody(_ bytes: ByteBuffer)

        /// Ends the body.
        ///
        /// - Parameter trailers: The header fields after the body.
        func sendEnd(trailers: [HeaderField])

        /// Ends the exchange without the rest of the response.
        func fail(_ failure: ConnectionFailure)
    }

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
