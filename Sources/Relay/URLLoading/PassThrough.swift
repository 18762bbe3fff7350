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
    private let session: URLSession

    init(
        _ task: URLSessionTask, of session: URLSession, for origin: URLSessionTask,
        handle: @escaping @Sendable (Event) -> Void
    ) {
        self.task = task
        self.session = session
        self.origin = origin
        self.handle = handle
    }

    /// Ends the request, from wherever this is called.
    ///
    /// FoundationNetworking marks a task as completed on the delegate queue. Cancelled elsewhere at that moment, it tells a
    /// task that is gone of it, and ends the process; called on the queue of another task, it waits for itself.
    func cancel() { session.delegateQueue.addOperation { [task] in task.cancel() } }
}
