/// The identity of a task, which no other task of the process has.
package struct TaskIdentity: Hashable, Sendable {
    /// The address, which may be used again.
    let address: UInt

    /// The description of the task's job, which has a unique number.
    private let description: String

    /// The current task, or nil outside of all tasks.
    ///
    /// A task's handle and its job have the same address, but only the job's description has the number.
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
