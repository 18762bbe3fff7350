package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The private parts of the platform that the adapter for `URLSession` uses.
///
/// The methods for tasks must be called on the queues that they name. A missing capability never has an effect other
/// than its ``Capability/effect``.
package protocol SessionInternals: Sendable {
    // MARK: - Capabilities

    /// Tests the capabilities that scopes need, on the first call, which takes some milliseconds.
    ///
    /// - Returns: The missing ones.
    func missingForScopes() -> [MissingCapability]

    /// Tests all capabilities that were not tested before.
    func testAll()

    // MARK: - Scopes

    /// Makes the classes of the library refuse requests in every session, for the life of the process.
    ///
    /// - Parameter isIntercepted: Whether a request is refused. It is called on the queue of the request's task, in the
    ///   context of the code that starts it.
    /// - Returns: The missing capability, or nil if the classes do so.
    func refuseRequests(where isIntercepted: @escaping @Sendable (URLRequest) -> Bool) -> MissingCapability?

    /// Attaches an object to the task that is being started on the current queue, and returns whether there is one.
    func attach(_ object: AnyObject) -> Bool

    /// The object attached to the task that runs on the current queue, or nil.
    var attachedObject: AnyObject? { get }

    /// Makes `URLSession.shared` ask a protocol class before all others.
    ///
    /// - Returns: The missing capability, or nil if the session does so.
    func insertIntoSharedSession(_ type: AnyClass) -> MissingCapability?

    /// Reverts one call of ``insertIntoSharedSession(_:)``.
    func removeFromSharedSession(_ type: AnyClass)

    // MARK: - Tasks

    /// Returns the capability that is missing for intercepting a task, or nil.
    func missing(for task: URLSessionTask) -> MissingCapability?

    /// Returns the session of a task, or nil if it is unknown.
    func session(of task: URLSessionTask) -> URLSession?

    /// Runs code on the queue of a task, the only queue on which its client may be called.
    func perform(onQueueOf task: URLSessionTask, _ work: @escaping @Sendable () -> Void)

    /// Delivers the completion of a task on the delegate queue of its session, even to callers that await it.
    ///
    /// - Returns: Whether the task is known to be awaited.
    func endOnDelegateQueue(_ task: URLSessionTask) -> Bool

    /// Returns whether the client of a task receives the body in chunks; must be called on the queue of the task.
    func receivesChunks(_ task: URLSessionTask, isAwaited: Bool) -> Bool

    /// Reads the body that a task sends, from the request or from an upload task.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - request: The task's request.
    ///   - session: The task's session.
    ///   - completion: Called with the body, nil for no body, or the error of reading it: immediately if the body is in
    ///     memory.
    func readBody(
        of task: URLSessionTask, sending request: URLRequest, in session: URLSession?,
        completion: @escaping @Sendable (Result<Data?, any Error>) -> Void)
}

extension SessionInternals {
    package func perform(onQueueOf task: URLSessionTask, _ work: @escaping @Sendable () -> Void) {
        task.performOnItsQueue(work)
    }

    package func session(of task: URLSessionTask) -> URLSession? { task.ownSession }

    package func endOnDelegateQueue(_ task: URLSessionTask) -> Bool { task.endOnDelegateQueue() }

    package func receivesChunks(_ task: URLSessionTask, isAwaited: Bool) -> Bool {
        task.receivesChunks(isAwaited: isAwaited)
    }

    package func readBody(
        of task: URLSessionTask, sending request: URLRequest, in session: URLSession?,
        completion: @escaping @Sendable (Result<Data?, any Error>) -> Void
    ) {
        task.readBody(of: request, in: session, completion: completion)
    }
}

/// The internals of this platform.
package enum Internals {
    #if canImport(FoundationNetworking)
        package static let session: any SessionInternals = FoundationNetworkingInternals()
    #else
        package static let session: any SessionInternals = AppleInternals()
    #endif
}

#if canImport(FoundationNetworking)
    /// The internals of FoundationNetworking.
    private struct FoundationNetworkingInternals: SessionInternals {
        func missingForScopes() -> [MissingCapability] {
            SessionProbe.outcome
            return CapabilityTable.missing.filter { [.scopes, .requests].contains($0.capability.need) }
        }

        func testAll() {
            SessionProbe.outcome
            if let refusal = Interposition.refusal {
                CapabilityTable.lose(.transferLog, because: refusal)
            } else {
                TransferProbe.outcome
            }
            if !SharedSessionClasses.isLive { SharedSessionClasses.lose() }
            TaskLife.test()
        }

        func refuseRequests(where isIntercepted: @escaping @Sendable (URLRequest) -> Bool) -> MissingCapability? {
            EverySessionDetour.activate(isIntercepted) ? nil : CapabilityTable.missing(.methodTables)
        }

        func attach(_ object: AnyObject) -> Bool { TaskAttachment.attach(object) }

        var attachedObject: AnyObject? { TaskAttachment.current }

        func insertIntoSharedSession(_ type: AnyClass) -> MissingCapability? { SharedSessionClasses.insert(type) }

        func removeFromSharedSession(_ type: AnyClass) { SharedSessionClasses.remove(type) }

        func missing(for task: URLSessionTask) -> MissingCapability? { task.missingCapability }
    }
#else
    /// The internals of Apple platforms, whose sessions ask registered classes.
    private struct AppleInternals: SessionInternals {
        func missingForScopes() -> [MissingCapability] { [] }

        func testAll() { TaskLife.test() }

        func refuseRequests(where isIntercepted: @escaping @Sendable (URLRequest) -> Bool) -> MissingCapability? {
            MissingCapability(capability: .methodTables, reason: "The classes of this platform cannot refuse requests.")
        }

        func attach(_ object: AnyObject) -> Bool { false }

        var attachedObject: AnyObject? { nil }

        func insertIntoSharedSession(_ type: AnyClass) -> MissingCapability? {
            URLProtocol.registerClass(type)
                ? nil
                : MissingCapability(
                    capability: .sharedSession, reason: "The class is not a protocol class.")
        }

        func removeFromSharedSession(_ type: AnyClass) { URLProtocol.unregisterClass(type) }

        func missing(for task: URLSessionTask) -> MissingCapability? { nil }
    }
#endif
