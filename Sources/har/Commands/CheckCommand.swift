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

            Example: har check *.har

            With --json, one object: findings (file, severity, rule, message, pointer, byteOffset), unreadable (file, \
            message), files, errors, warnings and notes.
            """)

    @Argument(help: "The archives; - for standard input.")
    var files: [Input]

    @Flag(help: "Write JSON, for machines.")
    var json = false

    func run() throws {
        var report = try CheckReport(of: files.count, isJSON: json)
        for file in files { try check(file, into: &report) }
        try report.finish()
        if report.hasErrors { throw ExitCode.failure }
    }

    private func check(_ file: Input, into report: inout CheckReport) throws {
        do {
            let reader = try file.reader()
            let progress = ReadingProgress(of: reader.byteCount)
            report.output.progress = progress
            defer { progress.clear() }
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
}
