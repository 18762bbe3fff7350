import ArgumentParser
import Foundation
import HTTPArchive

/// `har redact`: replaces the secrets in an archive with placeholders.
struct RedactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Redact the secrets in an archive.",
        discussion: """
            Each secret is replaced with a placeholder: REDACTED- and 16 hexadecimal digits. Equal secrets get the \
            same placeholder, which does not reveal them. Placeholders are computed with a private key, which is \
            stored outside the project or taken from RELAY_REDACTION_KEY. Secrets are the values of well-known header \
            fields, cookies, query items, form fields and JSON members, tokens and keys in known formats, and the \
            values that the options specify.

            The output can be the same file as the input. Redacted body files are written to the output's folder \
            under new names, so the output is the only existing file that is replaced. If the archive is in a zip \
            file, the output contains the content of its body files. Hidden files, symbolic links and files outside \
            the archive's folder are never read. The number of secrets of each kind is printed to \
            standard error.

            Example: har redact page.har safe.har
            Example: har redact --json-key birthDate --pattern 'emp-[0-9]+' page.har page.har
            """)

    @OptionGroup var options: RedactionOptions

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The file to write; - for standard output.")
    var output: Output

    func run() throws {
        let redactor = try HARRedactor(options.configuration(key: .user))
        let reader = try input.reader(sizes)
        let writer = try output.writer(isRedacted: true)
        let folder = sizes.folder(of: input)
        var files = RedactedFiles(from: folder, to: output.folder, redactor: redactor)
        var kinds: [String: Int] = [:]
        var entryCount = 0
        let progress = ReadingProgress(of: reader.byteCount, isQuiet: output.mayBeTerminal)
        let embedsBodies = output.storesSeveralFiles
        while var event = try reader.nextEvent() {
            if case .entry(let entry) = event {
                let target = embedsBodies ? nil : folder.url
                if let copy = try entry.embeddingBodies(from: folder, unlessIn: target) { event = .entry(copy) }
            }
            var findings: [HARRedactor.Finding] = []
            var redacted = redactor.redacted(event, noting: &findings)
            if case .entry(let original) = event, case .entry(let entry) = redacted {
                redacted = .entry(try files.copy(original, entry, at: entryCount))
                entryCount += 1
            }
            try writer.write(redacted)
            for finding in findings { kinds["\(finding.kind)", default: 0] += 1 }
            progress.update(reader.bytesRead)
        }
        try writer.finish()
        progress.clear()
        report(kinds.merging(files.secretCounts, uniquingKeysWith: +), files)
        for (format, bodies) in files.unsearched.sorted(by: { $0.key < $1.key }) {
            let count = bodies.count.of("body", "bodies")
            StandardError.line(
                "har: warning: \(format): \(count) (first in entry \(bodies.entry)) cannot be searched for secrets; "
                    .printable + "review the content before you publish the archive")
        }
    }

    private func report(_ kinds: [String: Int], _ files: RedactedFiles) {
        let list = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
        let count = kinds.values.reduce(0, +).of("secret", "secrets")
        StandardError.line(list.isEmpty ? count : "\(count) (\(list.joined(separator: ", ")))")
        for (name, reason) in files.unread.sorted(by: { $0.key < $1.key }) {
            StandardError.line(
                "har: warning: \(name): body file not redacted: \(reason)".printable)
        }
        for name in files.left.sorted() {
            StandardError.line(
                "har: warning: \(name): the archive no longer uses this body file, which still contains secrets; "
                    .printable + "delete it")
        }
    }
}
