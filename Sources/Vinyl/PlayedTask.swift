import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The state of a task with a completion handler, which retains this object.
///
/// For a track without a body, the completion handler receives `nil`, which `URLSession` cannot deliver.
final class PlayedTask: Sendable {
    private let tasks: PlayedTasks
    private let key = Mutex<ObjectIdentifier?>(nil)
    private let isBodyMissing = Atomic(false)

    init(in tasks: PlayedTasks) { self.tasks = tasks }

    deinit { if let key = key.withLock({ $0 }) { tasks.remove(key) } }

    /// Whether the task plays a track without a body.
    var lacksBody: Bool { isBodyMissing.load(ordering: .acquiring) }

    /// Associates this object with a task that has not been resumed yet, and returns the task.
    func describing<Task: URLSessionTask>(_ task: Task) -> Task {
        let key = ObjectIdentifier(task)
        self.key.withLock { $0 = key }
        tasks.insert(self, for: key)
        return task
    }

    fileprivate func noteMissingBody() { isBodyMissing.store(true, ordering: .releasing) }
}

/// The tasks of a turntable that have completion handlers.
final class PlayedTasks: Sendable {
    private struct Reference {
        weak var task: PlayedTask?
    }

    private let references = Mutex<[ObjectIdentifier: Reference]>([:])

    fileprivate func insert(_ task: PlayedTask, for key: ObjectIdentifier) {
        references.withLock { $0[key] = Reference(task: task) }
    }

    fileprivate func remove(_ key: ObjectIdentifier) { references.withLock { _ = $0.removeValue(forKey: key) } }

    /// Records that a task plays a track without a body.
    func noteMissingBody(of task: URLSessionTask) {
        let played = references.withLock { $0[ObjectIdentifier(task)]?.task }
        played?.noteMissingBody()
    }
}
