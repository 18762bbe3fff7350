import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The kinds of tasks and threads that can start a request.
enum Place: CaseIterable {
    case itself
    case asyncLet
    case groupChild
    case newTask
    case detachedTask
    case oldThread
    case newThread
    case queue
    case queueSync

    /// Returns the body that a session receives for a request started in this context.
    func text(_ url: String, from session: URLSession, oldThread: WaitingThread) async throws -> String {
        switch self {
        case .itself: return try await session.text(url)
        case .asyncLet:
            async let text = session.text(url)
            return try await text
        case .groupChild:
            return try await withThrowingTaskGroup(of: String.self) { group in
                group.addTask { try await session.text(url) }
                return try await group.next() ?? ""
            }
        case .newTask: return try await Task { try await session.text(url) }.value
        case .detachedTask: return try await Task.detached { try await session.text(url) }.value
        case .oldThread: return await session.text(url) { oldThread.run($0) }
        case .newThread: return await session.text(url) { work in Thread.detachNewThread { work() } }
        case .queue: return await session.text(url) { DispatchQueue.global().async(execute: $0) }
        case .queueSync: return await session.text(url) { DispatchQueue(label: "test").sync(execute: $0) }
        }
    }
}

extension URLSession {
    /// Requests a URL using a completion handler, and returns the body as text.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - start: A closure that runs the code that starts the task.
    /// - Returns: The body.
    func text(_ url: String, startedBy start: (@escaping @Sendable () -> Void) -> Void) async -> String {
        await withCheckedContinuation { continuation in
            let task = dataTask(with: URL(url)) { data, _, _ in
                continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
            }
            start { task.resume() }
        }
    }
}

/// A thread that waits for work.
final class WaitingThread: Sendable {
    private let work = Mutex<[(@Sendable () -> Void)?]>([])
    private let added = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                added.wait()
                guard let next = work.withLock({ $0.removeFirst() }) else { return }
                next()
            }
        }
    }

    func run(_ work: @escaping @Sendable () -> Void) { add(work) }

    /// Ends the thread after its remaining work.
    func end() { add(nil) }

    private func add(_ item: (@Sendable () -> Void)?) {
        work.withLock { $0.append(item) }
        added.signal()
    }
}
