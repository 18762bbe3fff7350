#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation
    import FoundationNetworking

    /// The libcurl handle that FoundationNetworking uses to load a task.
    ///
    /// Only this type depends on its location. It must be used only on the task's queue, because the library uses the
    /// handle on that queue and on other queues that target the same queue of the session.
    struct EasyHandle {
        /// The library's object that owns the handle.
        private let owner: AnyObject

        private let pointer: UnsafeMutableRawPointer

        private static let easyHandle = StoredProperty("easyHandle", of: .transferLog)
        private static let rawHandle = StoredProperty("rawHandle", of: .transferLog)

        /// Finds the handle of a loader, or returns nil if it has none or its type is unknown.
        ///
        /// This must be called on the task's queue.
        ///
        /// - Parameter loader: The object that loads the task, before it starts loading.
        init?(of loader: URLProtocol) {
            guard LibraryCurl.isObservable,
                let owner: AnyObject = Self.easyHandle.reference(in: loader),
                let pointer = Self.rawHandle.address(in: owner)
            else { return nil }
            self.owner = owner
            self.pointer = pointer
        }

        /// Starts observing the transfer, which must not have begun.
        ///
        /// This must be called on the task's queue.
        ///
        /// - Parameters:
        ///   - context: The context of the observer, which must be valid until the observation ends.
        ///   - observer: Called with each event.
        /// - Returns: The observation, which must be ended with `transfer_end` on the task's queue, or nil on failure.
        func observe(_ context: UnsafeMutableRawPointer, by observer: transfer_observer) -> OpaquePointer? {
            transfer_observe(pointer, observer, context)
        }
    }
#endif
