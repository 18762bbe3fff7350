import ArgumentParser
import HTTPArchive

/// The root command.
struct HARCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "Inspect, check, filter, split, merge, replay, record and repair HTTP archives (HAR files).",
        discussion: """
            An archive holds the requests of a browser, a proxy or a test, and the responses. To get one, open the \
            network panel of a browser's developer tools, load a page, and save everything as HAR.

            Example: har inspect page.har

            An output file appears under its name when it is complete. A file that replaces another one keeps its \
            permissions. A new file is private, because archives hold cookies and tokens; output of har redact follows \
            the umask. Pipes and devices are written to directly.

            Exit status: 0 for success; 1 for an error, a finding or a difference; 2 for wrong usage.
            For the state of the private parts of the platform that Relay uses: har --version --verbose
            For shell completion: har --generate-completion-script bash (or zsh, fish).
            """,
        version: HAR.Creator.relay.version,
        subcommands: [
            InspectCommand.self, EntriesCommand.self, BodyCommand.self, CheckCommand.self, RedactCommand.self,
            CopyCommand.self, FilterCommand.self, SplitCommand.self, MergeCommand.self, ReplayCommand.self,
            RecordCommand.self, ImportCommand.self, ExportCommand.self, StatusCommand.self, RepairCommand.self,
            IndexCommand.self,
        ])
}
