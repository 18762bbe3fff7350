/// The identity of a Swift task, unique within the process.
package struct TaskIdentity: Hashable, Sendable {
    /// The address, which a later task may reuse.
    let address: UInt

    /// The description of the task's job, which contains a unique number.
    private let description: String

    /// The identity of the current task, or nil outside a task.
    ///
    /// A task's handle and its job have the same address, but only the job's description contains the number.
    package static var current: Self? {
        withUnsafeCurrentTask { task in
            task.map { task in
                Self(
                    address: unsafeBitCast(task, to: UInt.self),
                    description: unsafeBitCast(task, to: UnownedJob.self).description)
            }
        }
    }
}

/// A weak reference that detects the end of a task.
///
/// The runtime deallocates a task's object when the task has ended and nothing references it, which clears weak
/// references. The object of an `async let` is allocated in its parent's memory and is never released, so its end
/// cannot be detected. The job flags distinguish these tasks (`JobFlags` in `swift/ABI/MetadataValues.h`).
package final class TaskLife: @unchecked Sendable {
    /// A substitute for the runtime's task class.
    ///
    /// All Swift classes use the same reference counting.
    private final class TaskObject {}

    /// The flags of a job.
    private enum Flag {
        /// The mask of the job's kind, which is 0 for tasks.
        static let kind: UInt32 = 0xFF
        static let child: UInt32 = 1 << 24
        static let groupChild: UInt32 = 1 << 26
        static let asyncLet: UInt32 = 1 << 28
    }

    /// The offset of the flags in bytes, after the object header and the scheduler's private words.
    private static let flagsOffset = 32

    /// The task.
    ///
    /// The runtime reads and releases weak references with atomic operations.
    private weak var task: TaskObject?

    /// Creates a reference to the current task, or returns nil outside a task or if the task's end cannot be detected.
    package init?() {
        let object: TaskObject? = withUnsafeCurrentTask { task in
            guard let task, let flags = Self.flags(of: task) else { return nil }
            let isInParent = flags & Flag.asyncLet != 0 || (flags & Flag.child != 0 && flags & Flag.groupChild == 0)
            return isInParent ? nil : unsafeBitCast(task, to: TaskObject.self)
        }
        guard let object else { return nil }
        task = object
    }

    /// Returns the flags of the current task, or nil if the word at their offset is implausible.
    ///
    /// The flags contain the job's kind and the priority that the task was created with.
    private static func flags(of task: UnsafeCurrentTask) -> UInt32? {
        guard MemoryLayout<Int>.size == 8, !Fault.fails(.taskEnd) else { return lose() }
        let flags = unsafeBitCast(task, to: UnsafeRawPointer.self).load(fromByteOffset: flagsOffset, as: UInt32.self)
        let priority = UInt8(truncatingIfNeeded: flags >> 8)
        // The highest priority is 33 (user interactive).
        let isPlausible = flags & Flag.kind == 0 && priority <= 33
        return isPlausible ? flags : lose()
    }

    private static func lose() -> UInt32? {
        CapabilityTable.lose(.taskEnd, because: "The flags of a task are not at the expected offset.")
        return nil
    }

    /// Whether the task has ended.
    package var isOver: Bool { task == nil }
}
