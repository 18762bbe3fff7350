import ArgumentParser
import Foundation
import HTTPArchive

/// `har redact`: an archive without secrets.
struct RedactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Take the secrets out of an archive.",
        discussion: """
            In place of each secret stands REDACTED- and 16 digits, the same for the same secret, from which nobody finds \
            it: they are made with a key of yours, which is kept outside of the project or given as \
            RELAY_REDACTION_KEY. Secrets are the values of header fields, cookies, query items, form fields and JSON \
            members that are known for it, tokens and keys of known form, and what the options say.

            The output appears under its name when it is whole; it may be the input. Bodies in files beside the archive \
            are written beside the output, without secrets too, under names of their own: no file is replaced but the \
            output. Hidden files, symbolic links, and files outside the archive's folder are never read. What was found \
            is told on standard error.

            Example: har redact page.har safe.har
            Example: har redact --json-key birthDate --pattern 'emp-[0-9]+' page.har page.har
            """)

    @OptionGroup var options: RedactionOptions

    @OptionGroup var bodyFiles: BodyFileOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The file to write; - for standard output.")
    var output: Output

    func run() throws {
        let redactor = try HARRedactor(options.configuration(key: .user))
        let reader = try input.reader()
        let writer = try output.writer(isRedacted: true)
        var files = RedactedFiles(from: bodyFiles.folder(of: input), to: output.folder, redactor: redactor)
        var kinds: [String: Int] = [:]
        let progress = ReadingProgress(of: reader.byteCount)
        while let event = try reader.nextEvent() {
            var findings: [HARRedactor.Finding] = []
            var redacted = redactor.redacted(event, noting: &findings)
            if case .entry(let entry) = redacted { redacted = .entry(try files.copy(entry)) }
            try writer.write(redacted)
            for finding in findings { kinds["\(finding.kind)", default: 0] += 1 }
            progress.update(reader.bytesRead)
        }
        try writer.finish()
        progress.clear()
        report(kinds, files)
    }

    private func report(_ kinds: [String: Int], _ files: RedactedFiles) {
        let list = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
        let count = kinds.values.reduce(0, +).of("secret", "secrets")
        StandardError.line(list.isEmpty ? count : "\(count) (\(list.joined(separator: ", ")))")
        for (name, reason) in files.unread.sorted(by: { $0.key < $1.key }) {
            StandardError.line(
                "har: warning: \(name): This file of a body cannot be read. It is left as it is. \(reason)".printable)
        }
        for name in files.left.sorted() {
            StandardError.line(
                "har: warning: \(name): This file of a body has secrets; another one took its place, so delete it."
                    .printable)
        }
    }
}
