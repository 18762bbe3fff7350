#if canImport(FoundationNetworking)
    import Dispatch
    import Foundation

    /// The delegate queue of a session: serial, and without an object for each block, which takes half the time of an answer.
    ///
    /// What is added goes to Dispatch at once, and never shows among the operations of the queue.
    final class DirectQueue: OperationQueue, @unchecked Sendable {
        private let queue = DispatchQueue(label: "Relay.DirectQueue")

        override func addOperation(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

        override func addOperation(_ operation: Operation) { queue.async { operation.start() } }
    }
#endif
