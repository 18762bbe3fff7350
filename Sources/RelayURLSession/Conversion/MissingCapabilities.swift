import FoundationInternals
import HTTPArchive
import RelayCore
import Synchronization

extension RelayError {
    /// Creates an error for requests that cannot be intercepted.
    ///
    /// - Parameters:
    ///   - requests: The requests, as the subject of a sentence.
    ///   - missing: The missing capabilities.
    init(_ requests: String = "The request", without missing: [MissingCapability]) {
        let reasons = missing.map(\.description).joined(separator: " ")
        let onlyScopes = missing.allSatisfy { [.scopes, .sharedSession].contains($0.capability.need) }
        let advice =
            onlyScopes
            ? "Use a session of the interceptor (`session()`), or install the interceptor in the configuration of your "
                + "session (`install(in:)`)."
            : "Use a version of Relay that supports this version of Swift."
        self.init(
            .unsupportedPlatform,
            "\(requests) cannot be intercepted with \(PlatformVersions.description). \(reasons) \(advice)")
    }
}

extension Interceptor {
    private static let reported = Mutex<Set<Capability>>([])

    /// Logs the missing capabilities of the platform, each only once per process.
    func reportMissingCapabilities() {
        for missing in CapabilityTable.missing {
            let isNew = Self.reported.withLock { $0.insert(missing.capability).inserted }
            guard isNew else { continue }
            warn(
                "\(missing.reason) \(missing.capability.effect) "
                    + "(capability `\(missing.capability.rawValue)`, \(PlatformVersions.description))"
            )
        }
    }
}
