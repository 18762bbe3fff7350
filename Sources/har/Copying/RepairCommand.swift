import ArgumentParser
import Foundation
import HTTPArchive

/// `har repair`: makes a damaged archive valid.
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Repair an archive that is damaged or does not conform to HAR 1.2.",
        discussion: """
            Repairs an archive so that `har check` reports no errors:

            - Truncated archives are completed. Several archives in one file are merged. JSONP, comments, log lines and \
            other text around an archive are removed. Entries without a log get one.
            - Invalid JSON: extra and missing commas, unquoted names, single quotation marks, control characters, \
            unknown escape sequences, and numbers and words of JavaScript and Python.
            - Missing fields get a value that other fields imply, or one that means unknown. Values of the wrong type \
            are converted. A value that cannot be converted is kept in a custom field such as _originalStatus.

            Entries that need no repair are copied byte for byte. A file that is only truncated is repaired in place. \
            For other repairs, a new archive replaces the file when it is complete.

            Some entries cannot be repaired, for example if a quotation mark is missing. Without --broken, such an entry \
            is an error that gives the entry index, the line and the column, and the file stays unchanged. With \
            --broken aside, its text is moved to FILE.broken.txt, a new file that only you can read. With --broken \
            drop, it is deleted.

            Example: har repair recorded.har
            Example: har repair --dry-run --all edited.har
            Example: har repair --broken aside edited.har

            Prints a line for each repair: the file, the line and the column before the repair, what was done, the \
            kind, and the location in the new archive. Only the first three repairs of each kind are printed; --all \
            prints all. The last line gives the number of entries and the removed data. The exit status is 0 if the \
            file is now valid, and 1 otherwise.

            With --json, prints one object: repairs (kind, message, pointer, line, column, byteOffset), entries, \
            repairCount, removedBytes and invalidEntries.
            """)

    /// The treatment of invalid entries, as a command-line argument.
    enum BrokenEntries: String, CaseIterable, ExpressibleByArgument {
        case aside, drop
    }

    @Option(help: "Move invalid entries to a separate file (aside), or delete them (drop).")
    var broken: BrokenEntries?

    @Flag(help: "Print the repairs without changing the file.")
    var dryRun = false

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Print all repairs, in the order of the file.")
    var all = false

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
        let report = RepairOutput(of: file.name, isJSON: json, printsAll: all)
        let repair = try HARRepair(
            of: file.url, brokenEntries: treatment, changesFile: !dryRun, configuration: sizes.reader,
            progress: { progress.update($0) }, report: { report.add($0) })
        progress.clear()
        try report.finish(repair, outcome: outcome(of: repair, second: second))
    }

    private func outcome(of repair: HARRepair, second: URL) -> String {
        let entries = repair.entryCount.of("entry", "entries")
        guard repair.brokenEntryCount != nil || repair.removedByteCount != nil else { return "valid; \(entries)" }
        var text = "\(dryRun ? "can be repaired" : "repaired"); \(entries) kept"
        if let count = repair.removedByteCount { text += ", \(count.asBytes) removed" }
        if let count = repair.brokenEntryCount, count > 0 {
            let end = broken == .aside ? "moved to \(second.relativePath.printable)" : "dropped"
            text += ", \(count.of("invalid entry", "invalid entries")) \(end)"
        }
        if repair.repairCount > 0 { text += ", \(repair.repairCount.of("other repair", "other repairs"))" }
        return text
    }
}

/// Collects the repairs of an archive, and prints them when the repair is complete.
final class RepairOutput {
    /// The maximum number of repairs to print per kind.
    private static let printedCount = 3

    /// The maximum number of repairs to print with `--all` or `--json`, which limits memory use.
    private static let maximumCount = 100_000

    private let name: String
    private let isJSON: Bool
    private let printsAll: Bool
    private var notes: [RepairNote] = []
    private var counts: [RepairNote.Kind: Int] = [:]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - name: The name of the archive.
    ///   - isJSON: Whether the report is JSON.
    ///   - printsAll: Whether to print all repairs instead of the first few of each kind.
    init(of name: String, isJSON: Bool, printsAll: Bool) {
        self.name = name
        self.isJSON = isJSON
        self.printsAll = printsAll
    }

    /// Adds a repair.
    func add(_ note: RepairNote) {
        counts[note.kind, default: 0] += 1
        let limit = isJSON || printsAll ? Self.maximumCount : Self.printedCount
        let count = isJSON || printsAll ? notes.count : counts[note.kind, default: 0] - 1
        if count < limit { notes.append(note) }
    }

    /// Prints the repairs and the outcome.
    ///
    /// - Parameters:
    ///   - repair: The result of the repair.
    ///   - outcome: A description of the result.
    /// - Throws: `unwritableFile`.
    func finish(_ repair: HARRepair, outcome: String) throws {
        let output = StandardOutput()
        if isJSON { try printJSON(repair, to: output) } else { try printText(outcome, to: output) }
        try output.flush()
    }

    private func printJSON(_ repair: HARRepair, to output: StandardOutput) throws {
        var list = try JSONList(to: output, as: "repairs")
        for note in notes {
            try list.append([
                "kind": .text(note.kind.rawValue), "message": .text(note.message),
                "pointer": .text(note.pointer.description), "line": .integer(note.line),
                "column": .integer(note.column), "byteOffset": .integer(note.byteOffset),
            ])
        }
        try list.finish([
            "entries": .integer(repair.entryCount), "repairCount": .integer(repair.repairCount),
            "removedBytes": .integer(repair.removedByteCount ?? 0),
            "invalidEntries": .integer(repair.brokenEntryCount ?? 0),
        ])
    }

    private func printText(_ outcome: String, to output: StandardOutput) throws {
        for note in notes {
            let location = note.pointer.components.isEmpty ? "" : " at \(note.pointer)"
            let text = "\(name):\(note.line):\(note.column): \(note.message) [\(note.kind.rawValue)]\(location)"
            try output.line(text.printable)
        }
        for kind in RepairNote.Kind.allCases {
            let rest = counts[kind, default: 0] - notes.count { $0.kind == kind }
            guard rest > 0 else { continue }
            let repairs = rest.of("more repair", "more repairs")
            try output.line("\(name): \(repairs) [\(kind.rawValue)]\(printsAll ? "" : "; --all prints all")".printable)
        }
        try output.line("\(name.printable): \(outcome)")
    }
}
