#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// Makes the protocol classes of FoundationNetworking reject requests that a scope intercepts, in every session.
    ///
    /// A configuration lists the library's own protocol classes for HTTP, WebSocket and FTP. Their `canInit` accepts
    /// every request with their schemes, so registered classes are never queried. The metadata of a class contains its
    /// method table, and this type replaces the entry for `canInit`. Outside scopes, behavior does not change.
    ///
    /// The entry is found without knowing its offset: a subclass that overrides nothing shares it with `URLProtocol`,
    /// and a subclass that overrides only `canInit` does not. Unless exactly one entry qualifies and all tables can be
    /// changed, nothing is changed.
    enum EverySessionDetour {
        /// The test for intercepted requests.
        ///
        /// The closure is a member of a structure because a mutex wraps a directly stored closure again at every
        /// access.
        fileprivate struct Test: Sendable {
            var isIntercepted: @Sendable (URLRequest) -> Bool = { _ in false }
        }

        fileprivate static let test = Mutex(Test())

        /// Activates the detour for the lifetime of the process.
        ///
        /// - Parameter isIntercepted: Whether a request is intercepted. It is called on the queue of the request's
        ///   task, in the context of the code that starts the task.
        /// - Returns: Whether the detour is active. If not, nothing has changed.
        static func activate(_ isIntercepted: @escaping @Sendable (URLRequest) -> Bool) -> Bool {
            test.withLock { $0.isIntercepted = isIntercepted }
            return isActive
        }

        /// Whether the classes are changed, which the first access attempts.
        static var isActive: Bool { !originals.isEmpty }

        /// The class that holds the original method of each changed class; empty if nothing could be changed.
        fileprivate static let originals: [ObjectIdentifier: URLProtocol.Type] = {
            do throws(Failure) { return try replaceMethods() } catch {
                CapabilityTable.lose(.methodTables, because: error.reason)
                return [:]
            }
        }()

        private struct Failure: Error {
            let reason: String
        }

        private static func replaceMethods() throws(Failure) -> [ObjectIdentifier: URLProtocol.Type] {
            if let refusal = Interposition.refusal { throw Failure(reason: refusal) }
            guard ClassLayout.isKnown else {
                throw Failure(reason: "The layout of classes is unknown on 32-bit systems.")
            }
            guard let entry = entryOfCanInit else {
                throw Failure(reason: "The method `canInit` was not found in the method tables of protocol classes.")
            }
            guard let http = libraryClass(for: "http") else {
                throw Failure(reason: "Session configurations list no protocol class for HTTP.")
            }
            let types = [http] + ["ws", "ftp"].compactMap(libraryClass(for:)).filter { $0 != http }
            let keepers: [URLProtocol.Type] = [
                OriginalProtocol.self, SecondOriginalProtocol.self, ThirdOriginalProtocol.self,
            ]
            var originals: [ObjectIdentifier: URLProtocol.Type] = [:]
            for (type, keeper) in zip(types, keepers) {
                var kept = ClassLayout.methods(of: keeper)
                let given = ClassLayout.methods(of: type)
                guard kept.indices.contains(entry), given.indices.contains(entry),
                    isWritable(entry, of: keeper), isWritable(entry, of: type)
                else { throw Failure(reason: "The method tables of protocol classes cannot be changed.") }
                kept[entry] = given[entry]
                originals[ObjectIdentifier(type)] = keeper
            }
            for type in types {
                var changed = ClassLayout.methods(of: type)
                changed[entry] = ClassLayout.methods(of: AskingProtocol.self)[entry]
            }
            return originals
        }

        /// The index of `canInit(with:)` in the method tables.
        private static var entryOfCanInit: Int? {
            let base = ClassLayout.methods(of: URLProtocol.self)
            let plain = ClassLayout.methods(of: PlainProtocol.self)
            let asking = ClassLayout.methods(of: AskingProtocol.self)
            guard !Fault.fails(.methodTables), plain.count >= base.count, asking.count >= base.count else { return nil }
            let hits = base.indices.filter { base[$0] == plain[$0] && plain[$0] != asking[$0] }
            return hits.count == 1 ? hits.first : nil
        }

        private static func isWritable(_ entry: Int, of type: AnyClass) -> Bool {
            guard let start = ClassLayout.methods(of: type).base.baseAddress else { return false }
            return memory_is_writable(start + entry) != 0
        }

        private static func libraryClass(for scheme: String) -> URLProtocol.Type? {
            guard let url = URL(string: "\(scheme)://localhost") else { return nil }
            return URLSessionConfiguration.default.protocolClasses?.lazy
                .compactMap { $0 as? URLProtocol.Type }
                .first { $0.canInit(with: URLRequest(url: url)) }
        }
    }

    /// A subclass without overrides.
    private class PlainProtocol: URLProtocol {}

    /// A class whose `canInit` replaces the method of the library's classes.
    ///
    /// The method runs with one of those classes as `self`, and must not use `self` except to identify the class.
    private class AskingProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            if let isProbed = ProbeRequest.intercepts(request) { return !isProbed }
            let test = EverySessionDetour.test.withLock { $0 }
            if test.isIntercepted(request) { return false }
            return EverySessionDetour.originals[ObjectIdentifier(self)]?.canInit(with: request) ?? false
        }
    }

    /// A class whose `canInit` is replaced with the original method of a library class.
    private class OriginalProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { false }
    }

    private class SecondOriginalProtocol: OriginalProtocol {}

    private class ThirdOriginalProtocol: OriginalProtocol {}

    /// Attaches an object to a task when it starts, so that the code that loads the task can retrieve the object.
    ///
    /// FoundationNetworking calls `canInit` in the caller's context, in which the scope is known, but does not pass the
    /// task. It creates the protocol object on the queue on which its cache calls back. However, `canInit` and loading
    /// both run on a Dispatch queue that belongs to the task alone, so the object is attached to that queue.
    package enum TaskAttachment {
        /// The name that FoundationNetworking gives to the queues of its tasks.
        private static let queueName = Fault.name("org.swift.URLSessionTask.WorkQueue", of: .taskAttachment)

        private static let failsLater = Fault.failsLater(.taskAttachment)

        /// A unique key: the address of this allocation.
        nonisolated(unsafe) private static let key = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

        /// Whether this version of Dispatch can attach objects to queues.
        package static var isPossible: Bool { queue_can_attach() != 0 }

        /// Whether the current queue is the queue of a task.
        package static var isOnTaskQueue: Bool { queue_is_current(queueName) != 0 }

        /// The object attached to the task that runs on the current queue, or nil.
        package static var current: AnyObject? {
            queue_attached(key).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Attaches an object to the task that is being started on the current queue.
        ///
        /// - Returns: Whether the current queue is the queue of a task. Other code can call `canInit` as well.
        package static func attach(_ object: AnyObject) -> Bool {
            if failsLater, !ProbeRequest.isActive { return false }
            let value = Unmanaged.passRetained(object)
            let isAttached = queue_attach(queueName, key, value.toOpaque()) { value in
                value.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
            }
            if isAttached == 0 { value.release() }
            return isAttached != 0
        }
    }

    /// The request that tests the interception of every session.
    ///
    /// Its URL has a closed loopback port, so the request fails if it is not intercepted.
    final class ProbeRequest: Sendable {
        /// The observations of a task that loads the request.
        struct Observed {
            /// Whether a protocol class was queried in the context of the code that started the task.
            var hasContext = false

            /// Whether a protocol class was queried at all.
            var isAsked = false

            /// Whether this object could be attached to the task.
            var isAttached = false

            /// Whether the object was still attached when the task was loaded.
            var isAttachedAtStart = false
        }

        private static let active = Mutex<ProbeRequest?>(nil)
        private static let hasActive = Atomic(false)

        /// The request that the current code starts.
        @TaskLocal private static var current: ProbeRequest?

        let url: URL
        private let observed = Mutex(Observed())

        init(to url: URL) { self.url = url }

        var observations: Observed { observed.withLock { $0 } }

        func note(_ change: (inout Observed) -> Void) { observed.withLock { change(&$0) } }

        /// Starts the request.
        func start(_ task: URLSessionTask) {
            Self.active.withLock { $0 = self }
            Self.hasActive.store(true, ordering: .releasing)
            Self.$current.withValue(self) { task.resume() }
        }

        /// Ends the test.
        static func end() {
            hasActive.store(false, ordering: .releasing)
            active.withLock { $0 = nil }
        }

        /// Whether the current code starts a test's request.
        static var isActive: Bool { current != nil }

        /// Returns the active request if it has the given URL, or nil.
        static func active(for url: URL?) -> ProbeRequest? {
            guard hasActive.load(ordering: .acquiring) else { return nil }
            return active.withLock { $0 }.flatMap { $0.url == url ? $0 : nil }
        }

        /// Decides whether to intercept a test's request, as a protocol class does for a request in a scope.
        ///
        /// - Returns: Whether the request is intercepted, or nil if it is not a test's request.
        static func intercepts(_ request: URLRequest) -> Bool? {
            guard let probe = active(for: request.url) else { return nil }
            let hasContext = current === probe && !Fault.fails(.callerContext)
            let isAttached = hasContext && TaskAttachment.attach(probe)
            probe.note { observed in
                observed.isAsked = true
                observed.hasContext = hasContext
                observed.isAttached = isAttached
            }
            return hasContext
        }
    }
#endif
