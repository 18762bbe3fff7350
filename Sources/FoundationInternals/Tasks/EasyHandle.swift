#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation
    import FoundationNetworking

    /// The libcurl handle that FoundationNetworking uses to load a task.
    ///
    /// Only this type depends on where the handle is stored. The handle must be used only on the task's queue.
    /// FoundationNetworking uses the handle on queues with the same target queue, so all calls are serialized.
    struct EasyHandle {
        /// The FoundationNetworking object that owns the handle.
        private let owner: AnyObject

        private let pointer: UnsafeMutableRawPointer

        private static let easyHandle = StoredProperty("easyHandle", of: .transferLog)
        private static let rawHandle = StoredProperty("rawHandle", of: .transferLog)

        /// Finds the handle of a loader, or returns nil if the loader has no handle or its type is unknown.
        ///
        /// Must be called on the task's queue.
        ///
        /// - Parameter loader: The object that loads the task. It must not have started loading.
        init?(of loader: URLProtocol) {
            guard LibraryCurl.isObservable,
                let owner: AnyObject = Self.easyHandle.reference(in: loader),
                let pointer = Self.rawHandle.address(in: owner)
            else { return nil }
            self.owner = owner
            self.pointer = pointer
        }

        /// Starts observing the transfer, which must not have started.
        ///
        /// Must be called on the task's queue.
        ///
        /// - Parameters:
        ///   - context: The observer's context, which must remain valid until the observation ends.
        ///   - observer: Called with each event.
        /// - Returns: The observation, which must be ended with `transfer_end` on the task's queue, or nil on failure.
        func observe(_ context: UnsafeMutableRawPointer, by observer: transfer_observer) -> OpaquePointer? {
            transfer_observe(pointer, observer, context)
        }
    }
#endif
