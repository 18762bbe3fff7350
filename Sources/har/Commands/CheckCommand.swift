import ArgumentParser
import Foundation
import HTTPArchive

/// `har check`: what is wrong with archives.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check archives against the specification of HAR 1.2.",
        discussion: """
            Each finding is a line: file, severity (error, warning or note), what is there and what should be, the rule, \
            and the place in the file. The exit status is 1 when there is an error, and when a file cannot be read; the \
            others are checked all the same.

            With --secrets, only secrets are looked for, in files of bodies beside the archives too: each is an error that             names its kind, its name and its place, and never its value. This is for a hook before commits.

            Example: har check *.har
            Example: har check --secrets $(git diff --cached --name-only --diff-filter=d -- '*.har')

            With --json, one object: findings (file, severity, rule, message, pointer, byteOffset), unreadable (file, \
            message), files, errors, warnings and notes.
            """)

    @Argument(help: "The archives; - for standard input.")
    var files: [Input]

    @Flag(help: "Write JSON, for machines.")
    var json = false

    @Flag(help: "Look for secrets, and for nothing else.")
    var secrets = false

    @OptionGroup(title: "What is a secret, with --secrets")
    var options: RedactionOptions

    @OptionGroup var bodyFiles: BodyFileOptions

    func run() throws {
        // No placeholder is written, so that no key of the user's is needed.
        let redactor = secrets ? try HARRedactor(options.configuration(key: .random())) : nil
        var report = try CheckReport(of: files.count, isJSON: json)
        for file in files { try check(file, redactor, into: &report) }
        try report.finish()
        if report.hasErrors { throw ExitCode.failure }
    }

    private func check(_ file: Input, _ redactor: HARRedactor?, into report: inout CheckReport) throws {
        do {
            let reader = try file.reader()
            let progress = ReadingProgress(of: reader.byteCount)
            report.output.progress = progress
            defer { progress.clear() }
            if let redactor { return try check(file, reader, redactor, into: &report) }
            var checker = HARChecker()
            var isAtStart = true
            while let event = try reader.nextEvent() {
                var findings = checker.check(event, at: reader.eventOffset)
                if isAtStart, reader.hasByteOrderMark { findings.insert(.byteOrderMark, at: 0) }
                isAtStart = false
                for finding in findings { try report.add(finding, of: file.name) }
                progress.update(reader.bytesRead)
            }
            for finding in checker.finish() { try report.add(finding, of: file.name) }
        } catch let error as HARError {
            try report.add(error, of: file.name)
        }
    }

    private func check(
        _ file: Input, _ reader: HARReader, _ redactor: HARRedactor, into report: inout CheckReport
    ) throws {
        let log = JSONPointer(["log"])
        let folder = bodyFiles.folder(of: file)
        var isInLog = false
        var entryCount = 0
        while let event = try reader.nextEvent() {
            var place = isInLog ? log : JSONPointer()
            switch event {
            case .beginLog: isInLog = true
            case .endLog: isInLog = false
            case .entry, .unexpectedValue:
                place = log.appending("entries").appending(entryCount)
                entryCount += 1
            default: break
            }
            let findings = redactor.findings(in: event, at: place, reader.eventOffset, bodiesIn: folder)
            for finding in findings { try report.add(finding, of: file.name) }
            report.output.progress?.update(reader.bytesRead)
        }
    }
}
