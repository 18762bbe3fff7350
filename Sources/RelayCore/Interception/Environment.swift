import Foundation
import HTTPArchive

extension ReplayMode {
    /// The environment variable that sets the mode if the program does not.
    package static let variable = "RELAY_MODE"

    /// The environment variables of the process.
    ///
    /// The module reads them only here.
    package static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The modes without parameters.
    private static let named: [ReplayMode] = [.replay, .once, .new, .all, .passThrough, .live]

    /// The number of seconds in each unit of an age.
    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]

    /// Returns the mode set by the environment.
    ///
    /// - Parameter environment: The environment variables.
    /// - Returns: The mode, or nil if the variable is absent or empty.
    /// - Throws: `invalidSetting` if the value is not a mode.
    package static func named(in environment: [String: String]) throws(RelayError) -> ReplayMode? {
        guard let name = environment[variable], !name.isEmpty else { return nil }
        if let mode = named.first(where: { $0.description.lowercased() == name.lowercased() }) ?? refreshing(name) {
            return mode
        }
        let known = named.map(\.description).joined(separator: ", ")
        let meant = EditDistance.nearest(to: name, in: named.map(\.description)).map { "Did you mean '\($0)'? " } ?? ""
        throw RelayError(
            .invalidSetting,
            "The environment variable \(variable) has the unknown value '\(MessageText.printable(name))'. "
                + meant + "Set it to one of: \(known), refresh:AGE. "
                + "AGE is a number with a unit (s, m, h, d), such as 30d.")
    }

    /// Returns the mode for a name such as `refresh:30d`, or nil if the name is invalid.
    private static func refreshing(_ name: String) -> ReplayMode? {
        let prefix = "refresh:"
        let name = name.lowercased()
        guard name.hasPrefix(prefix), let unit = name.last.flatMap({ units[$0] }),
            let count = Int64(name.dropFirst(prefix.count).dropLast()), count >= 0,
            case let (seconds, isTooLong) = count.multipliedReportingOverflow(by: unit), !isTooLong
        else { return nil }
        return .refresh(olderThan: .seconds(seconds))
    }
}

extension UseLog {
    /// The environment variable that sets the path of the log.
    package static let variable = "RELAY_USE_LOG"

    /// The log set by the environment of the process.
    static let ofProcess = named(in: ReplayMode.environment)

    /// Returns the log set by the environment.
    ///
    /// - Parameter environment: The environment variables.
    /// - Returns: The log, or nil if the variable is absent or empty.
    package static func named(in environment: [String: String]) -> UseLog? {
        guard let path = environment[variable], !path.isEmpty else { return nil }
        return UseLog(URL(fileURLWithPath: path))
    }
}
