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
/// A lookup by caller takes constant time. Objects are never released under the lock, because that may run user code.
enum InterceptionTable {
    private struct Entry {
        let interception: Interception
        var count = 0
        var begunCount = 0
    }

    private struct Begun {
        let number: Int
        let interception: Interception
    }

    private struct State {
        var lastNumber = 0

        /// The interceptions by the number of their interceptor.
        var entries: [Int: Entry] = [:]

        /// The active interceptions of each caller, in the order in which they began.
        var begun: [Caller: [Begun]] = [:]

        /// The interception of callers that have begun none, or nil if several are active.
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
                // `URLSession` calls on an internal queue without task locals.
                only = one.interception
            #endif
        }
    }

    private static let state = Mutex(State())
    private static let count = Atomic(0)
    private static let begunCount = Atomic(0)

    /// Whether any interception is active; if not, no other check is necessary.
    static var isInUse: Bool { count.load(ordering: .acquiring) > 0 }

    /// Registers the interception of a scope.
    static func enter(_ interception: Interception) {
        prepare(interception)
        state.withLock { state in
            state.change(interception, by: 1, isBegun: false)
            count.add(1, ordering: .releasing)
        }
    }

    /// Ends an interception registered by ``enter(_:)``.
    static func leave(_ interception: Interception) {
        state.withLock { state in
            count.subtract(1, ordering: .releasing)
            state.change(interception, by: -1, isBegun: false)
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
            state.begun[caller, default: []].append(Begun(number: state.lastNumber, interception: interception))
            begunCount.add(1, ordering: .releasing)
            count.add(1, ordering: .releasing)
            return state.lastNumber
        }
    }

    /// Makes sessions ask for interceptions from now on, although no interceptor is active.
    static func enterWithoutInterceptor() {
        prepare(nil)
        count.add(1, ordering: .releasing)
    }

    /// Reverts one call of ``enterWithoutInterceptor()``.
    static func leaveWithoutInterceptor() {
        count.subtract(1, ordering: .releasing)
        cleanUp(after: nil)
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

    /// The interception of a caller outside of all scopes, or nil for no interception.
    static var interceptionOfCaller: Interception? {
        #if canImport(FoundationNetworking)
            guard begunCount.load(ordering: .acquiring) > 0 else { return nil }
        #endif
        let caller = Caller.current
        if let own = state.withLock({ state in caller.flatMap { state.begun[$0]?.last?.interception } }) { return own }
        // The interception of a completed task ends first, so that it does not count as a second one.
        CallerInterceptions.end(of: nil)
        return state.withLock { $0.only }
    }

    /// Returns the interception for a request outside of all scopes, based on its host.
    ///
    /// - Parameter url: The URL of the request.
    /// - Returns: The interception of the only active interceptor that knows the host; if several know it, an
    ///   interception that refuses the request; nil if none knows it.
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
    /// Returns the error of a request that may be intended for several interceptors.
    fileprivate static func ambiguous(_ host: RequestHost, amongInterceptors names: [String]) -> RelayError {
        let limit = 5
        var quoted = names.prefix(limit).map { "'\($0)'" }
        if names.count > limit { quoted.append("\(names.count - limit) more") }
        return RelayError(
            .ambiguousInterceptor,
            """
            The request belongs to no scope, and \(names.count) active interceptors know the host \(host): \
            \(quoted.formatted(.list(type: .and).locale(Locale(identifier: "en_US")))). Attach the request to one of \
            them: start it in the task of the test or operation or in a child task of it, not in a detached task, a \
            thread or a queue; or open a scope inside the task (`interceptEverySession`); or use a session of the \
            interceptor (`session()`) or one whose configuration it was installed in (`install(in:)`).
            """)
    }
}

extension InterceptionTable {
    /// Makes sessions ask for interceptors.
    ///
    /// This must not be called under the lock of the table, which sessions acquire while holding their own locks.
    private static func prepare(_ interception: Interception?) {
        #if canImport(FoundationNetworking)
            _ = isRegistered
            if interception?.isForSharedSession == true { RelayURLProtocol.insertIntoSharedSession() }
        #else
            registrations.withLock { registrations in
                if registrations == 0 { _ = URLProtocol.registerClass(RelayURLProtocol.self) }
                registrations += 1
            }
        #endif
    }

    private static func cleanUp(after interception: Interception?) {
        #if canImport(FoundationNetworking)
            if interception?.isForSharedSession == true { RelayURLProtocol.removeFromSharedSession() }
        #else
            registrations.withLock { registrations in
                registrations -= 1
                if registrations == 0 { URLProtocol.unregisterClass(RelayURLProtocol.self) }
            }
        #endif
    }

    #if canImport(FoundationNetworking)
        /// The class stays registered: the library's class may reject a request for an interception that ends before
        /// this class is asked.
        private static let isRegistered = {
            _ = URLSession.shared  // The first session registers the library's own classes.
            return URLProtocol.registerClass(RelayURLProtocol.self)
        }()
    #else
        /// The number of registrations.
        ///
        /// The class that was registered last is asked first.
        private static let registrations = Mutex(0)
    #endif
}

/// A scope whose requests are intercepted, bound to tasks rather than to a period of time.
///
/// It lasts until all of its tasks have ended. A task that outlives the operation keeps the scope active for its
/// requests.
final class InterceptionScope: Sendable {
    private let interception: Interception

    /// The innermost scope that the current task is in.
    @TaskLocal static var current: InterceptionScope?

    /// Enters a scope, which registers the interception.
    init(_ interception: Interception) {
        self.interception = interception
        InterceptionTable.enter(interception)
    }

    deinit { InterceptionTable.leave(interception) }

    /// Returns the interception of a request that is started here, or nil if the request may go to the network.
    ///
    /// The scope decides first, then the interceptor that knows the host, then the network policy. The policy of a test
    /// decides before interceptors of other tests that know the host. This reads one number if nothing intercepts in the
    /// whole process.
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
        return NetworkPolicy.here.refusal(of: url).map { Interception(refusingWith: $0) }
    }

    /// The interception of this task or thread, or nil if it is in no scope.
    static var interceptionHere: Interception? {
        guard InterceptionTable.isInUse, ScopeExit.current == nil else { return nil }
        return current?.interception ?? InterceptionTable.interceptionOfCaller
    }
}

extension Interceptor {
    /// The interceptor for requests of every session in the current task or thread, or nil outside of all scopes.
    ///
    /// Tests use it to add rules to the interceptor of their trait, to observe it, or to create a session.
    ///
    /// ```swift
    /// Interceptor.current?.add(.stub("api.example.com/items/*", .status(404)))
    /// ```
    public static var current: Interceptor? { InterceptionScope.interceptionHere?.interceptor }
}
