/// An assumption about internals of FoundationNetworking, Dispatch, libcurl, or the Swift runtime.
///
/// Each assumption is tested before the package relies on it.
package enum Capability: String, CaseIterable, Sendable {
    case methodTables, callerContext, taskAttachment
    case taskQueue, taskSession
    case uploadBody
    case sharedSession
    case bodyChunks, awaitedTasks, transferLog, taskEnd

    /// The part of the package that needs a capability.
    package enum Need: Sendable {
        /// Scopes, which intercept requests in all sessions.
        case scopes

        /// Every intercepted request.
        case requests

        /// Intercepted uploads.
        case uploads

        /// The interception of `URLSession.shared` alone, for compatibility APIs.
        case sharedSession

        /// An optional detail, without which interception still works.
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

    /// The consequence if the capability is missing, as a sentence.
    package var effect: String {
        switch self {
        case .methodTables, .callerContext, .taskAttachment:
            "Scopes cannot intercept requests in every session, so they throw an error."
        case .taskQueue, .taskSession: "Every intercepted request fails."
        case .uploadBody: "Intercepted uploads fail."
        case .sharedSession: "Protocol classes cannot be registered for `URLSession.shared`."
        case .bodyChunks: "Delegates receive each response body in one chunk."
        case .awaitedTasks: "Canceling an awaited request just as it completes can deadlock."
        case .transferLog:
            "Recorded entries lack exact sizes and times, the order of header fields, and the fields added by libcurl."
        case .taskEnd: "An interception that began in a task does not end with the task. It must be ended or replaced."
        }
    }
}

/// A capability that this platform lacks, and the reason.
package struct MissingCapability: Error, Hashable, Sendable, CustomStringConvertible {
    /// The capability.
    package let capability: Capability

    /// The reason, as a sentence.
    package let reason: String

    /// The reason and the name of the capability.
    package var description: String {
        "\(reason.hasSuffix(".") ? reason.dropLast() : reason[...]) (capability `\(capability.rawValue)`)."
    }
}
