import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSessionTask {
    /// The session of the task, or nil if it is unknown.
    var ownSession: URLSession? {
        #if canImport(FoundationNetworking)
            Self.session.reference(in: self)
        #else
            nil
        #endif
    }

    /// Runs code that calls the task's client.
    ///
    /// FoundationNetworking starts and stops its tasks on a queue, and its client uses state that belongs to that
    /// queue. If the client is called elsewhere, it may access tasks that are being created or deallocated, which
    /// crashes the process.
    ///
    /// Without a known queue, which ``missingCapability`` shows, nothing is run.
    func performOnItsQueue(_ work: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
            ownQueue?.async(execute: work)
        #else
            work()
        #endif
    }

    /// Delivers completion on the session's delegate queue, even to callers that await the task.
    ///
    /// FoundationNetworking resumes the caller of `data(for:)` where the client is notified of completion: on the
    /// task's queue. It waits there for a running cancellation of the same call, which waits for the task's queue: a
    /// deadlock.
    ///
    /// - Returns: Whether the task is known to be awaited.
    func endOnDelegateQueue() -> Bool {
        #if canImport(FoundationNetworking)
            Self.callsCompletionHandlerInline.clear(in: self)
        #else
            false
        #endif
    }

    /// Returns whether the client receives the body of a response in chunks.
    ///
    /// This must be called on the task's queue. FoundationNetworking passes only the last chunk to completion handlers
    /// and awaiting callers. Its session stores the kind of receiver for each task.
    ///
    /// - Parameter isAwaited: Whether the task is known to be awaited.
    /// - Returns: `true` if a delegate receives chunks as they arrive; `false` if a client receives the body at the end,
    ///   or if that is unknown.
    func receivesChunks(isAwaited: Bool) -> Bool {
        #if canImport(FoundationNetworking)
            delegate is any URLSessionDataDelegate && nameOfReceiver == Self.delegateReceiver
        #else
            return true
        #endif
    }
}

#if canImport(FoundationNetworking)
    extension URLSessionTask {
        private static let session = StoredProperty("session", of: .taskSession)
        private static let workQueue = StoredProperty("workQueue", of: .taskQueue)
        private static let taskRegistry = StoredProperty("taskRegistry", of: .bodyChunks)
        private static let behaviors = StoredProperty("behaviours", of: .bodyChunks)
        private static let callsCompletionHandlerInline = StoredProperty(
            "_callCompletionHandlerInline", of: .awaitedTasks)
        private static let protocolStorage = StoredProperty("_protocolStorage", of: .transferLog)

        /// The name of the kind of tasks whose delegate receives chunks.
        static let delegateReceiver = "callDelegate"

        private var ownQueue: DispatchQueue? { Self.workQueue.reference(in: self) }

        /// The capability that is missing for the interception of this task, or nil.
        var missingCapability: MissingCapability? {
            if ownQueue == nil {
                return CapabilityTable.lose(
                    .taskQueue, because: "The queue of a task is unknown: it has no property `workQueue`.")
            }
            if ownSession == nil {
                return CapabilityTable.lose(
                    .taskSession, because: "The session of a task is unknown: it has no property `session`.")
            }
            return nil
        }

        /// Whether the task has the flag of callers that are resumed on its queue.
        var hasInlineFlag: Bool { Self.callsCompletionHandlerInline.value(in: self) is Bool }

        /// The name of the kind of receiver for which the session keeps the task, or nil if it is unknown.
        var nameOfReceiver: String? {
            guard let session = ownSession, let registry: AnyObject = Self.taskRegistry.reference(in: session),
                let behaviors = Self.behaviors.value(in: registry) as? any TaskDictionary
            else { return nil }
            return behaviors.caseName(for: taskIdentifier)
        }

        /// The object that loads the task, or nil if it does not exist yet or is unknown.
        var loader: URLProtocol? {
            Self.protocolStorage.value(in: self)
                .flatMap { Mirror(reflecting: $0).children.first?.value as? URLProtocol }
        }
    }
#endif

#if canImport(FoundationNetworking)
    /// A dictionary in which a session stores state of its tasks, with values of an inaccessible type.
    private protocol TaskDictionary {
        func caseName(for task: Int) -> String?
    }

    extension Dictionary: TaskDictionary where Key == Int {
        /// Returns the name of the enumeration case of a task's value, without associated values.
        fileprivate func caseName(for task: Int) -> String? {
            self[task].map { Mirror(reflecting: $0).children.first?.label ?? String(describing: $0) }
        }
    }
#endif
