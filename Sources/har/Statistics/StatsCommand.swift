import ArchiveInspection
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

    @Flag(help: "With --csv, write an apostrophe before names that spreadsheets treat as formulas.")
    var csvSafe = false

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if json, csv { throw ValidationError("--json cannot be used with --csv") }
        if csvSafe, !csv { throw ValidationError("--csv-safe requires --csv") }
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
            for line in csv ? report.csv(avoidingFormulas: csvSafe) : report.lines { try output.line(line) }
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

/// The output of `har stats`.
struct StatisticsReport {
    let statistics: Statistics

    /// The order of groups.
    let sort: GroupOrder

    /// The maximum number of groups; nil for the default of the format.
    let limit: Int?

    /// A group with its percentiles.
    private struct Row {
        let name: String
        let values: Measurements
        let percentiles: Percentiles?

        func key(_ order: GroupOrder) -> Double {
            switch order {
            case .count: Double(values.count)
            case .bytes: Double(values.bytes)
            case .errors: Double(values.errorCount)
            case .p50, .p90, .p95, .p99, .max, .total: percentiles?[order.rawValue] ?? -1
            }
        }
    }

    private func rows(of values: [String: Measurements]) -> [Row] {
        values.map { Row(name: $0.key, values: $0.value, percentiles: $0.value.percentiles) }
            .sorted { ($1.key(sort), $0.name) < ($0.key(sort), $1.name) }
    }

    // MARK: Text

    /// The lines of text.
    var lines: [String] {
        let all = statistics.all
        let times = all.percentiles.map { percentiles in
            zip(Percentiles.names, percentiles.values.dropLast()).map { "\($0) \(($1 / 1000).asTime)" }
        }
        let facts: [(String, String?)] = [
            ("Files", statistics.fileCount > 1 ? String(statistics.fileCount) : nil),
            ("Entries", String(all.count)),
            ("Errors", all.errorCount == 0 ? "0" : "\(all.errorCount) (\(share(all.errorCount)))"),
            ("Cached", Self.cacheHits(of: all)),
            ("Bodies", all.bytes.asBytes),
            ("Started", statistics.span.map { HAR.text($0.lowerBound) }),
            ("Duration", statistics.span.map { $0.upperBound.timeIntervalSince($0.lowerBound).asTime }),
            ("Times", times?.joined(separator: ", ")),
        ]
        var lines = facts.compactMap { name, value in value.map { name.padded(to: 10) + $0 } }
        for (grouping, values) in statistics.groups { lines += table(of: grouping, values) }
        lines += list("Slowest entries", statistics.slowest) { ($0 / 1000).asTime }
        lines += list("Largest entries", statistics.largest) { $0.asBytes }
        return lines
    }

    private func share(_ count: Int) -> String {
        "\((Double(count) * 100 / Double(max(1, statistics.all.count))).rounded(to: 1)) %"
    }

    private func table(of grouping: Grouping, _ values: [String: Measurements]) -> [String] {
        let rows = rows(of: values)
        guard !rows.isEmpty else { return [] }
        let shown = rows.prefix(limit ?? 10)
        let longest = shown.map { $0.name.printable.columnCount }.max() ?? 0
        let times = Percentiles.names.filter { !["p90", "total"].contains($0) || $0 == sort.rawValue }
        var names = ["count", "errors", "bytes"] + times
        var cells = shown.map { row in
            [String(row.values.count), String(row.values.errorCount), row.values.bytes.asBytes]
                + times.compactMap { row.percentiles?[$0] }.map { ($0 / 1000).asTime }
        }
        var columns = Self.columns(of: names, cells, minimum: 9)
        var width = max(grouping.title.count - 2, longest)
        if let space = Terminal.width {
            columns = Self.columns(of: names, cells, minimum: 1)
            // A space separates the names from the numbers.
            columns[0] += 1
            // In a narrow terminal, the least informative columns are omitted to leave space for the names.
            while names.count > 3, space - Self.width(of: columns) < min(width, 20) + 2 {
                let optional = names.indices.dropFirst(3).filter { names[$0] != sort.rawValue }
                guard let column = optional.first(where: { names[$0] == "p99" }) ?? optional.dropLast().last else {
                    break
                }
                names.remove(at: column)
                columns.remove(at: column)
                for row in cells.indices where cells[row].count > column { cells[row].remove(at: column) }
            }
            width = max(grouping.title.count - 2, min(width, space - Self.width(of: columns) - 2))
        }
        func line(_ cells: [String]) -> String {
            zip(cells, columns).map { $0.aligned(right: $1) }.joined(separator: " ")
        }
        var lines = ["", grouping.title.padded(to: width + 2) + line(names)]
        for (row, cells) in zip(shown, cells) {
            lines.append("  \(row.name.printable.shortened(to: width).padded(to: width))" + line(cells))
        }
        if rows.count > shown.count { lines.append("  … and \(rows.count - shown.count) more; list them with --limit") }
        return lines
    }

