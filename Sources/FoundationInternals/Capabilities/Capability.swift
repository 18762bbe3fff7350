import Foundation
import Synchronization

/// An assumption about internals of FoundationNetworking, Dispatch, libcurl, or the Swift runtime.
///
/// Each assumption is tested before the package relies on it.
package enum Capability: String, CaseIterable, Sendable {
    case methodTables, callerContext, taskAttachment
    case taskQueue, taskSession
    case uploadBody
    case downloadFile
    case sharedSession
    case bodyChunks, byteCounts, awaitedTasks, transferLog, taskEnd

    /// The part of the package that needs a capability.
    package enum Need: Sendable {
        /// Scopes, which intercept requests in all sessions.
        case scopes

        /// Every intercepted request.
        case requests

        /// Intercepted uploads.
        case uploads

        /// Intercepted downloads.
        case downloads

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
        case .downloadFile: .downloads
        case .sharedSession: .sharedSession
        case .bodyChunks, .byteCounts, .awaitedTasks, .transferLog, .taskEnd: .detail
        }
    }

    /// The consequence if the capability is missing, as a sentence.
    package var effect: String {
        switch self {
        case .methodTables, .callerContext, .taskAttachment:
            "Scopes cannot intercept requests in every session, so they throw an error."
        case .taskQueue, .taskSession: "Every intercepted request fails."
        case .uploadBody: "Intercepted uploads fail."
        case .downloadFile: "Intercepted downloads fail."
        case .sharedSession: "Protocol classes cannot be registered for `URLSession.shared`."
        case .bodyChunks: "Delegates receive each response body in one chunk, and no progress of downloads."
        case .byteCounts: "The byte counts of intercepted download tasks remain 0."
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

/// The capabilities that the platform was found to lack.
package enum CapabilityTable {
    private static let reasons = Mutex<[Capability: String]>([:])

    /// The number of missing capabilities found so far.
    private static let count = Atomic(0)

    /// The missing capabilities found so far, in the order of their declaration.
    package static var missing: [MissingCapability] { Capability.allCases.compactMap(missing) }

    /// Returns a capability and the reason it is missing, or nil if it has not been found missing.
    package static func missing(_ capability: Capability) -> MissingCapability? {
        guard count.load(ordering: .acquiring) > 0 else { return nil }
        return reasons.withLock { $0[capability] }.map { MissingCapability(capability: capability, reason: $0) }
    }

    /// Records that a capability is missing, and keeps an earlier reason.
    ///
    /// - Parameters:
    ///   - capability: The capability.
    ///   - reason: The reason, as a sentence.
    /// - Returns: The capability and the reason that was recorded first.
    @discardableResult
    static func lose(_ capability: Capability, because reason: String) -> MissingCapability {
        reasons.withLock { reasons in
            let known = reasons[capability] ?? reason
            if reasons.updateValue(known, forKey: capability) == nil { count.add(1, ordering: .releasing) }
            return MissingCapability(capability: capability, reason: known)
        }
    }
}

/// The setting that disables changes to the code of other libraries.
enum Interposition {
    private static let variable = "RELAY_INTERPOSITION"

    /// The reason why other libraries must not be changed, or nil if changes are allowed.
    static let refusal: String? = {
        switch ProcessInfo.processInfo.environment[variable] {
        case nil, "", "on": nil
        case "off": "The environment variable \(variable) is 'off'."
        default: "The environment variable \(variable) has an unknown value. Set it to 'on' or 'off'."
        }
    }()
}

/// The capabilities that tests disable with an environment variable, in debug builds only.
///
/// The variable contains a comma-separated list of capability names. For a disabled capability, the package looks up a
/// nonexistent name or a check fails, as on a platform without the capability.
enum Fault {
    #if DEBUG
        private static let names = Set(
            (ProcessInfo.processInfo.environment["RELAY_FAILING_CAPABILITIES"] ?? "").split(separator: ",").map(
                String.init))

        /// Returns whether a capability must fail from the start.
        static func fails(_ capability: Capability) -> Bool { names.contains(capability.rawValue) }

        /// Returns whether a capability must pass its test and fail afterwards, as the suffix `:later` requests.
        static func failsLater(_ capability: Capability) -> Bool { names.contains("\(capability.rawValue):later") }
    #else
        static func fails(_: Capability) -> Bool { false }
        static func failsLater(_: Capability) -> Bool { false }
    #endif

    /// Returns a private name, or a nonexistent name if the capability must fail.
    static func name(_ name: String, of capability: Capability) -> String {
        fails(capability) ? "\(name) (absent)" : name
    }
}
