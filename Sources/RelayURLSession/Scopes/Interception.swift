public import Foundation
package import FoundationInternals
import HTTPArchive
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

extension Interceptor {
    /// Intercepts requests in every session of the process during an operation.
    ///
    /// ``coverage`` describes the sessions. If possible, these are `URLSession.shared` and all sessions that any code
    /// creates before or during the operation. The scope belongs to the task. It applies to the operation and to tasks
    /// created in it until they end, but not to detached tasks, so concurrent operations do not affect each other. A
    /// request is intercepted if it is started in the scope, with `resume()` or an asynchronous call. Requests that are
    /// running when the operation ends still receive their responses. If scopes are nested, the innermost one
    /// intercepts all requests. Sessions created by an interceptor always use that interceptor. WebSocket connections
    /// fail. For requests from detached tasks, threads, and queues, see <doc:Scopes>.
    ///
    /// - Parameters:
    ///   - isolation: The actor that the operation runs on; the caller's actor by default.
    ///   - operation: The code that makes the requests.
    /// - Returns: The result of the operation.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`, or any error thrown by the operation.
    public func interceptEverySession<Result>(
        isolation: isolated (any Actor)? = #isolation, during operation: () async throws -> Result
    ) async throws -> Result {
        await Coverage.test()
        return try await interceptEverySession(covering: .ofScopes(for: self), during: operation)
    }

    /// Intercepts requests in every session of the process during a synchronous operation.
    ///
    /// - Parameter operation: The code that makes the requests.
    /// - Returns: The result of the operation.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`, or any error thrown by the operation.
    public func interceptEverySession<Result>(during operation: () throws -> Result) throws -> Result {
        let scope = InterceptionScope(Interception(interceptor: self, coverage: try .ofScopes(for: self)))
        return try InterceptionScope.$current.withValue(scope, operation: operation)
    }

    /// Begins intercepting requests in every session of the process.
    ///
    /// Use this for code that cannot be in a closure, such as the setup and teardown of a test. Otherwise, prefer
    /// ``interceptEverySession(isolation:during:)``, because tasks created in its operation belong to the scope. The
    /// interception belongs to the calling task, or outside tasks to the thread, so concurrent tasks can begin
    /// separate interceptions. While only one interceptor is active in the process, it also answers requests from tasks
    /// and threads that have no scope. If several are active, the host of the request selects one of them.
    ///
    /// For details about tasks, threads and queues, see <doc:Scopes>. An interceptor with several interceptions counts
    /// only once. If ``coverage`` is not `everySession`, the caller that started a request is unknown. A single
    /// interceptor then intercepts all requests. If several are active, the host of the request selects one.
    ///
    /// - Returns: The interception, which ends with ``ActiveInterception/end()`` or when it is deallocated. Retain it.
    /// - Throws: `unsupportedPlatform` if ``coverage`` is `noSession`.
    public func beginInterceptingEverySession() throws(RelayError) -> ActiveInterception {
        ActiveInterception(Interception(interceptor: self, coverage: try .ofScopes(for: self)))
    }

    /// Begins intercepting every session for the calling task until it ends, or outside tasks for the thread.
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

    /// Intercepts requests in the sessions of a coverage, which this platform must support.
    func interceptEverySession<Result>(
        covering coverage: Coverage, isolation: isolated (any Actor)? = #isolation,
        during operation: () async throws -> Result
    ) async rethrows -> Result {
        let scope = InterceptionScope(Interception(interceptor: self, coverage: coverage))
        return try await InterceptionScope.$current.withValue(scope, operation: operation)
    }
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

/// The interception of the whole process, which lasts until the next one begins.
package enum ProcessInterception {
    private static let current = Mutex<ActiveInterception?>(nil)

    /// Begins intercepting every session, replacing the current interception of the process.
    ///
    /// - Parameter interceptor: The interceptor.
    /// - Returns: The interception, which need not be retained.
    /// - Throws: `unsupportedPlatform` if ``Interceptor/coverage`` is `noSession`.
    package static func begin(_ interceptor: Interceptor) throws(RelayError) -> ActiveInterception {
        // The previous interception ends first: while two are active, neither intercepts the requests of other tasks.
        replace(with: nil)
        let interception = try interceptor.beginInterceptingEverySession()
        replace(with: interception)
        return interception
    }

    private static func replace(with next: ActiveInterception?) {
        let previous = current.withLock { current in
            defer { current = next }
            return current
        }
        previous?.end()
    }
}

extension Interceptor {
    /// Begins replaying archives next to the calling file, in every session of the process.
    ///
    /// Use this where no code can end the interception, such as in a preview or demonstration. Another call replaces
    /// the interception, so previews of several views do not conflict. For the requests that are intercepted, see
    /// ``beginInterceptingEverySession()``. The property ``current`` returns the new interceptor.
    ///
    /// ```swift
    /// try Interceptor.beginReplaying("shop")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The archive's name, with or without `.har`, and optionally with folders.
    ///   - more: Further archives, in order of precedence after the first.
    ///   - bundle: The bundle that contains the archives as resources; nil by default.
    ///   - matching: The matchers that select entries; nil (the default) for the matchers of `configuration`.
    ///   - rules: The rules to add, such as stubs and overrides, which take precedence over archives; none by default.
    ///   - configuration: All other settings.
    ///   - mode: The source of responses; nil (the default) for the mode in the environment variable `RELAY_MODE`, or
    ///     else in `configuration`.
    ///   - filePath: The path of the file next to the archives; the calling file by default.
    /// - Returns: The interception, which can be ended earlier. It need not be retained.
    /// - Throws: `invalidSetting` for an unknown mode, `unreadableArchive` for a missing or invalid archive, or
    ///   `unsupportedPlatform` if ``coverage`` is `noSession`.
    @discardableResult
    public static func beginReplaying(
        _ name: String, _ more: String..., in bundle: Bundle? = nil, matching: RequestMatching? = nil,
        rules: [Rule] = [], configuration: Configuration = Configuration(), mode: ReplayMode? = nil,
        filePath: String = #filePath
    ) throws(RelayError) -> ActiveInterception {
        let plan = ReplayPlan(
            names: [name] + more, search: ArchiveSearch(beside: filePath, in: bundle), matching: matching,
            rules: rules, configuration: configuration, mode: mode)
        return try ProcessInterception.begin(try plan.makeInterceptor())
    }
}
