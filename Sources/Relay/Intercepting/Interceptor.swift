import Dispatch
import Synchronization

/// Answers the requests of sessions in place of the network.
///
/// Any number of interceptors work side by side: each sees the requests of its own sessions and of its own scopes.
public final class Interceptor: Sendable {
    /// What messages call this interceptor, such as the name of its archive.
    public let name: String

    /// What no other interceptor of this process ever has: its key in ``InterceptorTable``.
    let number: Int

    /// Where the requests are answered that cannot be answered at once, in the order in which they came.
    let queue: DispatchQueue

    private let known: @Sendable (InterceptedRequest) -> KnownResponse?
    private let respond: @Sendable (InterceptedRequest) -> Answer

    /// How many requests are in the queue.
    private let waiting = Atomic(0)

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - name: What messages call it.
    ///   - known: Gives a response that is at hand, or `nil` when there is none and `answer` is to be called. It is
    ///     called where the URL loading system works, for several requests at a time, and must not wait for anything.
    ///   - answer: Answers a request. It is called for one request at a time, and again for each redirect.
    package init(
        name: String, known: @escaping @Sendable (InterceptedRequest) -> KnownResponse? = { _ in nil },
        answer: @escaping @Sendable (InterceptedRequest) -> Answer
    ) {
        self.name = name
        self.known = known
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

    /// The response to a request, when it is at hand and no request that came before is waiting.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response; `nil` when ``answer(to:)`` is to be called in the queue.
    func knownResponse(to request: InterceptedRequest) -> KnownResponse? {
        waiting.load(ordering: .sequentiallyConsistent) == 0 ? known(request) : nil
    }

    /// Runs a step of a request in the queue.
    func enqueue(_ step: @escaping @Sendable () -> Void) {
        waiting.add(1, ordering: .sequentiallyConsistent)
        queue.async { [self] in
            step()
            waiting.subtract(1, ordering: .sequentiallyConsistent)
        }
    }
}
