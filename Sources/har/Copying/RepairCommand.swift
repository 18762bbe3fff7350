import ArgumentParser
import Foundation
import HTTPArchive

/// `har repair`: repairs a truncated archive, and removes invalid entries.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair an archive that is truncated or has invalid entries.",
        discussion: """
            A recorder that was killed, or a download that was interrupted, leaves a truncated archive. Its incomplete \
            last entry is removed and its brackets are closed in place; all other entries stay unchanged.

            Every entry is validated. Without --broken, an invalid entry is an error that gives the entry index, the \
            line and the column, and the file stays unchanged. With --broken aside, the text of invalid entries is \
            moved to FILE.broken.txt, a new file that only you can read. With --broken drop, it is deleted. All other \
            entries are then copied byte for byte to a new archive, which replaces the file when it is complete.

            Example: har repair recorded.har
            Example: har repair --broken aside edited.har

            Prints one line with the number of entries and the removed data. The exit status is 0 if the file is now \
            valid, and 1 otherwise.
            """)

    /// The treatment of invalid entries, as a command-line argument.
    enum BrokenEntries: String, CaseIterable, ExpressibleByArgument {
        case aside, drop
    }

    @Option(help: "Move invalid entries to a separate file (aside), or delete them (drop).")
    var broken: BrokenEntries?

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive.")
    var file: Input

    func validate() throws {
        if file.isStandardInput {
            throw ValidationError(
                "expected a file, found standard input, which cannot be repaired in place; save it to a file first")
        }
    }

    func run() throws {
        let second = URL(fileURLWithPath: file.name + ".broken.txt")
        let treatment: HARRepair.BrokenEntries =
            switch broken {
            case nil: .refused
            case .aside: .setAside(second)
            case .drop: .dropped
            }
        let progress = ReadingProgress(of: file.url.fileSize)
        defer { progress.clear() }
        let repair = try HARRepair(of: file.url, brokenEntries: treatment, configuration: sizes.reader) {
            progress.update($0)
        }
        progress.clear()
        let output = StandardOutput()
        try output.line("\(file.name.printable): \(outcome(of: repair, second: second))")
        try output.flush()
    }

    private func outcome(of repair: HARRepair, second: URL) -> String {
        let entries = repair.entryCount.of("entry", "entries")
        if let count = repair.removedByteCount { return "repaired; \(entries) kept, \(count.asBytes) removed" }
        guard let count = repair.brokenEntryCount else { return "valid; \(entries)" }
        guard count > 0 else { return "repaired; \(entries) kept" }
        let removed = count.of("invalid entry", "invalid entries")
        let end = broken == .aside ? "moved to \(second.relativePath.printable)" : "dropped"
        return "repaired; \(entries) kept, \(removed) \(end)"
    }
}
