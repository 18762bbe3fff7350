package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The internals of the platform that the adapter for `URLSession` uses.
///
/// Some methods must be called on a task's queue, as their comments state. A missing capability has only the
/// consequences described by its ``Capability/effect``.
package protocol SessionInternals: Sendable {
    // MARK: - Capabilities

    /// Tests the capabilities that scopes need.
    ///
    /// Only the first call runs the test, which takes a few milliseconds.
    ///
    /// - Returns: The missing capabilities.
    func missingForScopes() -> [MissingCapability]

    /// Tests all capabilities that have not been tested yet.
    func testAll()

    // MARK: - Scopes

    /// Makes FoundationNetworking's own protocol classes reject intercepted requests in every session, until the
    /// process exits.
    ///
    /// - Parameter isIntercepted: Returns whether to reject a request. Called on the queue of the request's task, in
    ///   the task-local context of the code that starts the task.
    /// - Returns: The missing capability, or nil on success.
    func refuseRequests(where isIntercepted: @escaping @Sendable (URLRequest) -> Bool) -> MissingCapability?

    /// Returns whether a request belongs to the capability test, which loads the request itself.
    func isProbe(_ request: URLRequest) -> Bool

    /// Attaches an object to the task that is being started on the current queue, and returns whether the object was
    /// attached.
    func attach(_ object: AnyObject) -> Bool

    /// The object attached to the task that the current queue belongs to, or nil.
    var attachedObject: AnyObject? { get }

    /// Makes `URLSession.shared` query a protocol class before all others.
    ///
    /// - Returns: The missing capability, or nil on success.
    func insertIntoSharedSession(_ type: AnyClass) -> MissingCapability?

    /// Undoes one call to ``insertIntoSharedSession(_:)``.
    func removeFromSharedSession(_ type: AnyClass)

    // MARK: - Tasks

    /// Whether the current queue is known to be a task's queue, on which the platform reads the configuration of the
    /// task's session.
    var isOnTaskQueue: Bool { get }

    /// Returns the missing capability that prevents the interception of a task, or nil.
    func missing(for task: URLSessionTask) -> MissingCapability?

    /// Returns the session of a task, or nil if it is unknown.
    func session(of task: URLSessionTask) -> URLSession?

    /// Runs code on a task's queue, the only queue on which its client may be called.
    func perform(onQueueOf task: URLSessionTask, _ work: @escaping @Sendable () -> Void)

    /// Delivers a task's completion on its session's delegate queue, even to callers that await the task.
    ///
    /// - Returns: Whether the task is known to be awaited.
    func endOnDelegateQueue(_ task: URLSessionTask) -> Bool

    /// Returns whether a task's client receives the body in chunks. Must be called on the task's queue.
    func receivesChunks(_ task: URLSessionTask, isAwaited: Bool) -> Bool

    /// Reads the body that a task sends, from the request or from an upload task.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - request: The task's request.
    ///   - session: The task's session.
    ///   - completion: Called with the body, with nil if there is no body, or with an error if reading failed. Called
    ///     synchronously if the body is in memory.
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

        func isProbe(_ request: URLRequest) -> Bool { ProbeRequest.active(for: request.url) != nil }

        func attach(_ object: AnyObject) -> Bool { TaskAttachment.attach(object) }

        var attachedObject: AnyObject? { TaskAttachment.current }

        var isOnTaskQueue: Bool { TaskAttachment.isOnTaskQueue }

        func insertIntoSharedSession(_ type: AnyClass) -> MissingCapability? { SharedSessionClasses.insert(type) }

        func removeFromSharedSession(_ type: AnyClass) { SharedSessionClasses.remove(type) }

        func missing(for task: URLSessionTask) -> MissingCapability? { task.missingCapability }
    }
#else
    /// The internals of Apple platforms, on which `URLSession.shared` queries registered protocol classes.
    private struct AppleInternals: SessionInternals {
        func missingForScopes() -> [MissingCapability] { [] }

        func testAll() { TaskLife.test() }

        func refuseRequests(where isIntercepted: @escaping @Sendable (URLRequest) -> Bool) -> MissingCapability? {
            MissingCapability(capability: .methodTables, reason: "Protocol classes cannot be changed on this platform.")
        }

        func isProbe(_ request: URLRequest) -> Bool { false }

        func attach(_ object: AnyObject) -> Bool { false }

        var attachedObject: AnyObject? { nil }

        var isOnTaskQueue: Bool { false }

        func insertIntoSharedSession(_ type: AnyClass) -> MissingCapability? {
            URLProtocol.registerClass(type)
                ? nil
                : MissingCapability(
                    capability: .sharedSession, reason: "The class is not a subclass of `URLProtocol`.")
        }

        func removeFromSharedSession(_ type: AnyClass) { URLProtocol.unregisterClass(type) }

        func missing(for task: URLSessionTask) -> MissingCapability? { nil }
    }
#endif
