#if canImport(FoundationNetworking)
    import CStructure
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

        private static let protocolStorage = StoredProperty("_protocolStorage")
        private static let easyHandle = StoredProperty("easyHandle")
        private static let rawHandle = StoredProperty("rawHandle")

        /// The handle of a task, to be asked on its queue; `nil` when it has none, or one of another kind than is known here.
        ///
        /// - Parameter task: A task that is about to load.
        init?(of task: URLSessionTask) {
            let library = unsafeBitCast(URLSession.self as AnyClass, to: UnsafeRawPointer.self)
            guard transfer_can_be_observed(library) != 0,
                let storage = Self.protocolStorage.value(in: task),
                let loader = Self.payload(of: storage) as? URLProtocol,
                let owner: AnyObject = Self.easyHandle.reference(in: loader),
                let pointer = Self.rawHandle.value(in: owner) as? UnsafeMutableRawPointer
            else { return nil }
            self.owner = owner
            self.pointer = pointer
        }

        /// The object that a case of an enumeration carries.
        private static func payload(of value: Any) -> AnyObject? {
            Mirror(reflecting: value).children.first.map { $0.value as AnyObject }
        }

        /// Begins to observe the transfer, before it begins; to be called on the task's queue.
        ///
        /// - Parameters:
        ///   - context: Goes to the observer; it must be there until the observation is ended.
        ///   - observer: Is called with what passes.
        /// - Returns: The observation, which `transfer_end` ends on the task's queue; `nil` when there is none.
        func observe(_ context: UnsafeMutableRawPointer, by observer: transfer_observer) -> OpaquePointer? {
            transfer_observe(pointer, observer, context)
        }
    }
#endif
