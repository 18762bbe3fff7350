import ArgumentParser
import HTTPArchive

/// The tool itself, which only has subcommands.
struct HARCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "Look into HTTP archives (HAR files), check, filter, split, merge, replay, record and repair them.",
        discussion: """
            An archive holds the requests that a browser, a proxy or a test made, and what was answered. To get one, \
            open the network panel of a browser's developer tools, load a page, and save all as HAR.

            Example: har inspect page.har

            A file that a command writes appears under its name when it is complete. If it replaces a file, it keeps the \
            permissions of that; a new file can be read by you alone, because archives hold cookies and tokens, unless har \
            redact wrote it. Pipes and devices are written to as they are.

            Exit status: 0 when all is well, 1 for an error and for what a command was to find, 2 for wrong usage.
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
