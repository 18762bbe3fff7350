import Foundation
package import FoundationInternals
public import RelayCore
import Synchronization

/// An interceptor and the sessions that it intercepts.
package struct Interception: Sendable {
    let interceptor: Interceptor

    /// Whether requests in all sessions are intercepted, not only requests in `URLSession.shared`.
    let isForEverySession: Bool

    init(interceptor: Interceptor, coverage: Interceptor.Coverage) {
        self.interceptor = interceptor
        isForEverySession = coverage == .everySession
    }

    /// Creates an interception that fails requests in all sessions.
    init(refusingWith error: RelayError) {
        self.init(interceptor: Interceptor(refusingWith: error), coverage: .everySession)
    }
}

/// An active interception that lasts until it is ended; see
/// ``RelayCore/Interceptor/beginInterceptingEverySession()``.
///
/// It retains its interceptor, and ends automatically when it is deallocated.
public final class ActiveInterception: Sendable {
    private let caller: Caller
    private let number: Int

    /// Begins an interception for the calling task or thread.
    init(_ interception: Interception) {
        caller = .identified()
        number = InterceptionTable.begin(interception, for: caller)
    }

    deinit { end() }

    /// Ends the interception for the task or thread that began it.
    ///
    /// Running requests still receive their responses. This method can be called on any thread and more than once.
    public func end() { InterceptionTable.end(number, of: caller) }
}

/// The task that runs the calling code, or the thread if there is no task.
package enum Caller: Hashable, Sendable {
    case task(TaskIdentity)

    /// A thread, identified by a number that is never reused, unlike its handle.
    case thread(Int)

    private static let lastThread = Atomic(0)
    private static let threadKey = "Relay.Caller"

    /// The current caller, or nil for a thread on which ``identified()`` was never called.
    package static var current: Self? {
        TaskIdentity.current.map(Self.task)
            ?? (Thread.current.threadDictionary[threadKey] as? Int).map(Self.thread)
    }

    /// Returns the current caller, and assigns a number to its thread if needed.
    static func identified() -> Self {
        if let current { return current }
        let number = lastThread.add(1, ordering: .relaxed).newValue
        Thread.current.threadDictionary[threadKey] = number
        return .thread(number)
    }
}

/// The interceptions that belong to callers.
///
/// An interception lasts until its caller begins the next one or its task ends. The runtime does not report the end of
/// a task. Ended tasks are therefore detected only when an interception begins or ends, or when a caller without an
/// interception makes a request.
package enum CallerInterceptions {
    private struct Entry {
        let interception: ActiveInterception

        /// The lifetime of the task, or nil for a thread or a task whose end cannot be detected.
        let life: TaskLife?
    }

    private static let entries = Mutex<[Caller: Entry]>([:])
    private static let count = Atomic(0)

    /// Begins intercepting every session for the caller, replacing an earlier interception of the same caller.
    ///
    /// - Parameters:
    ///   - interceptor: The interceptor.
    ///   - coverage: The intercepted sessions.
    /// - Returns: The interception, which need not be retained.
    static func begin(_ interceptor: Interceptor, covering coverage: Interceptor.Coverage) -> ActiveInterception {
        let caller = Caller.identified()
        end(of: caller)
        let interception = ActiveInterception(Interception(interceptor: interceptor, coverage: coverage))
        let entry = Entry(interception: interception, life: TaskLife())
        entries.withLock { entries in
            entries[caller] = entry
            count.store(entries.count, ordering: .releasing)
        }
        return interception
    }

    /// Ends the interceptions of a caller and of completed tasks.
    ///
    /// - Parameter caller: The caller, or nil to end only the interceptions of completed tasks.
    /// - Complexity: O(*n*) in the number of callers with an interception.
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
    /// Begins intercepting every session for the calling task until it ends, or for the thread if there is no task.
    ///
    /// Use this instead of ``beginInterceptingEverySession()`` in code that cannot end the interception, such as the
    /// setup of a test. The result need not be retained. The call replaces an earlier interception of the same caller.
    /// On a thread, the interception lasts until it is replaced or ended.
    ///
    /// - Returns: The interception, which can be ended earlier.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`.
    @discardableResult
    public func beginInterceptingForCaller() throws(RelayError) -> ActiveInterception {
        CallerInterceptions.begin(self, covering: try .ofScopes(for: self))
    }

    /// Begins intercepting for the calling task or thread without throwing, for APIs that are compatible with other
    /// libraries.
    ///
    /// If scopes are not supported, only requests in `URLSession.shared` are intercepted.
    @discardableResult
    package func beginInterceptingForCompatibility() -> ActiveInterception {
        CallerInterceptions.begin(self, covering: .ofCompatibility)
    }
}
