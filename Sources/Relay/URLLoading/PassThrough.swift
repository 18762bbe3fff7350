import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that goes to the network after all, with the settings of its session and past every interceptor.
final class PassThrough: Sendable {
    /// What comes of it, in order: the head, pieces of the body, and the end in any case.
    enum Event: Sendable {
        case head(HTTPURLResponse)
        case data(Data)
        case end((any Error)?)
    }

    /// The task that the request came from, whose delegate decides as it would have done.
    let origin: URLSessionTask

    /// Is called with all that comes of the request.
    let handle: @Sendable (Event) -> Void

    private let task: URLSessionTask

    init(_ task: URLSessionTask, for origin: URLSessionTask, handle: @escaping @Sendable (Event) -> Void) {
        self.task = task
        self.origin = origin
        self.handle = handle
    }

    /// Ends the request, from wherever this is called: on the queue of another task FoundationNetworking would wait for
    /// itself.
    func cancel() { DispatchQueue.global().async { [task] in task.cancel() } }
}
