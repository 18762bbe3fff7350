#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation
    import FoundationNetworking

    /// The handle of libcurl by which a task of FoundationNetworking loads; nothing else knows where a task has it.
    ///
    /// It is used on the task's queue alone: there, and on queues that go by the same one of the session, the library
    /// works with it as well.
    struct EasyHandle {
        /// What the library has around the handle, which lives as long as this.
        private let owner: AnyObject

        private let pointer: UnsafeMutableRawPointer

        private static let easyHandle = StoredProperty("easyHandle")
        private static let rawHandle = StoredProperty("rawHandle")

        /// The handle of a loader, to be asked on the queue of its task; `nil` when it has none, or one of another kind than
        /// is known here.
        ///
        /// - Parameter loader: What the library loads a task with, before it begins.
        init?(of loader: URLProtocol) {
            let library = unsafeBitCast(URLSession.self as AnyClass, to: UnsafeRawPointer.self)
            guard transfer_can_be_observed(library) != 0,
                let owner: AnyObject = Self.easyHandle.reference(in: loader),
                let pointer = Self.rawHandle.address(in: owner)
            else { return nil }
            self.owner = owner
            self.pointer = pointer
        }

        /// Begins to observe the transfer, before it begins; to be called on the task's queue.
        ///
        /// - Parameters:
        ///   - context: Goes to the observer; it must be there until the observation is ended.
        ///   - hidesLocations: Whether only the observer sees where redirects go, and nothing is followed.
        ///   - observer: Is called with what passes.
        /// - Returns: The observation, which `transfer_end` ends on the task's queue; `nil` when there is none.
        func observe(
            _ context: UnsafeMutableRawPointer, hidingLocations hidesLocations: Bool, by observer: transfer_observer
        ) -> OpaquePointer? {
            transfer_observe(pointer, observer, context, hidesLocations ? 1 : 0)
        }
    }
#endif
