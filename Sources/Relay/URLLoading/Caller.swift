import Foundation
import Synchronization

/// Who runs some code: the current task, or the current thread where there is none.
enum Caller: Hashable, Sendable {
    /// A task by its address, which a later task may have, and by its description, which has a number of its own.
    case task(address: UInt, description: String)

    /// A thread by a number that dies with it, as its handle does not.
    case thread(Int)

    private static let lastThread = Atomic(0)
    private static let threadKey = "Relay.Caller"

    /// Who calls, or `nil` for a thread that ``identified()`` was never called on.
    static var current: Self? {
        currentTask ?? (Thread.current.threadDictionary[threadKey] as? Int).map(Self.thread)
    }

    /// Who calls, known from now on.
    static func identified() -> Self {
        if let current { return current }
        let number = lastThread.add(1, ordering: .relaxed).newValue
        Thread.current.threadDictionary[threadKey] = number
        return .thread(number)
    }

    /// The current task; its handle and that of a job are the same address, and only the job's tells its number.
    private static var currentTask: Self? {
        withUnsafeCurrentTask { task in
            task.map { task in
                .task(
                    address: unsafeBitCast(task, to: UInt.self),
                    description: unsafeBitCast(task, to: UnownedJob.self).description)
            }
        }
    }
}
