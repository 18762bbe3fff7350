import Dispatch

/// Answers the requests of sessions in place of the network.
///
/// Any number of interceptors work side by side: each sees the requests of its own sessions and of its own scopes.
public final class Interceptor: Sendable {
    /// What messages call this interceptor, such as the name of its archive.
    public let name: String

    /// What no other interceptor of this process ever has: its key in ``InterceptorTable``.
    let number: Int

    /// Where the requests are answered, in the order in which they came.
    let queue: DispatchQueue

    private let respond: @Sendable (InterceptedRequest) -> Answer

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - name: What messages call it.
    ///   - answer: Answers a request. It is called for one request at a time, and again for each redirect.
    package init(name: String, answer: @escaping @Sendable (InterceptedRequest) -> Answer) {
        self.name = name
        respond = answer
        number = InterceptorTable.makeNumber()
        queue = DispatchQueue(label: "Interceptor \(name)")
        InterceptorTable.insert(self)
    }

    deinit { InterceptorTable.remove(number) }

    /// What becomes of a request.
    ///
    /// - Parameter request: The request, or what follows a redirect of it.
    /// - Returns: A response, an error, or the network.
    func answer(to request: InterceptedRequest) -> Answer { respond(request) }
}
