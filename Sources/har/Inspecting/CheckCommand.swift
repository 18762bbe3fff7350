import ArchiveChecking
import ArchiveInspection
import ArgumentParser
import Foundation
import HTTPArchive

/// `har check`: reports errors in archives.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check archives against the specification of HAR 1.2.",
        discussion: """
            Prints a line for each finding: the file, the severity (error, warning or note), the message, the rule \
            and the location. Body files that are missing are reported, too. Findings are grouped by rule, errors first. Only the first three findings of each rule \
            are printed, followed by the number of further findings; --all prints all findings in the order of the \
            file. The exit status is 1 if there is an error or a file cannot be read; the other files are still checked.

            With --secrets, reports only secrets, including those in body files. Each one is reported as an \
            error with the secret's kind, name and location, but without its value. This is useful in a pre-commit hook.

            Example: har check *.har
            Example: git diff --cached --name-only --diff-filter=d -z -- '*.har' | xargs -0r har check --secrets

            With --json, prints one object: findings (file, severity, rule, message, pointer, byteOffset), unreadable \
            (file, message), files, errors, warnings and notes.
            """)

    @Argument(help: "The archives; - for standard input.")
    var files: [Input]

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Print all findings, in the order of the file.")
    var all = false

    @Flag(help: "Report secrets only.")
    var secrets = false

    @OptionGroup(title: "Options for --secrets")
    var options: RedactionOptions

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if !secrets, options.isSet { throw ValidationError("the options for --secrets require --secrets") }
        try files.requireOneStandardInput()
    }

    func run() throws {
        // No placeholder is written, so the user's key is not needed.
        let redactor = secrets ? try HARRedactor(options.configuration(key: .random())) : nil
        var report = try CheckReport(of: files.count, isJSON: json, printsAll: all)
        for file in files {
            try check(file, redactor, into: &report)
            try report.finish(file.name)
        }
        try report.finish()
        if report.hasErrors { throw ExitCode.failure }
    }

    private func check(_ file: Input, _ redactor: HARRedactor?, into report: inout CheckReport) throws {
        do {
            let reader = try file.reader(sizes)
            // Missing entries are a finding.
            reader.requiresEntries = redactor != nil
            let progress = ReadingProgress(of: reader.byteCount)
            report.output.progress = progress
            defer { progress.clear() }
            let folder = sizes.folder(of: file)
            if let redactor {
                var search = SecretSearch(redactor, bodiesIn: folder)
                while let event = try reader.nextEvent() {
                    for finding in try search.findings(in: event, at: reader.eventOffset) {
                        try report.add(finding, of: file.name)
                    }
                    progress.update(reader.bytesRead)
                }
            } else {
                try check(reader, progress, bodiesIn: folder) { try report.add($0, of: file.name) }
            }
        } catch let error as HARError {
            try report.add(error, of: file.name)
        }
    }

    /// Checks an archive against the specification.
    private func check(
        _ reader: HARReader, _ progress: ReadingProgress, bodiesIn folder: HAR.BodyFolder,
        report: (HARFinding) throws -> Void
    ) throws {
        var checker = EntryChecker(bodiesIn: folder)
        var isAtStart = true
        do {
            while let event = try reader.nextEvent() {
                if isAtStart, reader.hasByteOrderMark { try report(.byteOrderMark) }
                isAtStart = false
                try checker.take(event, at: reader.eventOffset).forEach(report)
                progress.update(reader.bytesRead)
            }
        } catch {
            // The entries before an error are valid.
            try checker.checkPending().forEach(report)
            throw error
        }
        try checker.finish().forEach(report)
    }
}

/// Searches the events of an archive for secrets.
private struct SecretSearch {
    private static let log = JSONPointer(["log"])

    private let redactor: HARRedactor
    private let folder: HAR.BodyFolder
    private var isInLog = false
    private var entryCount = 0

    init(_ redactor: HARRedactor, bodiesIn folder: HAR.BodyFolder) {
        self.redactor = redactor
        self.folder = folder
    }

    /// Searches the next event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - byteOffset: The offset of the event in the file, in bytes.
    /// - Returns: The findings.
    /// - Throws: An error if the redactor failed.
    mutating func findings(in event: HAREvent, at byteOffset: Int?) throws(HARError) -> [HARFinding] {
        var location = isInLog ? Self.log : JSONPointer()
        switch event {
        case .beginLog: isInLog = true
        case .endLog: isInLog = false
        case .entry, .unexpectedValue:
            location = Self.log.appending("entries").appending(entryCount)
            entryCount += 1
        default: break
        }
        let findings = redactor.findings(in: event, at: location, byteOffset, bodiesIn: folder)
        if let failure = redactor.failure { throw failure }
        return findings
    }
}

/// Checks the events of an archive, several entries at the same time, while the next entries are read.
private struct EntryChecker {
    /// The number and the total size in bytes of the entries that are checked at the same time.
    private static let countLimit = 1024
    private static let sizeLimit = 1 << 20

    private let folder: HAR.BodyFolder
    private var checker = HARChecker()

    /// The entries whose check has not begun, and their total size in bytes.
    private var pending: [(entry: HAR.Entry, byteOffset: Int?)] = []
    private var pendingSize = 0

    /// The check of the entries before them, unless it has been finished.
    private var running: HARChecker.EntryCheck?

    init(bodiesIn folder: HAR.BodyFolder) { self.folder = folder }

