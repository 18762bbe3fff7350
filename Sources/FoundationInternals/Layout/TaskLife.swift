/// A weak reference to a task that detects its end.
///
/// A task is a runtime object that is released after the task ends and no other code awaits it, which clears a weak
/// reference. The object of an `async let` is in its parent's memory and is never released. Its end cannot be detected;
/// the flags of its job identify it (`JobFlags` in `swift/ABI/MetadataValues.h`).
package final class TaskLife: @unchecked Sendable {
    /// A substitute for the runtime's class of tasks, which has the same reference counting as all Swift classes.
    private final class TaskObject {}

    /// The flags of a job.
    private enum Flag {
        static let child: UInt32 = 1 << 24
        static let groupChild: UInt32 = 1 << 26
        static let asyncLet: UInt32 = 1 << 28
    }

    /// The offset of the flags in bytes, after the object header and the words of the scheduler.
    private static let flagsOffset = 32

    /// The task.
    ///
    /// The runtime reads and releases weak references with atomic operations.
    private weak var task: TaskObject?

    /// Creates a reference to the current task, or returns nil if there is no task or its end cannot be detected.
    package init?() {
        guard MemoryLayout<Int>.size == 8 else { return nil }
        let object: TaskObject? = withUnsafeCurrentTask { task in
            guard let task else { return nil }
            let address = unsafeBitCast(task, to: UnsafeRawPointer.self)
            let flags = address.load(fromByteOffset: Self.flagsOffset, as: UInt32.self)
            let isInParent = flags & Flag.asyncLet != 0 || (flags & Flag.child != 0 && flags & Flag.groupChild == 0)
            return isInParent ? nil : unsafeBitCast(task, to: TaskObject.self)
        }
        guard let object else { return nil }
        task = object
    }

    /// Whether the task has ended.
    package var isOver: Bool { task == nil }
}
