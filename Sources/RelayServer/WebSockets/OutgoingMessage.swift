#if Server
    import HTTPArchive

    /// A message that a server sends next.
    struct OutgoingMessage: Sendable {
        /// The message before the identifiers of the client replace the recorded ones.
        let frame: WebSocketFrame

        /// The identifiers of the client, or nil for none.
        let identifiers: IdentifierMap?

        /// The message with the identifiers of the client.
        var complete: WebSocketFrame {
            guard let identifiers, case .text? = frame.message, let message = frame.message else { return frame }
            return WebSocketFrame(identifiers.applied(to: message))
        }

        /// Returns whether the message is large, and changes before it is sent.
        func takesLong(isCompressed: Bool) -> Bool {
            frame.content.count > MessageQueues.smallSize && (isCompressed || identifiers != nil)
        }
    }
#endif
