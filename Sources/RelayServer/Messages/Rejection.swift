#if Server
    /// A request that violates HTTP or a limit of the server, and the response to it.
    struct Rejection: Error {
        /// The status code of the response.
        let status: Int

        /// The violation, without any text from the request.
        let reason: String

        /// Creates a rejection.
        init(_ status: Int, _ reason: String) {
            self.status = status
            self.reason = reason
        }
    }
#endif
