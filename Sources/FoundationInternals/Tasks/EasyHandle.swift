#if canImport(FoundationNetworking)
    import CPlatform
    import Foundation
    import FoundationNetworking

    /// The libcurl handle with which FoundationNetworking loads a task.
    ///
    /// Only this type knows its location. It is used on the task's queue alone: there, and on queues that target the
    /// same queue of the session, the library uses the handle as well.
    struct EasyHandle {
        /// The library's object that owns the handle.
        private let owner: AnyObject

        private let pointer: UnsafeMutableRawPointer

        private static let easyHandle = StoredProperty("easyHandle", of: .transferLog)
        private static let rawHandle = StoredProperty("rawHandle", of: .transferLog)

        /// Returns the handle of a loader, or nil if it has none or if its type is unknown.
        ///
        /// This must be called on the queue of the task.
        ///
        /// - Parameter loader: The object that loads a task, before it starts.
        init?(of loader: URLProtocol) {
            guard LibraryCurl.isObservable,
                let owner: AnyObject = Self.easyHandle.reference(in: loader),
                let pointer = Self.rawHandle.address(in: owner)
            else { return nil }
            self.owner = owner
            self.pointer = pointer
        }

        /// Starts observing the transfer before it begins.
        ///
        /// This must be called on the task's queue.
        ///
        /// - Parameters:
        ///   - context: The context of the observer, which must be valid until the observation ends.
        ///   - observer: Called with each event.
        /// - Returns: The observation, which `transfer_end` ends on the task's queue, or nil if it failed.
        func observe(_ context: UnsafeMutableRawPointer, by observer: transfer_observer) -> OpaquePointer? {
            transfer_observe(pointer, observer, context)
        }
    }
#endif
