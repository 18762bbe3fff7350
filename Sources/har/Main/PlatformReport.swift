import FoundationInternals
import RelayCore
import RelayURLSession

/// A report about the platform internals that Relay uses.
enum PlatformReport {
    /// Tests all capabilities of the platform, and returns a line with the versions and one line for each capability.
    ///
    /// It must be called in a task, because one of the capabilities is tested with the current task.
    static func lines() -> [String] {
        CapabilityProbes.testAll()
        _ = Interceptor.coverage
        let width = Capability.allCases.map(\.rawValue.count).max() ?? 0
        return ["built with \(PlatformVersions.description)"]
            + Capability.allCases.map { capability in
                let name = capability.rawValue + String(repeating: " ", count: width - capability.rawValue.count)
                if let condition = capability.condition, CapabilityTable.missing(condition) != nil {
                    return "\(name)  not tested without \(condition.rawValue)"
                }
                guard let missing = CapabilityTable.missing(capability) else { return "\(name)  available" }
                return "\(name)  missing: \(missing.reason) \(capability.effect)"
            }
    }
}

extension Capability {
    /// The capability without which this one cannot be tested, or nil.
    fileprivate var condition: Self? {
        switch self {
        case .callerContext: .methodTables
        case .taskAttachment: CapabilityTable.missing(.methodTables) == nil ? .callerContext : .methodTables
        default: nil
        }
    }
}