    /// Takes the next event.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - byteOffset: The offset of the event in the file, in bytes.
    /// - Returns: Findings in this event or in earlier ones, in the order of the file.
    mutating func take(_ event: HAREvent, at byteOffset: Int?) -> [HARFinding] {
        if case .entry(let entry) = event {
            pending.append((entry, byteOffset))
            pendingSize += entry.fields.node?.source.bytes.count ?? 0
            return pending.count < Self.countLimit && pendingSize < Self.sizeLimit ? [] : beginCheck()
        }
        return checkPending() + checker.check(event, at: byteOffset)
    }

    /// Begins to check the pending entries, and returns the findings in the entries before them.
    private mutating func beginCheck() -> [HARFinding] {
        let previous = running
        running = checker.begin(entries: pending, after: previous, bodiesIn: folder)
        pending = []
        pendingSize = 0
        return previous.map { checker.finish($0) } ?? []
    }

    /// Checks the pending entries, and returns the findings in all entries that have not been reported.
    mutating func checkPending() -> [HARFinding] {
        let findings = pending.isEmpty ? [] : beginCheck()
        defer { running = nil }
        return findings + (running.map { checker.finish($0) } ?? [])
    }

    /// Checks the pending entries and the whole archive, and returns the findings.
    mutating func finish() -> [HARFinding] { checkPending() + checker.finish() }
}

/// Writes and counts findings.
struct CheckReport {
    let output = StandardOutput()

    /// The maximum number of findings to print per rule and file.
    private static let printedCount = 3

    /// The findings of a rule in one file.
    private struct Group {
        let rule: HARFinding.Rule
        var first: [HARFinding] = []
        var count = 0
    }

    private let printsAll: Bool
    private var list: JSONList?

    /// The findings in the current file, by severity.
    private var groups: [HARFinding.Severity: [Group]] = [:]
    private var unreadable: [JSONValue] = []
    private let fileCount: Int
    private var counts: [HARFinding.Severity: Int] = [:]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - fileCount: The number of files to check.
    ///   - isJSON: Whether the report is JSON.
    ///   - printsAll: Whether to print all findings immediately, instead of the first few of each rule.
    /// - Throws: `unwritableFile`.
    init(of fileCount: Int, isJSON: Bool, printsAll: Bool) throws {
        self.fileCount = fileCount
        self.printsAll = printsAll
        list = isJSON ? try JSONList(to: output, as: "findings") : nil
    }

    /// Whether the exit status is 1.
    var hasErrors: Bool { !unreadable.isEmpty || count(.error) > 0 }

    /// Counts a finding, and writes or collects it.
    mutating func add(_ finding: HARFinding, of file: String) throws {
        counts[finding.severity, default: 0] += 1
        guard list != nil else { return try printsAll ? print(finding, of: file) : collect(finding) }
        try list?.append([
            "file": .text(file), "severity": .text(finding.severity.rawValue),
            "rule": .text(finding.rule.description), "message": .text(finding.message),
            "pointer": .text(finding.pointer.description), "byteOffset": .integer(finding.byteOffset),
        ])
    }

    private mutating func collect(_ finding: HARFinding) {
        var groups = groups[finding.severity, default: []]
        let index = groups.firstIndex { $0.rule == finding.rule } ?? groups.endIndex
        if index == groups.endIndex { groups.append(Group(rule: finding.rule)) }
        groups[index].count += 1
        if groups[index].first.count < Self.printedCount { groups[index].first.append(finding) }
        self.groups[finding.severity] = groups
    }

    private func print(_ finding: HARFinding, of file: String) throws {
        let location = finding.pointer.components.isEmpty ? "" : " at \(finding.pointer)"
        let offset = finding.byteOffset.map { " (byte \($0))" } ?? ""
        let text = "\(finding.severity.rawValue): \(finding.message) [\(finding.rule)]\(location)\(offset)"
        try output.line("\(file): \(text)".printable)
    }

    /// Writes the collected findings of a file.
    mutating func finish(_ file: String) throws {
        for severity in [HARFinding.Severity.error, .warning, .note] {
            for group in groups[severity, default: []] {
                for finding in group.first { try print(finding, of: file) }
                let rest = group.count - group.first.count
                guard rest > 0 else { continue }
                let findings = rest.of("more finding", "more findings")
                try output.line(
                    "\(file): \(severity.rawValue): \(findings) [\(group.rule)]; --all prints all".printable)
            }
        }
        groups = [:]
    }

    /// Adds the error for a file that is unreadable or truncated.
    mutating func add(_ error: HARError, of file: String) throws {
        unreadable.append(["file": .text(file), "message": .text(error.description)])
        try output.flush()
        StandardError.error(error)
    }

    /// Writes the counts.
    func finish() throws {
        if let list {
            try list.finish([
                "unreadable": .array(unreadable), "files": .integer(fileCount),
                "errors": .integer(count(.error)), "warnings": .integer(count(.warning)),
                "notes": .integer(count(.note)),
            ])
        } else {
            let numbers = [
                count(.error).of("error", "errors"), count(.warning).of("warning", "warnings"),
                count(.note).of("note", "notes"),
            ]
            let missing = unreadable.isEmpty ? "" : " (\(unreadable.count) unreadable)"
            try output.line("\(fileCount.of("file", "files"))\(missing): \(numbers.joined(separator: ", "))")
        }
        try output.flush()
    }

    private func count(_ severity: HARFinding.Severity) -> Int { counts[severity, default: 0] }
}
