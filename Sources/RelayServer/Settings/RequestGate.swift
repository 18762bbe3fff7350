#if Server
    package import RelayCore

    /// A gate at which requests wait until a user decides about them.
    package protocol RequestGate: Sendable {
        /// Returns whether a request waits.
        func holds(_ request: InterceptedRequest) -> Bool

        /// Waits for the decision about a request.
        ///
        /// - Parameter request: The request.
        /// - Returns: The request, possibly edited, and its response, or nil if rules and archives determine it.
        func verdict(on request: InterceptedRequest) async -> (request: InterceptedRequest, reply: Reply?)
    }
#endif