    /// Returns the width of each column with numbers.
    private static func columns(of names: [String], _ rows: [[String]], minimum: Int) -> [Int] {
        names.indices.map { column in
            rows.reduce(max(minimum, names[column].count)) { width, row in
                max(width, row.indices.contains(column) ? row[column].columnCount : 0)
            }
        }
    }

    private static func width(of columns: [Int]) -> Int { columns.reduce(0) { $0 + $1 + 1 } - 1 }

    /// Returns the numbers of responses from a cache, or nil if no response came from a cache.
    private static func cacheHits(of values: Measurements) -> String? {
        let parts = [
            (values.fromCacheCount, "from the browser's cache"), (values.notModifiedCount, "confirmed with status 304"),
        ]
        let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return text.isEmpty ? nil : text
    }

    private func list<Value>(_ title: String, _ largest: Largest<Value>, _ text: (Value) -> String) -> [String] {
        guard !largest.items.isEmpty else { return [] }
        return ["", title]
            + largest.items.map { item in
                let file = statistics.fileCount > 1 ? "\(item.file.printable) " : ""
                let start = "  \(text(item.value).aligned(right: 9))  \(file)\(item.index) \(item.method.printable) "
                let url = item.url.printable
                return start + (Terminal.width.map { url.shortened(to: max(20, $0 - start.columnCount)) } ?? url)
            }
    }

    // MARK: CSV

    /// Returns the lines of a CSV table (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180) with the first group.
    func csv(avoidingFormulas: Bool) -> [String] {
        guard let (grouping, values) = statistics.groups.first else { return [] }
        let heading =
            [grouping.rawValue, "count", "errors", "from_cache", "not_modified", "bytes"]
            + Percentiles.names.map { "\($0)_ms" }
        return [heading.joined(separator: ",")]
            + rows(of: values).prefix(limit ?? .max).map { row in
                let values = row.values
                let numbers = [
                    values.count, values.errorCount, values.fromCacheCount, values.notModifiedCount, values.bytes,
                ]
                let times = Percentiles.names.map { name in
                    row.percentiles?[name].map { "\(Self.decimal($0))" } ?? ""
                }
                let name = avoidingFormulas ? row.name.withoutFormula : row.name
                return ([Self.quoted(name)] + numbers.map(String.init) + times).joined(separator: ",")
            }
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && !text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return isPlain ? text : "\"\(text.replacing("\"", with: "\"\""))\""
    }

    /// Returns a time with at most three fraction digits, because clocks are not more precise.
    private static func decimal(_ time: Double) -> Double { time < 1e12 ? (time * 1000).rounded() / 1000 : time }

    // MARK: JSON

    /// The object of `--json`.
    var json: JSONValue {
        let all = statistics.all
        var groups: JSONObject = [:]
        for (grouping, values) in statistics.groups {
            groups[grouping.rawValue] = .array(
                rows(of: values).prefix(limit ?? .max).map { row in
                    var object: JSONObject = ["name": .text(row.name)]
                    for (key, value) in Self.numbers(of: row.values, row.percentiles) { object[key] = value }
                    return .object(object)
                })
        }
        var object: JSONObject = ["files": .integer(statistics.fileCount)]
        for (key, value) in Self.numbers(of: all, all.percentiles) { object[key == "count" ? "entries" : key] = value }
        object["firstStart"] = .text(statistics.span.map { HAR.text($0.lowerBound) })
        object["seconds"] = .seconds(statistics.span.map { $0.upperBound.timeIntervalSince($0.lowerBound) })
        object["groups"] = .object(groups)
        object["slowest"] = .array(
            statistics.slowest.items.map { Self.json($0, "time", .double(Self.decimal($0.value))) })
        object["largest"] = .array(statistics.largest.items.map { Self.json($0, "size", .integer($0.value)) })
        return .object(object)
    }

    private static func numbers(of values: Measurements, _ percentiles: Percentiles?) -> [(String, JSONValue)] {
        var times: JSONValue = .null
        if let percentiles {
            var object: JSONObject = [:]
            for (name, value) in zip(Percentiles.names, percentiles.values) { object[name] = .double(decimal(value)) }
            times = .object(object)
        }
        return [
            ("count", .integer(values.count)), ("errors", .integer(values.errorCount)),
            ("fromCache", .integer(values.fromCacheCount)), ("notModified", .integer(values.notModifiedCount)),
            ("bytes", .integer(values.bytes)), ("times", times),
        ]
    }

    private static func json<Value>(_ item: Largest<Value>.Item, _ key: String, _ value: JSONValue) -> JSONValue {
        var object: JSONObject = [
            "file": .text(item.file), "index": .integer(item.index), "method": .text(item.method),
            "url": .text(item.url),
        ]
        object[key] = value
        return .object(object)
    }
}
