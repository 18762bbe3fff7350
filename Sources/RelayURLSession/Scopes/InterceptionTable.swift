import Foundation
import FoundationInternals
import HTTPArchive
public import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The active interceptions of the process, from scopes and from callers.
///
/// A lookup by caller takes constant time. Objects are never released while the lock is held, because releasing them
/// can run user code.
enum InterceptionTable {
    private struct Entry {
        let interception: Interception
        var count = 0
        var begunCount = 0
    }

    private typealias Begun = (number: Int, interception: Interception)

    private struct State {
        var lastNumber = 0

        /// The interceptions, keyed by the number of their interceptor.
        var entries: [Int: Entry] = [:]

        /// The active interceptions of each caller, in the order in which they began.
        var begun: [Caller: [Begun]] = [:]

        /// The interception for callers that have not begun one.
        ///
        /// It is nil if several interceptors are active.
        var only: Interception?

        mutating func change(_ interception: Interception, by step: Int, isBegun: Bool) {
            let number = interception.interceptor.number
            var entry = entries[number] ?? Entry(interception: interception)
            entry.count += step
            if isBegun { entry.begunCount += step }
            entries[number] = entry.count > 0 ? entry : nil
            guard entries.count == 1, let one = entries.first?.value else {
                only = nil
                return
            }
            #if canImport(FoundationNetworking)
                only = one.begunCount > 0 ? one.interception : nil
            #else
                // `URLSession` calls the protocol class on an internal queue, without task-local values.
                only = one.interception
            #endif
        }
    }

    private static let state = Mutex(State())
    private static let count = Atomic(0)
    private static let begunCount = Atomic(0)

    /// Whether any interception is active.
    ///
    /// If not, no other check is necessary.
    static var isInUse: Bool { count.load(ordering: .acquiring) > 0 }

    /// Registers the interception of a scope, or makes sessions look up interceptions without one.
    static func enter(_ interception: Interception?) {
        prepare(interception)
        state.withLock { state in
            if let interception { state.change(interception, by: 1, isBegun: false) }
            count.add(1, ordering: .releasing)
        }
    }

    /// Undoes one call to ``enter(_:)``.
    static func leave(_ interception: Interception?) {
        state.withLock { state in
            count.subtract(1, ordering: .releasing)
            if let interception { state.change(interception, by: -1, isBegun: false) }
        }
        cleanUp(after: interception)
    }

    /// Begins an interception for a caller.
    ///
    /// - Returns: The number of the interception, for ``end(_:of:)``.
    static func begin(_ interception: Interception, for caller: Caller) -> Int {
        prepare(interception)
        return state.withLock { state in
            state.lastNumber += 1
            state.change(interception, by: 1, isBegun: true)
            state.begun[caller, default: []].append((state.lastNumber, interception))
            begunCount.add(1, ordering: .releasing)
            count.add(1, ordering: .releasing)
            return state.lastNumber
        }
    }

    /// Ends an interception of a caller, unless it has already ended.
    static func end(_ number: Int, of caller: Caller) {
        let begun: Begun? = state.withLock { state in
            guard let index = state.begun[caller]?.lastIndex(where: { $0.number == number }),
                let begun = state.begun[caller]?.remove(at: index)
            else { return nil }
            if state.begun[caller]?.isEmpty == true { state.begun[caller] = nil }
            count.subtract(1, ordering: .releasing)
            begunCount.subtract(1, ordering: .releasing)
            state.change(begun.interception, by: -1, isBegun: true)
            return begun
        }
        if let begun { cleanUp(after: begun.interception) }
    }

    /// The interception of the current caller outside scopes, or nil.
    static var interceptionOfCaller: Interception? {
        #if canImport(FoundationNetworking)
            guard begunCount.load(ordering: .acquiring) > 0 else { return nil }
        #endif
        let caller = Caller.current
        if let own = state.withLock({ state in caller.flatMap { state.begun[$0]?.last?.interception } }) { return own }
        // End the interceptions of completed tasks first, so that they do not count as active.
        CallerInterceptions.end(of: nil)
        return state.withLock { $0.only }
    }

    /// Returns the interception for a request outside scopes, based on the request's host.
    ///
    /// - Parameter url: The URL of the request.
    /// - Returns: The interception of the active interceptor with rules or entries for the host, or nil if no
    ///   interceptor has any. If several have them, an interception that fails the request.
    /// - Complexity: O(*n*) in the number of active interceptors.
    static func interception(knowingHostOf url: URL) -> Interception? {
        let text = url.absoluteString
        guard let host = RequestHost(of: text) else { return nil }
        let active = state.withLock { $0.entries.values.map(\.interception) }
        let knowing = active.filter { $0.interceptor.answering.knows(host, of: text) }
        guard knowing.count > 1 else { return knowing.first }
        let names = knowing.sorted { $0.interceptor.number < $1.interceptor.number }.map(\.interceptor.name)
        return Interception(refusingWith: .ambiguous(host, amongInterceptors: names))
    }
}

