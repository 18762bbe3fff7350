import ArchiveChecking
import ArchiveInspection
import ArgumentParser
import Foundation
import HTTPArchive

/// `har diff`: compares two archives.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two archives: entries, status, header fields and bodies.",
        usage: "har diff <a> <b> [<options>]",
        discussion: """
            Entries are paired by method, URL and request body, regardless of their order. Entries with equal requests \
            are paired in order, or by their responses if one archive has more of them. Prints a line for each entry \
            that only B has (+) or only A has (-), and for each pair that differs (~) with its differences below it. JSON bodies are compared by JSON pointer, other text by \
            line, and binary bodies by size and digest. Secrets are masked. With --json, prints one object with the \
            lists added, removed, changed and ignored, and complete values.

            Timings, addresses and formatting are not compared. Fields that differ in every recording are ignored and \
            listed at the end: dates, cookies, credentials that both requests have, cache validators such as ETag, \
            fields that describe the client, its connection or the page, such as User-Agent, Origin and Referer, \
            identifiers of requests, and query items and JSON members such as ts or nonce if both values are times, \
            random numbers or tokens. The order of header fields or query items with the same name and the status text \
            are ignored, too. --ignore adds fields, --all compares all of these.

            Conditions select a pair if either of its entries matches.

            With --markdown, prints a summary for a pull request: added, removed and changed entries, and the secrets \
            that B contains. Text from archives is in code spans, and the summary has at most 60,000 bytes.

            The exit status is 0 if the archives are equal, 1 if they differ, and 2 for an error or if a body file \
            cannot be read.

            Git can call this command to show changes, with its own arguments, in the variable GIT_EXTERNAL_DIFF or in \
            the setting diff.NAME.command. The exit status is then 0.

            Example: har diff old.har new.har
            Example: har diff --ignore header:x-build --ignore 'json:/items/*/id' old.har new.har
            Example: har diff --status 200 --type json old.har - < new.har
            Example: har diff --matching old.har new.har
            Example: har diff --markdown old.har new.har
            Example: GIT_EXTERNAL_DIFF='har diff' git diff '*.har'
            """)

    @Argument(help: "The first archive; - for standard input.")
    var a: Input

    @Argument(help: "The second archive; - for standard input.")
    var b: Input?

    @Argument(help: ArgumentHelp("The other arguments of an external diff program of Git.", visibility: .hidden))
    var gitArguments: [Input] = []

    @Flag(help: "Compare volatile fields too.")
    var all = false

    @Option(
        help: ArgumentHelp(
            "A field to ignore: header:NAME, query:NAME, form:NAME or json:/POINTER with * for any name or index.",
            valueName: "field"))
    var ignore: [IgnoredField] = []

    @Flag(help: "Print the matching in Swift that ignores the volatile fields of requests.")
    var matching = false

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Print a summary in Markdown instead of text.")
    var markdown = false

    @Option(
        help: ArgumentHelp(
            "The maximum number of differences of an entry in lines or JSON values; 20 by default, 5 with --markdown, all with --json.",
            valueName: "number"))
    var limit: Int?

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if gitComparison == nil {
            guard let b else { throw ValidationError("Missing expected argument '<b>'") }
            if let extra = gitArguments.first {
                throw ValidationError("expected two archives, found another argument '\(extra.argument.printable)'")
            }
            if a.isStandardInput, b.isStandardInput {
                throw ValidationError("only one of the archives can be standard input")
            }
        }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
        if [json, matching, markdown].count(where: \.self) > 1 {
            throw ValidationError("expected one of --json, --markdown and --matching, found several")
        }
        if matching, limit != nil { throw ValidationError("--limit cannot be used with --matching") }
        if matching, all { throw ValidationError("--matching cannot be used with --all") }
    }

    func run() throws {
        if let gitComparison { return try show(gitComparison) }
        guard let b else { return }
        try ExitCode.throwUnless {
            let folders = (sizes.folder(of: a), sizes.folder(of: b))
            if markdown { try b.makeSeekable() }
            return try areEqual((a, folders.0), (b, folders.1), title: b.name, to: StandardOutput())
        }
    }

    private var gitComparison: GitComparison? { GitComparison(arguments: [a] + (b.map { [$0] } ?? []) + gitArguments) }

    /// Prints the differences between two versions of a file that Git compares.
    private func show(_ comparison: GitComparison) throws(HARError) {
        let output = StandardOutput(hasColors: GitComparison.hasColors)
        if form == .text { for line in comparison.heading { try output.line(line, color: "1") } }
        if let versions = comparison.versions {
            do throws(HARError) {
                let archives = (try comparison.archive(versions.old), try comparison.archive(versions.new))
                let folder = comparison.folder.limited(by: sizes.reader)
                _ = try areEqual(
                    (archives.0, folder), (archives.1, folder), title: comparison.path, to: output)
            } catch {
                if error.code == .unwritableFile { throw error }
                // With another exit status, Git would not show the other files.
                let path = comparison.path
                let reason = "\(error); to compare its lines, use: git diff --no-ext-diff -- \(ShellText.quoted(path))"
                try output.line(
                    markdown
                        ? "\(MarkdownText.code(path)) cannot be compared: \(MarkdownText.code("\(error)"))\n"
                        : "\(path) cannot be compared: \(reason)".printable)
            }
        }
        try output.flush()
    }

    private var form: DiffReport.Form { matching ? .matching : json ? .json : markdown ? .markdown : .text }

    /// Prints the differences, and returns whether the archives are equal.
    private func areEqual(
        _ a: (input: Input, folder: HAR.BodyFolder), _ b: (input: Input, folder: HAR.BodyFolder), title: String,
        to output: StandardOutput
    ) throws(HARError) -> Bool {
        let volatile = VolatileFields(usesDefaults: !all, ignoring: ignore)
        let (first, second) = (try archive(a.input, a.folder), try archive(b.input, b.folder))
        let pairs = try EntryPairs(of: first, and: second, without: volatile)
        if !conditions.isEmpty, pairs.isEmpty {
            StandardError.line("har: warning: no entry matches the conditions")
        }
        var report = try DiffReport(to: output, as: form)
        let comparison = ArchiveComparison(
            first: first, second: second, volatile: volatile, limit: limit ?? report.form.defaultLimit,
            isQuiet: output.isTerminal)
        if json {
            try comparison.run(pairs.added.map(EntryPairs.Step.added), into: &report)
            try report.begin("removed")
            try comparison.run(pairs.removed.map(EntryPairs.Step.removed), into: &report)
            try report.begin("changed")
            try comparison.run(pairs.pairs.map(EntryPairs.Step.pair), into: &report)
        } else {
            try comparison.run(pairs.steps, into: &report)
        }
        if markdown { try addSecrets(of: b.input, b.folder, to: &report) }
        try report.finish(title: title)
        try output.flush()
        return !report.hasDifferences
    }

    private func addSecrets(
        of input: Input, _ folder: HAR.BodyFolder, to report: inout DiffReport
    ) throws(HARError) {
        // No placeholder is written, so the user's key is not needed.
        var configuration = HARRedactor.Configuration()
        configuration.key = .random()
        let redactor = try HARRedactor(configuration)
        let reader = try input.reader(sizes)
        var entryCount = 0
        while let event = try reader.nextEvent() {
            var location = JSONPointer(["log"])
            switch event {
            case .entry, .unexpectedValue:
                location = location.appending("entries").appending(entryCount)
                entryCount += 1
            default: break
            }
            for finding in redactor.findings(in: event, at: location, reader.eventOffset, bodiesIn: folder) {
                report.add(finding)
            }
            if let failure = redactor.failure { throw failure }
        }
    }

    private func archive(_ input: Input, _ folder: HAR.BodyFolder) throws(HARError) -> ComparedArchive {
        let archive = try input.archive(sizes)
        let selected = try conditions.filter(in: folder).map { filter throws(HARError) in
            // The comparison validates only selected entries.
            try archive.validate()
            return Set(try archive.indices(selectedBy: filter))
        }
        return ComparedArchive(archive, selected: selected, bodiesIn: folder)
    }
}

extension IgnoredField: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.list(["header:", "query:", "form:", "json:/"])
}
