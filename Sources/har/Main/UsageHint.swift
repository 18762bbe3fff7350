import ArgumentParser

/// Explains usage errors about a missing value that are due to an argument that begins with a hyphen.
enum UsageHint {
    /// Adds a line to an error message if a command has no option with the name of an argument, as in `--limit -1`.
    ///
    /// - Parameters:
    ///   - message: The message of ArgumentParser, which begins with the error.
    ///   - arguments: The arguments of the tool.
    /// - Returns: The message.
    static func explained(_ message: String, for arguments: [String]) -> String {
        guard message.hasPrefix("Missing "), let option = unknownOption(in: arguments) else { return message }
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let name = option.printable
        lines.insert(
            "Hint:  '\(name)' is not an option. Put -- before an argument that begins with a hyphen, and = before a value "
                + "that does.", at: 1)
        return lines.joined(separator: "\n")
    }

    /// Returns the argument that ArgumentParser reads as the option `-h` among others, such as `-host`.
    ///
    /// - Parameter arguments: The arguments of the tool.
    /// - Returns: The argument, or nil if the help or the version was requested.
    static func wordReadAsHelp(in arguments: [String]) -> String? {
        let requests: Set = ["-h", "-help", "--help", "--help-hidden", "--version", "help"]
        if arguments.contains(where: requests.contains) { return nil }
        return arguments.prefix { $0 != "--" }.first { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") }
    }

    /// Returns the first argument that has the form of an option which the command does not have.
    private static func unknownOption(in arguments: [String]) -> String? {
        let commands = HARCommand.configuration.subcommands
        guard let command = commands.first(where: { $0.configuration.commandName == arguments.first }) else {
            return nil
        }
        let help = HARCommand.helpMessage(for: command, includeHidden: true)
        let names = Set(help.split { !($0.isLetter || $0.isNumber || $0 == "-") })
        return arguments.dropFirst().prefix { $0 != "--" }.first { argument in
            argument.hasPrefix("-") && argument.count > 1 && !names.contains(argument.prefix { $0 != "=" })
                && !(argument.count > 2 && !argument.hasPrefix("--") && names.contains(argument.prefix(2)))
        }
    }
}