extension RelayError {
    /// Returns the error for a request that may be intended for any of several interceptors.
    fileprivate static func ambiguous(_ host: RequestHost, amongInterceptors names: [String]) -> RelayError {
        let limit = 5
        var quoted = names.prefix(limit).map { "'\($0)'" }
        if names.count > limit { quoted.append("\(names.count - limit) more") }
        return RelayError(
            .ambiguousInterceptor,
            """
            The request does not belong to a scope, and \(names.count) active interceptors have rules or entries for \
            the host \(host): \(quoted.formatted(.list(type: .and).locale(Locale(identifier: "en_US")))). To select \
            one of them, start the request in the task of the test or operation or in one of its child tasks, not in a \
            detached task, thread or queue. Or open a scope in the task that starts the request \
            (`interceptEverySession`), use a session of the interceptor (`session()`), or install the interceptor in \
            the configuration of your session (`install(in:)`).
            """)
    }
}

extension InterceptionTable {
    /// Makes sessions query the protocol class that looks up interceptions.
    ///
    /// Must not be called while the table's lock is held, because sessions acquire that lock while they hold their own
    /// locks.
    private static func prepare(_ interception: Interception?) {
        #if canImport(FoundationNetworking)
            _ = isRegistered
            if interception?.isForEverySession == false { RelayURLProtocol.insertIntoSharedSession() }
        #else
            registrations.withLock { registrations in
                if registrations == 0 { _ = URLProtocol.registerClass(RelayURLProtocol.self) }
                registrations += 1
            }
        #endif
    }

    private static func cleanUp(after interception: Interception?) {
        #if canImport(FoundationNetworking)
            if interception?.isForEverySession == false { RelayURLProtocol.removeFromSharedSession() }
        #else
            registrations.withLock { registrations in
                registrations -= 1
                if registrations == 0 { URLProtocol.unregisterClass(RelayURLProtocol.self) }
            }
        #endif
    }

    #if canImport(FoundationNetworking)
        /// Whether the class is registered.
        ///
        /// The class is never unregistered. An interception can end after FoundationNetworking's own class has rejected
        /// a request for it, but before this class is queried.
        private static let isRegistered = {
            _ = URLSession.shared  // The first session registers Foundation's classes.
            return URLProtocol.registerClass(RelayURLProtocol.self)
        }()
    #else
        /// The number of registrations.
        ///
        /// The class that was registered last is queried first.
        private static let registrations = Mutex(0)
    #endif
}

/// A scope in which requests are intercepted.
///
/// It is bound to tasks rather than to a period of time.
///
/// It lasts until all of its tasks have ended. A task that outlives the operation keeps the scope active for its own
/// requests.
final class InterceptionScope: Sendable {
    private let interception: Interception

    /// The innermost scope of the current task.
    @TaskLocal static var current: InterceptionScope?

    /// Enters a scope, which registers the interception.
    init(_ interception: Interception) {
        self.interception = interception
        InterceptionTable.enter(interception)
    }

    deinit { InterceptionTable.leave(interception) }

    /// Returns the interception for a request that the current code is starting, or nil if the request may use the
    /// network.
    ///
    /// The scope takes precedence, followed by an interceptor with rules or entries for the host, and then by the
    /// network policy. The policy of a test takes precedence over the interceptors of other tests. If nothing is
    /// intercepted in the process, this function only reads an atomic integer.
    static func interception(for request: URLRequest) -> Interception? {
        guard InterceptionTable.isInUse, ScopeExit.current != .toNetwork, let url = request.url, url.isOnNetwork else {
            return nil
        }
        #if !canImport(FoundationNetworking)
            guard !RequestExemption.exempts(request) else { return nil }
        #endif
        if ScopeExit.current == nil {
            if let interception = interceptionHere { return interception }
            if !NetworkPolicy.isScoped, let interception = InterceptionTable.interception(knowingHostOf: url) {
                return interception
            }
        }
        return NetworkPolicy.refusal(of: url).map { Interception(refusingWith: $0) }
    }

    /// The interception of the current task or thread, or nil if it is not in a scope.
    static var interceptionHere: Interception? {
        guard InterceptionTable.isInUse, ScopeExit.current == nil else { return nil }
        return current?.interception ?? InterceptionTable.interceptionOfCaller
    }
}

extension Interceptor {
    /// The interceptor for requests that the current task or thread starts in any session, or nil outside scopes.
    ///
    /// In a test, use it to add rules to the interceptor of a trait, to observe its requests, or to create a session.
    ///
    /// ```swift
    /// Interceptor.current?.add(.stub("api.example.com/items/*", .status(404)))
    /// ```
    public static var current: Interceptor? { InterceptionScope.interceptionHere?.interceptor }
}
