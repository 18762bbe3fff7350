import ArgumentParser
import Foundation
import HTTPArchive

/// `har repair`: an archive with its end, and without broken entries.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair an archive whose end is missing, or whose entries are broken.",
        discussion: """
            A recorder that was killed, or a download that was interrupted, leaves an archive without its end. The \
            incomplete entry is removed and the brackets are closed, in the file itself; all entries before it stay \
            byte for byte.

            Every entry is validated. A broken one is an error that names the entry, the line and the column, and the \
            file stays as it is, unless --broken says what to do with broken entries: aside writes their text to \
            FILE.broken.txt, a new file that only its owner can read; drop leaves them out. The archive is then written \
            anew with all other entries, byte for byte, and replaces the file once it is complete.

            Example: har repair recorded.har
            Example: har repair --broken aside edited.har

            One line is written: the number of entries that the archive has, and what was removed. Exit status: 0 when \
            the file is valid now, 1 when it is not.
            """)

    /// The treatment of broken entries, by its names on the command line.
    enum BrokenEntries: String, CaseIterable, ExpressibleByArgument {
        case aside, drop
    }

    @Option(help: "What to do with broken entries: write them to a second file, or leave them out.")
    var broken: BrokenEntries?

    @Argument(help: "The archive.")
    var file: Input

    func validate() throws {
        if file.isStandardInput { throw ValidationError("The archive must be a file: it is repaired in its place.") }
    }

    func run() throws {
        let second = URL(fileURLWithPath: file.name + ".broken.txt")
        let treatment: HARRepair.BrokenEntries =
            switch broken {
            case nil: .refused
            case .aside: .setAside(second)
            case .drop: .dropped
            }
        let repair = try HARRepair(of: file.url, brokenEntries: treatment)
        let output = StandardOutput()
        try output.line("\(file.name.printable): \(outcome(of: repair, second: second))")
        try output.flush()
    }

    private func outcome(of repair: HARRepair, second: URL) -> String {
        let entries = repair.entryCount.of("entry", "entries")
        if let count = repair.removedByteCount { return "mended; \(entries) kept, \(count.asBytes) cut off" }
        guard let count = repair.brokenEntryCount else { return "whole; \(entries)" }
        guard count > 0 else { return "mended; \(entries) kept" }
        let removed = count.of("broken entry", "broken entries")
        let end = broken == .aside ? "set aside in \(second.relativePath.printable)" : "dropped"
        return "mended; \(entries) kept, \(removed) \(end)"
    }
}
