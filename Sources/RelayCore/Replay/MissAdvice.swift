import HTTPArchive

/// The advice in the error message for a miss.
package struct MissAdvice: Sendable, Hashable {
    /// The command that records the missing entry, or nil if the interceptor has no archive to record into.
    package var command: String?

    /// The Swift source code of the setting that accepts misses, or nil outside tests.
    package var acceptance: String?

    /// Whether settings are described as options of `har serve` instead of as Swift source code.
    package var namesOptions: Bool

    /// Creates advice.
    ///
    /// - Parameters:
    ///   - command: The command that records the missing entry; nil by default.
    ///   - acceptance: The setting that accepts misses; nil by default.
    ///   - namesOptions: Whether settings are described as options of `har serve`; `false` by default.
    package init(command: String? = nil, acceptance: String? = nil, namesOptions: Bool = false) {
        self.command = command
        self.acceptance = acceptance
        self.namesOptions = namesOptions
    }

    /// Returns the lines to add to a message.
    ///
    /// - Parameters:
    ///   - differences: The differences between the request and the nearest entry; empty if no entry is similar.
    ///   - isStandard: Whether the required matchers are the standard ones.
    /// - Returns: One line for each suggestion.
    func lines(for differences: [MatchDifference], isStandard: Bool) -> [String] {
        var lines: [String] = []
        if let command { lines.append("To record the request, run: \(command)") }
        if namesOptions {
            if let options = Self.options(ignoring: differences) {
                lines.append("To ignore the difference, restart the server with \(options).")
            }
        } else if let setting = Self.matching(ignoring: differences) {
            lines.append(
                isStandard
                    ? "To ignore the difference, pass `matching: .\(setting.standard)`."
                    : "To ignore the difference, \(setting.other).")
        }
        if let acceptance { lines.append("To accept misses, pass `\(acceptance)`.") }
        return lines
    }

    /// Returns the setting that ignores all of the given differences, or nil if no setting does.
    ///
    /// - Parameter differences: The differences.
    /// - Returns: The matching to use instead of the standard one, and the change to make to any other matching.
    private static func matching(ignoring differences: [MatchDifference]) -> (standard: String, other: String)? {
        let parts = Set(differences.map(\.part))
        if parts.isSubset(of: ["scheme", "host", "port"]), !parts.isEmpty {
            return ("anyHost", "remove the matchers for scheme, host and port from the matching")
        }
        var ignored: [String: [String]] = [:]
        for difference in differences {
            guard let item = difference.item, ["query", "header", "body"].contains(difference.part),
                difference.part != "body" || item.hasPrefix("/")
            else { return nil }
            ignored[difference.part, default: []].append(item)
        }
        let labels = [("query", "queryItems"), ("header", "headers"), ("body", "json")]
        let arguments = labels.compactMap { part, label in
            ignored[part].map { "\(label): \(Self.list(Set($0).sorted()))" }
        }
        guard !arguments.isEmpty, differences.count <= 5 else { return nil }
        let call = "ignoring(\(arguments.joined(separator: ", ")))"
        return ("standard.\(call)", "add `.\(call)` to the matching")
    }

    /// Returns the options of `har serve` that ignore all of the given differences, or nil if no options do.
    private static func options(ignoring differences: [MatchDifference]) -> String? {
        let parts = Set(differences.map(\.part))
        if parts.isSubset(of: ["scheme", "host", "port"]), !parts.isEmpty { return "--matching anyHost" }
        let items = differences.compactMap(\.item)
        guard parts == ["query"], items.count == differences.count, items.count <= 5 else { return nil }
        return Set(items).sorted().map { "--ignore-query \(ShellText.quoted(MessageText.printable($0)))" }
            .joined(separator: " ")
    }

    private static func list(_ items: [String]) -> String {
        "[" + items.map { "\"\(MessageText.escaped($0))\"" }.joined(separator: ", ") + "]"
    }
}
