import Foundation
package import HTTPArchive

extension ReplayMode {
    /// The environment variable that says the mode where the program does not.
    package static let variable = "RELAY_MODE"

    /// The variables of the process; nothing else of this module reads them.
    package static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The mode that the environment says.
    ///
    /// - Parameter environment: The variables.
    /// - Returns: The mode; `nil` where the variable is absent or empty.
    /// - Throws: `invalidSetting` when it names no mode.
    package static func named(in environment: [String: String]) throws(HARError) -> ReplayMode? {
        guard let name = environment[variable], !name.isEmpty else { return nil }
        guard let mode = allCases.first(where: { $0.description == name }) else {
            let known = allCases.map(\.description).joined(separator: ", ")
            throw HARError(
                .invalidSetting,
                "The environment variable \(variable) is '\(MessageText.printable(name))', which is no mode; "
                    + "it may be one of: \(known).")
        }
        return mode
    }
}
