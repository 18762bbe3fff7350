#if canImport(FoundationNetworking)
    import CPlatform

    /// An object that travels with a task, from the code that starts the task to the code that loads it.
    ///
    /// FoundationNetworking calls `canInit` in the caller's context, where scopes are known, but does not pass the
    /// task. It creates the protocol's object on the queue on which its cache responds, and loads the task on another
    /// one. All work of a task runs on one Dispatch queue, which belongs to that task alone, so the object is attached
    /// to that queue.
    package enum TaskAttachment {
        /// The name that FoundationNetworking gives to the queues of its tasks.
        private static let queueName = Fault.name("org.swift.URLSessionTask.WorkQueue", of: .taskAttachment)

        /// A unique key: the address of this allocation.
        nonisolated(unsafe) private static let key = UnsafeRawPointer(
            UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

        /// Whether this version of Dispatch can attach objects to queues.
        package static var isPossible: Bool { queue_can_attach() != 0 }

        /// The object attached to the task that runs on this queue, or nil.
        package static var current: AnyObject? {
            queue_attached(key).map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Attaches an object to the task that is being started on this queue.
        ///
        /// - Returns: Whether this is the queue of a task. Other code may call `canInit` too.
        package static func attach(_ object: AnyObject) -> Bool {
            if Fault.failsLater(.taskAttachment), !ProbeRequest.isActive { return false }
            let value = Unmanaged.passRetained(object)
            let isAttached = queue_attach(queueName, key, value.toOpaque()) { value in
                value.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
            }
            if isAttached == 0 { value.release() }
            return isAttached != 0
        }
    }
#endif
