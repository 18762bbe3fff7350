import ArchiveInspection
import ArgumentParser
import Foundation
import HTTPArchive
import Synchronization

/// `har diff`: compares two archives.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two archives: entries, status, header fields and bodies.",
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

            The exit status is 0 if the archives are equal, 1 if they differ, and 2 for an error or if a body file \
            cannot be read.

            Example: har diff old.har new.har
            Example: har diff --ignore header:x-build --ignore 'json:/items/*/id' old.har new.har
            Example: har diff --status 200 --type json old.har - < new.har
            Example: har diff --matching old.har new.har
            """)

    @Argument(help: "The first archive; - for standard input.")
    var a: Input

    @Argument(help: "The second archive; - for standard input.")
    var b: Input

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

    @Option(
        help: ArgumentHelp(
            "The maximum number of differences of an entry in lines or JSON values; 20 by default, all with --json.",
            valueName: "number"))
    var limit: Int?

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if a.isStandardInput, b.isStandardInput {
            throw ValidationError("only one of the archives can be standard input")
        }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
        if matching, json { throw ValidationError("--matching cannot be used with --json") }
        if matching, limit != nil { throw ValidationError("--limit cannot be used with --matching") }
        if matching, all { throw ValidationError("--matching cannot be used with --all") }
    }

    func run() throws {
        try ExitCode.throwUnless { try areEqual() }
    }

    /// Prints the differences, and returns whether the archives are equal.
    private func areEqual() throws(HARError) -> Bool {
        let volatile = VolatileFields(usesDefaults: !all, ignoring: ignore)
        let (first, second) = (try archive(a), try archive(b))
        let pairs = try EntryPairs(of: first, and: second, without: volatile)
        if !conditions.isEmpty, pairs.isEmpty {
            StandardError.line("har: warning: no entry matches the conditions")
        }
        let output = StandardOutput()
        var report = try DiffReport(to: output, as: matching ? .matching : json ? .json : .text)
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
        try report.finish()
        try output.flush()
        return !report.hasDifferences
    }

    private func archive(_ input: Input) throws(HARError) -> ComparedArchive {
        let archive = try input.archive(sizes)
        let folder = sizes.folder(of: input)
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

/// Compares pairs of entries on all processors, and reports them in order.
struct ArchiveComparison: Sendable {
    /// The maximum number of pairs that are compared before the report of the first one.
    private static let countLimit = 1024

    /// The size of these pairs, in bytes, unless a single pair is larger.
    private static let sizeLimit = 8_000_000

    let first: ComparedArchive
    let second: ComparedArchive

    /// The fields to ignore.
    let volatile: VolatileFields

    /// The maximum number of differences of an entry in JSON values and lines of text; others are only counted.
    let limit: Int

    /// Whether to hide the progress bar.
    let isQuiet: Bool

    /// Compares pairs, and reports them and the other entries.
    ///
    /// - Parameters:
    ///   - steps: The pairs and entries, in the order of the report.
    ///   - report: The report.
    /// - Throws: An error if an entry or a body file cannot be read, or `unwritableFile`.
    func run(_ steps: [EntryPairs.Step], into report: inout DiffReport) throws(HARError) {
        let sizes = steps.map(size)
        let progress = ReadingProgress(of: sizes.reduce(0, +), isQuiet: isQuiet)
        defer { progress.clear() }
        let bytesRead = Atomic(0)
        let form = report.form
        let work = OrderedWork(on: steps, sizes: sizes, sizeLimit: Self.sizeLimit, countLimit: Self.countLimit) {
            step throws(HARError) -> (EntryDifference, [String])? in
            let difference = try difference(step)
            let read = bytesRead.add(size(of: step), ordering: .relaxed).newValue
            progress.update(read)
            return difference.map { ($0, form.lines(of: $0)) }
        }
        try work.run { step, result throws(HARError) in try add(step, result, to: &report) }
    }

    /// Returns the differences of a pair, or nil for an entry that only one archive has.
    ///
    /// Every entry is validated.
    private func difference(_ step: EntryPairs.Step) throws(HARError) -> EntryDifference? {
        switch step {
        case .pair(let pair):
            return try EntryComparison.difference(pair, of: first, and: second, ignoring: volatile, limit: limit)
        case .removed(let index): try EntryComparison.validate(index, of: first)
        case .added(let index): try EntryComparison.validate(index, of: second)
        }
        return nil
    }

    private func add(
        _ step: EntryPairs.Step, _ result: (EntryDifference, [String])?, to report: inout DiffReport
    ) throws(HARError) {
        switch step {
        case .pair(let pair):
            let (difference, lines) = result ?? (EntryDifference(), [])
            try report.add(pair, difference, lines: lines, entry: HAREntryFacts(of: second.archive, at: pair.second))
        case .removed(let index):
            try report.add(HAREntryFacts(of: first.archive, at: index), at: index, isAdded: false)
        case .added(let index):
            try report.add(HAREntryFacts(of: second.archive, at: index), at: index, isAdded: true)
        }
    }

    /// Returns the size of the entries to compare, in bytes.
    private func size(of step: EntryPairs.Step) -> Int {
        switch step {
        case .pair(let pair):
            first.archive.byteRange(at: pair.first).count + second.archive.byteRange(at: pair.second).count
        case .removed(let index): first.archive.byteRange(at: index).count
        case .added(let index): second.archive.byteRange(at: index).count
        }
    }
}
