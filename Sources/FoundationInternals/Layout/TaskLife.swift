/// Tells whether a task is over, without keeping it.
///
/// A task is an object of the runtime, which goes when the task is over and nobody waits for it any more; what tells so is
/// a weak reference. The object of an `async let` stands in its parent's memory and is never released: such a task
/// has no life that can be told, and the flags of its job say that it is one (`JobFlags` in `swift/ABI/MetadataValues.h`).
package final class TaskLife: @unchecked Sendable {
    /// Stands for the class of tasks, which is the runtime's own and is counted as every class of Swift.
    private final class TaskObject {}

    /// Flags of a job, by their bit.
    private enum Flag {
        static let child: UInt32 = 1 << 24
        static let groupChild: UInt32 = 1 << 26
        static let asyncLet: UInt32 = 1 << 28
    }

    /// Where the flags are: behind the object's header and the words of the scheduler.
    private static let flagsOffset = 32

    /// Weak references are read and released by the runtime's own atomic operations.
    private weak var task: TaskObject?

    /// The life of the current task; `nil` where there is none, or none that can be told.
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

    /// Whether the task is over.
    package var isOver: Bool { task == nil }
}
