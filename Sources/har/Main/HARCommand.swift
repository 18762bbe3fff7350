import ArgumentParser
import Foundation
import HTTPArchive

/// The root command.
struct HARCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "Inspect, check, filter, split, merge, replay, record and repair HTTP archives (HAR files).",
        discussion: """
            An archive holds the requests that a browser, a proxy or a test made, and their responses. To get one, \
            open the network panel of a browser's developer tools, load a page, and save all requests as HAR.

            Example: har inspect page.har

            An output file appears under its name only when it is complete. If it replaces a file, it keeps that \
            file's permissions. A new file is readable only by you, because archives hold cookies and tokens; a new \
            file that har redact writes follows the umask. Pipes and devices are written to directly.

            Exit status: 0 for success; 1 for an error, a finding or a difference; 2 for a usage error. For har search \
            and har diff, 1 means no match or a difference, and 2 any error.
            For the limits on input that error messages name: har COMMAND --help-hidden
            For the availability of the private platform APIs that Relay uses: har --version --verbose
            For shell completion: har --generate-completion-script bash (or zsh, fish).
            """,
        version: HAR.Creator.relay.version,
        subcommands: [
            InspectCommand.self, EntriesCommand.self, ShowCommand.self, SearchCommand.self, StatsCommand.self,
            WaterfallCommand.self, DiffCommand.self, BodyCommand.self, CheckCommand.self, RedactCommand.self,
            CopyCommand.self, FilterCommand.self, SplitCommand.self, MergeCommand.self, ReplayCommand.self,
            RecordCommand.self, ServeCommand.self, ProxyCommand.self, ViewCommand.self, ImportCommand.self,
            ExportCommand.self, TableCommand.self, ShapeCommand.self, VerifyCommand.self, StatusCommand.self,
            RepairCommand.self, IndexCommand.self,
        ])

    /// Throws a usage error with a suggestion if the first argument is neither an option nor a command.
    ///
    /// ArgumentParser suggests options, but not commands.
    static func requireKnownCommand(in arguments: some Collection<String>) throws {
        guard let first = arguments.first, !first.hasPrefix("-") else { return }
        let name = first == "help" ? arguments.dropFirst().first ?? first : first
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard !names.contains(name), !name.hasPrefix("-") else { return }
        var message = "unknown command '\(name.printable)'"
        if let nearest = EditDistance.nearest(to: name, in: names) {
            message += "; did you mean '\(nearest)'?"
        } else if FileManager.default.fileExists(atPath: name) {
            message += "; to summarize a file, use har inspect FILE"
        } else {
            message += "; to list the commands, use har --help"
        }
        throw ValidationError(message)
    }

    /// Throws a usage error if an argument is not UTF-8, because Foundation would use a file with another name.
    static func requireUTF8() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
                continue
            }
            let text = String(cString: argument).printable
            throw ValidationError("the argument '\(text)' is not UTF-8; if it names a file, rename the file")
        }
    }
}

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
