#if Server
    package import RelayCore

    /// A gate at which requests wait until a user decides about them.
    package protocol RequestGate: Sendable {
        /// Returns whether a request waits.
        func holds(_ request: InterceptedRequest) -> Bool

        /// Waits for the decision about a request.
        func verdict(on request: InterceptedRequest) async -> GateVerdict
    }

    /// The decision about a request that waits at a gate.
    package enum GateVerdict: Sendable {
        /// The request is handled, possibly after it was edited.
        case proceed(InterceptedRequest)

        /// The request gets a response, without rules or archives.
        case respond(Reply)
    }
#endif
