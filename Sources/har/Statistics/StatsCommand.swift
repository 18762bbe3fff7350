import ArgumentParser
import Foundation
import HTTPArchive

/// `har stats`: counts, sizes and times of entries in groups.
struct StatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show counts, sizes and times by host, type, status and path.",
        discussion: """
            Prints the totals, the percentiles of the times, the largest groups, and the slowest and largest entries of \
            all archives. In paths, {id} replaces numbers and identifiers. Of each property, the first 20,000 groups are \
            listed, and the rest is the group (other). Third parties are hosts in a different domain \
            than the first entry of the first archive. Errors are failed requests and statuses from 400. Cached \
            responses are those that Chromium took from its cache, and those with status 304, which confirm a cached copy.

            The figures come from the archive index, so entries are not validated; har check validates them. If an \
            archive cannot be read or is damaged, the figures cover the other archives and the entries before the \
            error, and the exit status is 1.

            Example: har stats page.har
            Example: har stats --by path --sort p95 --limit 20 *.har
            Example: har stats --by host --csv page.har > hosts.csv

            With --json, prints one object: files, entries, errors, fromCache, notModified, bytes, times (p50, p90, p95, \
            p99, max and total in milliseconds), firstStart, seconds, groups (host, type, status and path, or those \
            given with --by), slowest and largest. With --csv, prints the groups of one --by.
            """)

    @Argument(help: "The archives; - for standard input.")
    var files: [Input]

    @Option(help: "The property to group by: host, type, status, method, path, page or party. Repeat it for several.")
    var by: [Grouping] = []

    @Option(help: "The order of groups: count, bytes, errors or a time such as p95; count by default.")
    var sort: GroupOrder = .count

    @Option(
        help:
            "The maximum number of groups and entries in each list; 10 by default, and no limit with --json and --csv.")
    var limit: Int?

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Print the groups as CSV.")
    var csv = false

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if json, csv { throw ValidationError("--json cannot be used with --csv") }
        if csv, by.count != 1 { throw ValidationError("--csv requires one --by") }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
        try files.requireOneStandardInput()
    }

    func run() throws {
        let output = StandardOutput()
        var statistics = Statistics(by: by.isEmpty ? Grouping.standard : by, listed: limit ?? 10)
        var hasErrors = false
        for file in files {
            let count = statistics.all.count
            do throws(HARError) {
                let selection = SelectedEntries(of: file, sizes, filter: conditions.filter(in: sizes.folder(of: file)))
                try selection.forEach(validates: false) { entry, index throws(HARError) in
                    try statistics.add(entry, at: index, of: file.name)
                }
            } catch {
                StandardError.error(error)
                hasErrors = true
                guard statistics.all.count > count else { continue }
                StandardError.line("har: warning: \(file.name): the figures cover only the entries before the error")
            }
            statistics.fileCount += 1
        }
        guard statistics.fileCount > 0 else { throw ExitCode.failure }
        let report = StatisticsReport(statistics: statistics, sort: sort, limit: limit)
        if json {
            try output.write(json: report.json.data(layout: .pretty) + Data("\n".utf8))
        } else {
            for line in csv ? report.csv : report.lines { try output.line(line) }
        }
        try output.flush()
        if hasErrors { throw ExitCode.failure }
        if statistics.all.count == 0 { conditions.reportNoMatch() }
    }
}

/// The order of groups in `har stats`.
enum GroupOrder: String, CaseIterable, ExpressibleByArgument {
    case count
    case bytes
    case errors
    case p50
    case p90
    case p95
    case p99
    case max
    case total
}
