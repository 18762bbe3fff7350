import ArchiveInspection
import ArchiveRepair
import ArgumentParser
import EntryConditions
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
            other text around an archive are removed. Entries without a log get one. UTF-16 becomes UTF-8, without a byte \
            order mark. An archive that was written as a JSON string is decoded. Compressed files can be truncated.
            - Entries inside other values, such as hits of a search, are extracted. Lines of a log between entries, and \
            missing and extra brackets at the end of an entry, are corrected.
            - Invalid JSON: extra and missing commas, unquoted names and words, other quotation marks, control characters, \
            unknown escape sequences, and numbers, words, joined strings and calls of JavaScript and Python.
            - Missing fields get a value that other fields imply, or one that means unknown. Values of the wrong type \
            are converted. A value that cannot be converted is kept in a custom field such as _originalStatus.

            Entries that need no repair are copied byte for byte. Without OUTPUT, the file itself is repaired: a file that \
            is only truncated in place, and any other by a new archive that replaces the file when it is complete. A \
            valid archive is unchanged.

            Some entries cannot be repaired, for example if a quotation mark is missing. Without --broken, such an entry \
            is an error that gives the entry index, the line and the column, and the file stays unchanged. With \
            --broken aside, its text is moved to FILE.broken.txt (or OUTPUT.broken.txt), a new file that only you can read. \
            With --broken drop, it is deleted.

            Example: har repair recorded.har
            Example: har repair --dry-run --all edited.har
            Example: har repair --broken aside edited.har
            Example: curl https://example.com/page.harp | har repair - page.har.gz

            Prints a line for each repair: the file, the line and the column before the repair, what was done, the \
            kind, and the location in the new archive. Lines in a decoded archive are counted in the decoded text. Only \
            the first three repairs of each kind are printed; --all prints all. The last line gives the number of entries and the \
            removed data. If OUTPUT is standard output, the lines are printed to standard error. The exit status is 0 if the archive is \
            now valid, and 1 otherwise. With --dry-run, it is 1 if the archive needs repairs.

            With --json, prints one object: repairs (kind, message, pointer, line, column, byteOffset), entries, \
            repairCount, removedBytes, invalidEntries and invalidFields.
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

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Argument(help: "The file to write; - for standard output. By default, the archive itself is repaired.")
    var output: Output?

    func validate() throws {
        if file.isStandardInput, output == nil, !dryRun {
            throw ValidationError(
                "expected an output, because standard input cannot be repaired in place; for example, har repair - "
                    + "repaired.har")
        }
        if dryRun, let output {
            throw ValidationError("--dry-run writes no file; omit '\(output.argument)'")
        }
        if output?.isStandardOutput == true, json || broken == .aside {
            throw ValidationError(
                "\(json ? "--json" : "--broken aside") needs a file as the output; for example, har repair "
                    + "\(file.argument) repaired.har")
        }
    }

    /// The file for invalid entries.
    private var asideFile: URL {
        URL(fileURLWithPath: (output?.argument ?? file.argument) + ".broken.txt")
    }

    func run() throws {
        let treatment: HARRepair.BrokenEntries =
            switch broken {
            case nil: .refused
            case .aside: .setAside(asideFile)
            case .drop: .dropped
            }
        let destination: HARRepair.Destination =
            if dryRun { .none } else if let output { .output(try output.file()) } else { .sameFile }
        let report = RepairOutput(of: self)
        let repair = try file.withFile { url, name throws(HARError) in
            let progress = ReadingProgress(of: url.fileSize)
            defer { progress.clear() }
            return try HARRepair(
                of: url, named: name, to: destination, brokenEntries: treatment, configuration: sizes.reader,
                progress: { progress.update($0) }, unreadBody: Output.warn(ofUnreadBody:), report: { report.add($0) })
        }
        try report.finish(repair, outcome: outcome(of: repair))
        if dryRun, Self.isNeeded(repair) { throw ExitCode.failure }
    }

    private static func isNeeded(_ repair: HARRepair) -> Bool {
        repair.brokenEntryCount != nil || repair.removedByteCount != nil
    }

    private func outcome(of repair: HARRepair) -> String {
        let entries = repair.entryCount.of("entry", "entries")
        guard Self.isNeeded(repair) else {
            return "valid, nothing to repair; \(entries)"
        }
        var text = "\(dryRun ? "can be repaired" : "repaired"); \(entries) kept"
        let removed = repair.removedByteCount ?? 0
        if removed > 0 { text += ", \(removed.asBytes) removed" }
        if let count = repair.brokenEntryCount, count > 0 {
            let fields = repair.brokenFieldCount
            let parts = [
                count > fields ? (count - fields).of("invalid entry", "invalid entries") : nil,
                fields > 0 ? fields.of("invalid field", "invalid fields") : nil,
            ]
            let end = broken == .aside ? "moved to \(asideFile.relativePath.printable)" : "dropped"
            text += ", \(parts.compactMap(\.self).joined(separator: " and ")) \(dryRun ? "to be " : "")\(end)"
        }
        switch repair.compressionDamage {
        case nil: break
        case .data: text += ", the compressed data is damaged or incomplete"
        case .checksum: text += ", the checksum of the compressed data is wrong, so the content can be damaged"
        }
        let isOnly = removed == 0 && repair.brokenEntryCount ?? 0 == 0
        let other = isOnly ? "" : "other "
        if repair.repairCount > 0 { text += ", \(repair.repairCount.of("\(other)repair", "\(other)repairs"))" }
        return text
    }
}

