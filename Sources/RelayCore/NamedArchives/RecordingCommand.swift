import HTTPArchive

/// The shell command that runs one test in a recording mode.
package enum RecordingCommand {
    /// Returns the command.
    ///
    /// - Parameters:
    ///   - module: The name of the test target.
    ///   - names: The names of the types that contain the test, and the name of the test, with or without parameters.
    /// - Returns: The command, quoted for a shell.
    package static func text(module: String, names: [String]) -> String {
        let path = names.map { name -> String in
            // The parameters of a function are not part of the filter, but any parentheses in a raw identifier are.
            guard name.hasPrefix("`"), let end = name.lastIndex(of: "`") else {
                return String(name.prefix { $0 != "(" })
            }
            return String(name[...end])
        }
        let pattern = [module] + [path.joined(separator: "/")]
        let filter = pattern.map(escaped).joined(separator: ".")
        return "\(ReplayMode.variable)=new swift test --filter \(ShellText.quoted(filter))"
    }

    /// Returns a regular expression that matches a string literally.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\^$.|?*+()[]{}".contains(character) { result += "\\" }
            result.append(character)
        }
    }
}
