import FoundationInternals
public import RelayCore
import Foundation
import Synchronization

/// An interceptor with the sessions whose requests it is to take.
package struct Interception: Sendable {
    let interceptor: Interceptor
    let coverage: Interceptor.Coverage
}

/// An interception that was begun and lasts until it is ended: ``Interceptor/beginInterceptingEverySession()``.
///
/// It keeps its interceptor alive, and ends at the latest when nobody refers to it any more.
public final class ActiveInterception: Sendable {
    private let caller: Caller
    private let number: Int

    /// Begins for whom calls.
    init(_ interception: Interception) {
        caller = .identified()
        number = InterceptionTable.begin(interception, for: caller)
    }

    deinit { end() }

    /// Ends the interception, for whom it was begun; from then on requests go where they would go without it.
    ///
    /// A request that is still running gets its answer all the same. It may be called anywhere and any number of times.
    public func end() { InterceptionTable.end(number, of: caller) }
}

/// Who runs some code: the current task, or the current thread where there is none.
package enum Caller: Hashable, Sendable {
    /// A task by its address, which a later task may have, and by its description, which has a number of its own.
    case task(address: UInt, description: String)

    /// A thread by a number that dies with it, as its handle does not.
    case thread(Int)

    private static let lastThread = Atomic(0)
    private static let threadKey = "Relay.Caller"

    /// Who calls, or `nil` for a thread that ``identified()`` was never called on.
    package static var current: Self? {
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

/// The interceptions that hold for a caller: for a task until it is over, for a thread, and in any case until the caller
/// begins the next one.
///
/// Nobody tells that a task is over. It is found out whenever that matters: when another one begins or ends, and when
/// somebody asks who has begun nothing.
package enum CallerInterceptions {
    private struct Entry {
        let interception: ActiveInterception

        /// `nil` for a thread, and for a task whose end cannot be told.
        let life: TaskLife?
    }

    private static let entries = Mutex<[Caller: Entry]>([:])
    private static let count = Atomic(0)

    /// Begins to take the requests of every session for the caller, in place of what it has begun here before.
    ///
    /// - Parameter interceptor: What takes them.
    /// - Returns: What ends it before; it need not be kept.
    static func begin(_ interceptor: Interceptor) -> ActiveInterception {
        let caller = Caller.identified()
        end(of: caller)
        let entry = Entry(interception: interceptor.beginInterceptingEverySession(), life: TaskLife())
        let previous = entries.withLock { entries in
            defer { count.store(entries.count, ordering: .releasing) }
            return entries.updateValue(entry, forKey: caller)
        }
        previous?.interception.end()
        return entry.interception
    }

    /// Ends what the caller has begun here, and what tasks have that are over.
    ///
    /// - Parameter caller: Who asks; `nil` for nobody.
    /// - Complexity: O(*n*) in the number of interceptions that were begun here.
    package static func end(of caller: Caller?) {
        guard count.load(ordering: .acquiring) > 0 else { return }
        let ended = entries.withLock { entries in
            let ended = entries.filter { $0.key == caller || $0.value.life?.isOver == true }
            for key in ended.keys { entries[key] = nil }
            count.store(entries.count, ordering: .releasing)
            return ended.values.map(\.interception)
        }
        for interception in ended { interception.end() }
    }
}

extension Interceptor {
    /// Begins to take the requests of every session for the task that calls, until it is over, or for the thread where
    /// there is no task.
    ///
    /// This is ``beginInterceptingEverySession()`` for code that has no place to end it at, such as the beginning of a test:
    /// nothing need be kept. It takes the place of what the caller has begun in this way before. In a thread it lasts until
    /// that happens or it is ended.
    ///
    /// - Returns: What ends it before.
    @discardableResult
    public func beginInterceptingForCaller() -> ActiveInterception { CallerInterceptions.begin(self) }
}
