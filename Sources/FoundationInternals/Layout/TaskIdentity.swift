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
