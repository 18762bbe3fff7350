import Foundation
import HTTPArchive

extension ReplayMode {
    /// The environment variable that says the mode where the program does not.
    package static let variable = "RELAY_MODE"

    /// The variables of the process; nothing else of this module reads them.
    package static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The modes that a word names.
    private static let named: [ReplayMode] = [.replay, .once, .new, .all, .passThrough, .live]

    /// What an age ends in, and how many seconds that is.
    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]

    /// The mode that the environment says.
    ///
    /// - Parameter environment: The variables.
    /// - Returns: The mode; `nil` where the variable is absent or empty.
    /// - Throws: `invalidSetting` when it names no mode.
    package static func named(in environment: [String: String]) throws(RelayError) -> ReplayMode? {
        guard let name = environment[variable], !name.isEmpty else { return nil }
        if let mode = named.first(where: { $0.description == name }) ?? refreshing(name) { return mode }
        let known = named.map(\.description).joined(separator: ", ")
        throw RelayError(
            .invalidSetting,
            "The environment variable \(variable) is '\(MessageText.printable(name))', which is no mode; "
                + "it may be one of: \(known), refresh:AGE with an age such as 30d (s, m, h, d).")
    }

    /// The mode of a name such as `refresh:30d`.
    private static func refreshing(_ name: String) -> ReplayMode? {
        let prefix = "refresh:"
        guard name.hasPrefix(prefix), let unit = name.last.flatMap({ units[$0] }),
            let count = Int64(name.dropFirst(prefix.count).dropLast()), count >= 0,
            case let (seconds, isTooLong) = count.multipliedReportingOverflow(by: unit), !isTooLong
        else { return nil }
        return .refresh(olderThan: .seconds(seconds))
    }
}

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
