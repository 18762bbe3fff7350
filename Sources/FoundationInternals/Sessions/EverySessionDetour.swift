#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation
    package import FoundationNetworking
    import Synchronization

    /// Makes the protocol classes of FoundationNetworking reject requests that a scope intercepts, in every session.
    ///
    /// A session configuration lists FoundationNetworking's own protocol classes for HTTP, WebSocket and FTP. Their
    /// `canInit` accepts every request with a matching scheme, so sessions never query registered classes. This type
    /// replaces the `canInit` entry in the method tables of these classes. Requests outside scopes are loaded as usual.
    ///
    /// The offset of the entry is not hard-coded. The entry is the only one that `URLProtocol` shares with a subclass
    /// without overrides, but not with a subclass that overrides `canInit`. Nothing is changed unless exactly one entry
    /// qualifies and all tables are writable.
    package enum EverySessionDetour {
        /// The predicate for intercepted requests.
        ///
        /// The structure is needed because a mutex that stores a closure directly adds another wrapper to the closure
        /// on every access.
        fileprivate struct Test: Sendable {
            var isIntercepted: @Sendable (URLRequest) -> Bool = { _ in false }
        }

        fileprivate static let test = Mutex(Test())

        /// Activates the detour until the process exits.
        ///
        /// - Parameter isIntercepted: Returns whether to intercept a request. Called on the queue of the request's
        ///   task, in the task-local context of the code that starts the task.
        /// - Returns: The missing capability, or nil if the detour is active. With the capability missing, nothing has
        ///   changed.
        package static func activate(_ isIntercepted: @escaping @Sendable (URLRequest) -> Bool) -> MissingCapability? {
            test.withLock { $0.isIntercepted = isIntercepted }
            return isActive ? nil : CapabilityTable.missing(.methodTables)
        }

        /// Whether the classes have been changed.
        ///
        /// The first access tries to change them.
        static var isActive: Bool { !originals.isEmpty }

        /// The classes that hold the original methods, keyed by the changed classes.
        ///
        /// Empty if the classes could not be changed.
        fileprivate static let originals = replaceMethods()

        private static func replaceMethods() -> [ObjectIdentifier: URLProtocol.Type] {
            if let refusal = Interposition.refusal { return lose(refusal) }
            guard ClassLayout.isKnown else { return lose("The layout of classes is unknown on 32-bit systems.") }
            guard let entry = entryOfCanInit else {
                return lose("The method `canInit` was not found in the method tables of protocol classes.")
            }
            guard let http = libraryClass(for: "http") else {
                return lose("Session configurations list no protocol class for HTTP.")
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
                else { return lose("The method tables of protocol classes cannot be changed.") }
                kept[entry] = given[entry]
                originals[ObjectIdentifier(type)] = keeper
            }
            for type in types {
                var changed = ClassLayout.methods(of: type)
                changed[entry] = ClassLayout.methods(of: AskingProtocol.self)[entry]
            }
            return originals
        }

        private static func lose(_ reason: String) -> [ObjectIdentifier: URLProtocol.Type] {
            CapabilityTable.lose(.methodTables, because: reason)
            return [:]
        }

        /// The index of `canInit(with:)` in the method tables, or nil if it cannot be determined.
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

    /// A class whose `canInit` replaces the method of FoundationNetworking's classes.
    ///
    /// When the method runs, `self` is one of those classes, so the method may use `self` only to identify the class.
    private class AskingProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool {
            if let isProbed = ProbeRequest.intercepts(request) { return !isProbed }
            let test = EverySessionDetour.test.withLock { $0 }
            if test.isIntercepted(request) { return false }
            return EverySessionDetour.originals[ObjectIdentifier(self)]?.canInit(with: request) ?? false
        }
    }

    /// A class whose `canInit` is replaced with the original method of one of FoundationNetworking's classes.
    private class OriginalProtocol: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { false }
    }

    private class SecondOriginalProtocol: OriginalProtocol {}

    private class ThirdOriginalProtocol: OriginalProtocol {}

    /// Attaches an object to a task when it starts, so that the code that loads the task can retrieve the object.
    ///
    /// FoundationNetworking calls `canInit` in the caller's context, where the scope is known, but does not pass the
    /// task. It creates the protocol object later, on the callback queue of its URL cache, where the scope is unknown.
    /// Both `canInit` and loading run on a Dispatch queue that is private to the task, so the object is attached to
    /// that queue.
    package enum TaskAttachment {
        /// The label that FoundationNetworking gives the queues of its tasks.
        private static let queueName = Fault.name("org.swift.URLSessionTask.WorkQueue", of: .taskAttachment)

        private static let failsLater = Fault.failsLater(.taskAttachment)

        /// A unique key: the address of this allocation.
        nonisolated(unsafe) private static let key = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

        /// Whether the current queue is the queue of a task.
        package static var isOnTaskQueue: Bool { queue_is_current(queueName) != 0 }

        /// The object attached to the task that the current queue belongs to, or nil.
        package static var current: AnyObject? {
            queue_attached(key).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Attaches an object to the task that is being started on the current queue.
        ///
        /// - Returns: Whether the object was attached. Nothing is attached if other code calls `canInit` on a queue
        ///   that does not belong to a task.
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

    /// The request of the interception test.
    ///
    /// Its URL refers to a closed loopback port, so the request fails if it is not intercepted.
    final class ProbeRequest: Sendable {
        /// The observations made while a task loads the request.
        struct Observed {
            /// Whether a protocol class was queried in the context of the code that started the task.
            var hasContext = false

            /// Whether a protocol class was queried in any context.
            var isAsked = false

            /// Whether this object could be attached to the task.
            var isAttached = false

            /// Whether the object was still attached when the task was loaded.
            var isAttachedAtStart = false
        }

        private static let active = Mutex<ProbeRequest?>(nil)
        private static let hasActive = Atomic(false)

        /// The request that the current code is starting, or nil.
        @TaskLocal private static var current: ProbeRequest?

        let url: URL
        private let observed = Mutex(Observed())

        init(to url: URL) { self.url = url }

        var observations: Observed { observed.withLock { $0 } }

        func note(_ change: (inout Observed) -> Void) { observed.withLock { change(&$0) } }

        /// Starts the task that loads the request.
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

        /// Whether the current code is starting a test's request.
        static var isActive: Bool { current != nil }

        /// Returns the active request if it has the given URL, or nil.
        static func active(for url: URL?) -> ProbeRequest? {
            guard hasActive.load(ordering: .acquiring) else { return nil }
            return active.withLock { $0 }.flatMap { $0.url == url ? $0 : nil }
        }

        /// Decides whether to intercept a test's request, using the criteria for requests in a scope.
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
