import Foundation
import HTTPArchive

extension UseLog {
    /// The environment variable that names the log.
    package static let variable = "RELAY_USE_LOG"

    /// The log that the environment of the process names.
    static let ofProcess = named(in: ReplayMode.environment)

    /// The log that the environment names.
    ///
    /// - Parameter environment: The variables.
    /// - Returns: `nil` where the variable is absent or empty.
    package static func named(in environment: [String: String]) -> UseLog? {
        guard let path = environment[variable], !path.isEmpty else { return nil }
        return UseLog(URL(fileURLWithPath: path))
    }
}
