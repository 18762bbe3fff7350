import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What intercepts in the process at the moment, of both forms: scopes of an operation, and those begun by a caller.
///
/// Finding what is a caller's takes constant time. Nothing is released under the lock, where code of others may run.
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

        /// By the number of the interceptor.
        var entries: [Int: Entry] = [:]

        /// What callers have begun and not ended, the last one last.
        var begun: [Caller: [Begun]] = [:]

        /// What takes the requests of callers that have begun nothing.
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
                only = one.interception  // `URLSession` asks on a queue of its own, where no task local can be seen.
            #endif
        }
    }

    private static let state = Mutex(State())
    private static let count = Atomic(0)
    private static let begunCount = Atomic(0)

    /// Whether anything intercepts; when not, nothing else need be asked.
    static var isInUse: Bool { count.load(ordering: .acquiring) > 0 }

    /// Notes an interception whose scope knows whom it is for.
    static func enter(_ interception: Interception) {
        prepare(interception)
        state.withLock { state in
            state.change(interception, by: 1, isBegun: false)
            count.add(1, ordering: .releasing)
        }
    }

    /// Ends what ``enter(_:)`` noted.
    static func leave(_ interception: Interception) {
        state.withLock { state in
            count.subtract(1, ordering: .releasing)
            state.change(interception, by: -1, isBegun: false)
        }
        cleanUp(after: interception)
    }

    /// Begins an interception for a caller.
    ///
    /// - Returns: Its number, for ``end(_:of:)``.
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

    /// Ends what a caller has begun, unless it is ended.
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

    /// What takes the requests of the caller, who is in no scope of an operation.
    static var interceptionOfCaller: Interception? {
        #if canImport(FoundationNetworking)
            guard begunCount.load(ordering: .acquiring) > 0 else { return nil }
        #endif
        let caller = Caller.current
        if let own = state.withLock({ state in caller.flatMap { state.begun[$0]?.last?.interception } }) { return own }
        // A task that is over takes nothing from others, and leaves it to the one that is left.
        CallerInterceptions.end(of: nil)
        return state.withLock { $0.only }
    }
}

extension InterceptionTable {
    /// Has sessions ask for interceptions; not under the lock of the table, which sessions wait for under locks of theirs.
    private static func prepare(_ interception: Interception) {
        #if canImport(FoundationNetworking)
            _ = isRegistered
            if interception.coverage == .sharedSession { SharedSessionClasses.insert(ScopeProtocol.self) }
        #else
            registrations.withLock { registrations in
                if registrations == 0 { _ = URLProtocol.registerClass(ScopeProtocol.self) }
                registrations += 1
            }
        #endif
    }

    private static func cleanUp(after interception: Interception) {
        #if canImport(FoundationNetworking)
            if interception.coverage == .sharedSession { SharedSessionClasses.remove(ScopeProtocol.self) }
        #else
            registrations.withLock { registrations in
                registrations -= 1
                if registrations == 0 { URLProtocol.unregisterClass(ScopeProtocol.self) }
            }
        #endif
    }

    #if canImport(FoundationNetworking)
        /// The class stays: the library's may have said no for an interception that ends before ours is asked.
        private static let isRegistered = {
            _ = URLSession.shared  // The first session registers the library's own classes.
            return URLProtocol.registerClass(ScopeProtocol.self)
        }()
    #else
        /// The class that was registered last is asked first.
        private static let registrations = Mutex(0)
    #endif
}
