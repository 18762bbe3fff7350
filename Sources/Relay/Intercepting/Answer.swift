/// What an interceptor does with a request.
package enum Answer: Sendable {
    /// Delivers a response; a redirect is followed first.
    case response(InterceptedResponse)

    /// Fails the request with an error, which its caller gets as it is.
    case failure(any Error)

    /// Sends the request to the network.
    case passThrough
}