/// Collects the repairs of an archive, and prints them when the repair is complete.
final class RepairOutput {
    /// The maximum number of repairs to print per kind.
    private static let printedCount = 3

    /// The maximum number of repairs to print with `--all` or `--json`, which limits memory use.
    private static let maximumCount = 100_000

    private let command: RepairCommand
    private var notes: [RepairNote] = []
    private var counts: [RepairNote.Kind: Int] = [:]

    /// Creates the report of a command.
    init(of command: RepairCommand) { self.command = command }

    /// Adds a repair.
    func add(_ note: RepairNote) {
        counts[note.kind, default: 0] += 1
        let isNoted =
            command.json || command.all
            ? notes.count < Self.maximumCount : counts[note.kind, default: 0] <= Self.printedCount
        if isNoted { notes.append(note) }
    }

    /// Prints the repairs and the outcome.
    ///
    /// - Parameters:
    ///   - repair: The result of the repair.
    ///   - outcome: A description of the result.
    /// - Throws: `unwritableFile`.
    func finish(_ repair: HARRepair, outcome: String) throws {
        if command.output?.isStandardOutput == true {
            for line in lines(outcome) { StandardError.line(line.printable) }
            return
        }
        let output = StandardOutput()
        if command.json {
            try printJSON(repair, to: output)
        } else {
            for line in lines(outcome) { try output.line(line.printable) }
        }
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
            "entries": .integer(repair.entryCount),
            "repairCount": .integer(
                repair.repairCount + counts[.brokenText, default: 0] + counts[.incompleteEntry, default: 0]),
            "removedBytes": .integer(repair.removedByteCount ?? 0),
            "invalidEntries": .integer((repair.brokenEntryCount ?? 0) - repair.brokenFieldCount),
            "invalidFields": .integer(repair.brokenFieldCount),
        ])
    }

    private func lines(_ outcome: String) -> [String] {
        let name = command.file.name
        var lines = notes.map { note in
            let location = note.pointer.components.isEmpty ? "" : " at \(note.pointer)"
            return "\(name):\(note.line):\(note.column): \(note.message) [\(note.kind.rawValue)]\(location)"
        }
        for kind in RepairNote.Kind.allCases {
            let rest = counts[kind, default: 0] - notes.count { $0.kind == kind }
            guard rest > 0 else { continue }
            let repairs = rest.of("more repair", "more repairs")
            lines.append("\(name): \(repairs) [\(kind.rawValue)]\(command.all ? "" : "; --all prints all")")
        }
        return lines + ["\(name): \(outcome)"]
    }
}
