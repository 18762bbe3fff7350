import Synchronization

/// A response that is at hand, with what the client's side made of it when it was given before.
package final class KnownResponse: Sendable {
    let response: InterceptedResponse

    private let form = Mutex<(any Sendable)?>(nil)

    /// Holds a response.
    package init(_ response: InterceptedResponse) {
        self.response = response
    }

    /// What the client's side makes of the response, which it makes once.
    ///
    /// - Parameter make: Makes it; `nil` when that is not possible. It must give equal values always.
    /// - Returns: What was made now or before.
    func form<Form: Sendable>(_ make: (InterceptedResponse) -> Form?) -> Form? {
        if let form = form.withLock({ $0 }) as? Form { return form }
        guard let made = make(response) else { return nil }
        form.withLock { $0 = made }
        return made
    }
}
