import ArgumentParser
import Foundation
import HTTPArchive

/// `har repair`: repairs a truncated archive, and removes invalid entries.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair an archive that is truncated or has invalid entries.",
        discussion: """
            A recorder that was killed, or a download that was interrupted, leaves a truncated archive. The incomplete \
            entry is removed and the brackets are closed, in place; all entries before it keep their bytes.

            Every entry is validated. An invalid entry is an error with the entry index, the line and the column, and \
            the file is unchanged, unless --broken is given. With --broken aside, the text of invalid entries is moved \
            to FILE.broken.txt, a new private file; with --broken drop, it is deleted. The archive is then rewritten \
            with the bytes of all other entries, and replaces the file when it is complete.

            Example: har repair recorded.har
            Example: har repair --broken aside edited.har

            Prints one line: the number of entries in the archive, and what was removed. The exit status is 0 if the \
            file is valid now, and 1 if not.
            """)

    /// The treatment of invalid entries, as an argument.
    enum BrokenEntries: String, CaseIterable, ExpressibleByArgument {
        case aside, drop
    }

    @Option(help: "What to do with invalid entries: move them to a second file, or drop them.")
    var broken: BrokenEntries?

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive.")
    var file: Input

    func validate() throws {
        if file.isStandardInput {
            throw ValidationError("expected a file, found standard input, which cannot be repaired in place")
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
        let repair = try HARRepair(of: file.url, brokenEntries: treatment, configuration: sizes.reader)
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
