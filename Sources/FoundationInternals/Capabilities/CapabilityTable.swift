import Foundation
import Synchronization

/// The capabilities of the platform that were found missing.
package enum CapabilityTable {
    private static let reasons = Mutex<[Capability: String]>([:])
    private static let count = Atomic(0)

    /// The number of missing capabilities found so far.
    package static var missingCount: Int { count.load(ordering: .acquiring) }

    /// The missing capabilities found so far, in the order of their declaration.
    package static var missing: [MissingCapability] { Capability.allCases.compactMap(missing) }

    /// Returns the reason why a capability is missing, or nil if it was not found missing.
    package static func missing(_ capability: Capability) -> MissingCapability? {
        guard missingCount > 0 else { return nil }
        return reasons.withLock { $0[capability] }.map { MissingCapability(capability: capability, reason: $0) }
    }

    /// Records that a capability is missing, unless another reason is known.
    ///
    /// - Parameters:
    ///   - capability: The capability.
    ///   - reason: The reason, as a sentence.
    /// - Returns: The first recorded reason.
    @discardableResult
    static func lose(_ capability: Capability, because reason: String) -> MissingCapability {
        reasons.withLock { reasons in
            let known = reasons[capability] ?? reason
            if reasons.updateValue(known, forKey: capability) == nil { count.add(1, ordering: .releasing) }
            return MissingCapability(capability: capability, reason: known)
        }
    }
}

/// The setting that switches off changes of other libraries' code.
enum Interposition {
    private static let variable = "RELAY_INTERPOSITION"

    /// The reason why other libraries must not be changed, or nil if they may be changed.
    static let refusal: String? = {
        switch ProcessInfo.processInfo.environment[variable] {
        case nil, "", "on": nil
        case "off": "The environment variable \(variable) is 'off'."
        default: "The environment variable \(variable) has an unknown value. Set it to 'on' or 'off'."
        }
    }()
}

/// Capabilities that tests make fail, by an environment variable of debug builds.
///
/// The value has the names of capabilities, separated by commas. A name is looked up that does not exist, or a check is
/// false, as it would be in a version of the platform that lacks the capability.
enum Fault {
    #if DEBUG
        private static let names = Set(
            (ProcessInfo.processInfo.environment["RELAY_FAILING_CAPABILITIES"] ?? "").split(separator: ",").map(
                String.init))

        /// Whether a capability is to fail from the start.
        static func fails(_ capability: Capability) -> Bool { names.contains(capability.rawValue) }

        /// Whether a capability is to fail after it was tested, written with `:later` after its name.
        static func failsLater(_ capability: Capability) -> Bool { names.contains("\(capability.rawValue):later") }
    #else
        static func fails(_: Capability) -> Bool { false }
        static func failsLater(_: Capability) -> Bool { false }
    #endif

    /// Returns a private name, or one that does not exist if the capability is to fail.
    static func name(_ name: String, of capability: Capability) -> String {
        fails(capability) ? "\(name) (absent)" : name
    }
}
