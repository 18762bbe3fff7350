/// An assumption about private parts of FoundationNetworking, Dispatch, libcurl, or the Swift runtime.
///
/// Each is tested before the package relies on it.
package enum Capability: String, CaseIterable, Sendable {
    case methodTables, callerContext, taskAttachment
    case taskQueue, taskSession
    case uploadBody
    case sharedSession
    case bodyChunks, awaitedTasks, transferLog, taskEnd

    /// The part of the package that needs a capability.
    package enum Need: Sendable {
        /// Scopes, which intercept the requests of all sessions.
        case scopes

        /// Every intercepted request.
        case requests

        /// Intercepted uploads.
        case uploads

        /// Interceptors of `URLSession.shared` alone, as compatibility APIs use them.
        case sharedSession

        /// A detail; everything else works without it.
        case detail
    }

    /// The part of the package that needs the capability.
    package var need: Need {
        switch self {
        case .methodTables, .callerContext, .taskAttachment: .scopes
        case .taskQueue, .taskSession: .requests
        case .uploadBody: .uploads
        case .sharedSession: .sharedSession
        case .bodyChunks, .awaitedTasks, .transferLog, .taskEnd: .detail
        }
    }

    /// The consequence of a missing capability, as a sentence.
    package var effect: String {
        switch self {
        case .methodTables, .callerContext, .taskAttachment:
            "Scopes cannot intercept the requests of every session, and throw an error."
        case .taskQueue, .taskSession: "Every intercepted request fails."
        case .uploadBody: "Intercepted uploads fail."
        case .sharedSession: "Classes cannot be registered for `URLSession.shared`."
        case .bodyChunks: "Delegates receive the body of a response as a whole."
        case .awaitedTasks: "Canceling an awaited request at the moment of its completion may block forever."
        case .transferLog:
            "Recorded entries lack the sizes and times on the wire, the order of fields, and those that were added."
        case .taskEnd: "An interception begun for a task lasts until it is replaced or ended."
        }
    }
}

/// A capability that this platform does not have, and the reason.
package struct MissingCapability: Error, Hashable, Sendable, CustomStringConvertible {
    /// The capability.
    package let capability: Capability

    /// The reason, as a sentence.
    package let reason: String

    /// The reason and the name of the capability.
    package var description: String { "\(reason) (\(capability.rawValue))" }
}
