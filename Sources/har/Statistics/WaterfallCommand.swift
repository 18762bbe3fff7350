import ArgumentParser
import Foundation
import HTTPArchive

/// `har waterfall`: shows when requests ran, as bars.
struct WaterfallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waterfall",
        abstract: "Show the requests of each page as bars on a time axis.",
        discussion: """
            Each page has its own time axis, which begins with its first request and ends with its last response or \
            event. Letters and, on a terminal, colors show the phases: b blocked, d DNS, c connecting, t TLS, s sending, \
            w waiting for the response, r receiving. A dot is a time without a known phase. Vertical lines mark the events \
            of the page: dotted for DOMContentLoaded, solid for load. Their times count from the start of the page. After \
            the bar, a dash is an unknown time. Labels are paths. The host is added if it differs from the host of the \
            page's first request. Requests without a start time are not shown; a warning shows their number. If the archive is damaged, \
            the entries before the error are shown, and the exit status is 1.

            Example: har waterfall page.har
            Example: har waterfall --type js,css --width 160 page.har
            """)

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Option(help: "The width of the output in columns; the width of the terminal by default, or 120.")
    var width: Int?

    @Option(help: "The maximum number of requests of each page.")
    var limit: Int?

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if let width, !(60...10_000 ~= width) { throw ValidationError("--width must be from 60 to 10000") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() throws {
        let archive = try file.archive(sizes, allowsDamage: true)
        let selection = SelectedEntries(of: file, sizes, filter: conditions.filter(in: sizes.folder(of: file)))
        let (indices, damage) = try selection.indices(in: archive)
        let output = StandardOutput()
        let width = width ?? max(60, Terminal.width ?? 120)
        let pages = WaterfallPage.pages(of: archive, indices)
        for (position, page) in pages.enumerated() {
            if position > 0 { try output.line() }
            try page.write(to: output, archive, width: width, limit: limit ?? .max)
        }
        try output.flush()
        if let damage { throw damage }
        let missing = indices.count - pages.reduce(0) { $0 + $1.entryCount }
        if pages.isEmpty {
            StandardError.line("har: warning: no entry has a start time and matches the conditions")
        } else if missing > 0 {
            let entries = missing.of("entry without a start time is", "entries without a start time are")
            StandardError.line("har: warning: \(entries) not shown")
        }
    }
}

/// The entries of a page, with a common time axis.
struct WaterfallPage {
    private struct Row {
        let index: Int
        let start: Double

        /// The duration in milliseconds, or nil if it is unknown.
        let time: Double?
    }

    private let title: String
    private let origin: Double
    private let duration: Double
    private let rows: [Row]

    /// An event of the page.
    private struct Event {
        /// The character that marks the event.
        let mark: Character

        let name: String

        /// The time from the start of the page, in milliseconds.
        let time: Double

        /// The time from the start of the axis, in milliseconds.
        let position: Double
    }

    private let events: [Event]

    /// The number of entries.
    var entryCount: Int { rows.count }

    /// The minimum width of the column before the bars, and the width of the column after them.
    private static let minimumLabelWidth = 38
    private static let timeWidth = 10

    /// The minimum width of the bars.
    private static let minimumBarWidth = 10

    /// Returns the pages of an archive, in order; entries without a page are last.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - indices: The indices of the entries to include. Entries without a start time are left out.
    /// - Returns: The pages that have entries.
    static func pages(of archive: HARArchive, _ indices: [Int]) -> [WaterfallPage] {
        var rows: [String: [Row]] = [:]
        for index in indices {
            let facts = HAREntryFacts(of: archive, at: index)
            guard let start = facts.startedDate?.timeIntervalSince1970 else { continue }
            let row = Row(index: index, start: start * 1000, time: EntryPhases.duration(facts.time))
            rows[facts.pageref ?? "", default: []].append(row)
        }
        let pages = archive.log.pages ?? []
        var known = Set<String>()
        var result = pages.compactMap { page -> WaterfallPage? in
            guard known.insert(page.id).inserted, let rows = rows[page.id] else { return nil }
            let title = page.title.isEmpty ? page.id : page.title
            return WaterfallPage(title, rows, started: page.startedDateTime, timings: page.pageTimings)
        }
        for (id, rows) in rows.sorted(by: { $0.key < $1.key }) where !known.contains(id) {
            result.append(WaterfallPage(id.isEmpty ? "No page" : id, rows, started: "", timings: nil))
        }
        return result
    }

    private init(_ title: String, _ rows: [Row], started: String, timings: HAR.PageTimings?) {
        self.title = title
        self.rows = rows.sorted { ($0.start, $0.index) < ($1.start, $1.index) }
        let origin = self.rows.first?.start ?? 0
        self.origin = origin
        let end = (rows.map { $0.start + ($0.time ?? 0) }.max() ?? origin) - origin
        // Events without a start of the page, or with a wrong one, are relative to the first request.
        let pageStart = HAR.date(started).map { $0.timeIntervalSince1970 * 1000 - origin } ?? 0
        let offset = pageStart > end ? 0 : pageStart
        let times = [("┊", "DOMContentLoaded", timings?.onContentLoad), ("│", "load", timings?.onLoad)]
        events = times.compactMap { mark, name, time in
            EntryPhases.duration(time).map { Event(mark: Character(mark), name: name, time: $0, position: offset + $0) }
        }
        duration = max(1, end, events.map(\.position).max() ?? 0)
    }

    /// Writes the title, the bars and the events of the page.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - archive: The archive, from which the phases of each entry are read.
    ///   - width: The width of the output in columns.
    ///   - limit: The maximum number of bars.
    /// - Throws: The errors of ``HARArchive/entry(at:)``; `unwritableFile`.
    func write(
        to output: StandardOutput, _ archive: HARArchive, width: Int, limit: Int
    ) throws(HARError) {
        let shown = rows.prefix(limit)
        let names = names(of: shown.map { HAREntryFacts(of: archive, at: $0.index).url })
        let longest = names.map(\.columnCount).max() ?? 0
        let labelWidth = max(Self.minimumLabelWidth, min(longest + Self.factsWidth, width * 2 / 5))
        let nameWidth = min(labelWidth, width - Self.minimumBarWidth - Self.timeWidth - 4) - Self.factsWidth
        let bars = WaterfallBars(
            width: width - nameWidth - Self.factsWidth - Self.timeWidth - 4, duration: duration)
        let facts =
            ["\(rows.count.of("entry", "entries"))", (duration / 1000).asTime]
            + events.map { "\($0.mark) \($0.name) \(($0.time / 1000).asTime)" }
        for line in heading(facts, width: width) { try output.line(line) }
        let marks = events.map { ($0.mark, $0.position) }
        for (row, name) in zip(shown, names) {
            let entry = try archive.entry(at: row.index)
            let status = entry.failure == nil ? String(entry.response.status) : "err"
            let method = entry.request.method.printable(upTo: 6).padded(to: 6)
            let label = "\(row.index)".aligned(right: 5) + " \(method) \(status.aligned(right: 3)) "
            let cells = bars.cells(of: entry, start: row.start - origin, time: row.time ?? 0, marks: marks)
            let bar = output.hasColors ? WaterfallBars.colored(cells) : String(cells)
            let time = (row.time.map { ($0 / 1000).asTime } ?? "-").aligned(right: Self.timeWidth)
            // The index of an entry can have more than five digits.
            let space = nameWidth + Self.factsWidth - label.columnCount
            try output.line(label + name.shortened(to: space).padded(to: space) + " |", raw: bar, "|\(time)")
        }
        if rows.count > limit { try output.line("… and \(rows.count - limit) more; list them with --limit") }
    }

    /// Returns the title with facts about the page, on separate lines if they do not fit.
    private func heading(_ facts: [String], width: Int) -> [String] {
        let title = title.printable(upTo: 80)
        let end = "  (\(facts.joined(separator: ", ")))"
        if title.columnCount + end.columnCount <= width { return [title + end] }
        var lines = [title.shortened(to: width)]
        for (number, fact) in facts.enumerated() {
            let fact = number < facts.count - 1 ? fact + "," : fact
            if number > 0, let line = lines.last, line.columnCount + fact.columnCount < width {
                lines[lines.count - 1] = "\(line) \(fact)"
            } else {
                lines.append("  \(fact)")
            }
        }
        return lines
    }

    /// Returns the labels for URLs: path and query, and the host unless it is the host of the first URL.
    private func names(of urls: [String]) -> [String] {
        let urls = urls.map { LiteralURL($0) }
        let host = urls.first?.authority.lowercased()
        return urls.map { url in
            guard let path = url.pathOfHost else { return url.text.printable }
            let authority = url.authority.lowercased() == host ? "" : url.authority
            return "\(authority)\(path.isEmpty ? "/" : path)\(url.query)".printable
        }
    }

    /// The width of the index, the method and the status.
    private static let factsWidth = 17
}

/// Bars that show the phases of entries on a time axis.
struct WaterfallBars {
    /// The width of the axis in columns, which is at least 1.
    let width: Int

    /// The time that the axis covers, in milliseconds.
    let duration: Double

    /// The letter and the color of each phase.
    private static let phases: [String: (letter: Character, color: String)] = [
        "blocked": ("b", "90"), "dns": ("d", "36"), "connect": ("c", "33"), "ssl": ("t", "35"), "send": ("s", "31"),
        "wait": ("w", "32"), "receive": ("r", "34"),
    ]

    /// The color of each letter.
    private static let colors = Dictionary(uniqueKeysWithValues: phases.values.map { ($0.letter, $0.color) })

    /// Returns the characters of the axis for an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - start: The time from the start of the axis to the start of the entry, in milliseconds.
    ///   - time: The duration of the entry in milliseconds.
    ///   - marks: The events of the page with their times, in milliseconds.
    /// - Returns: One character for each column.
    func cells(
        of entry: HAR.Entry, start: Double, time: Double, marks: [(mark: Character, time: Double)]
    ) -> [Character] {
        var cells = [Character](repeating: " ", count: width)
        for (mark, time) in marks where 0...duration ~= time { cells[column(of: time)] = mark }
        fill(".", from: start, to: start + time, in: &cells)
        // Phases that are shorter than a column are visible only if no longer phase shares the column.
        for phase in EntryPhases(of: entry).phases.sorted(by: { $0.duration < $1.duration }) {
            guard let letter = Self.phases[phase.name]?.letter, phase.duration > 0 else { continue }
            fill(letter, from: start + phase.start, to: start + phase.end, in: &cells)
        }
        return cells
    }

    private func column(of time: Double) -> Int { min(width - 1, Int(clamping: position(of: time))) }

    /// Returns the distance of a time from the start of the axis, in columns.
    private func position(of time: Double) -> Double { max(0, min(1, time / duration)) * Double(width) }

    private func fill(_ letter: Character, from start: Double, to end: Double, in cells: inout [Character]) {
        let first = column(of: start)
        // The end is exclusive, but each phase has at least one column.
        let last = max(first, Int(clamping: position(of: end).rounded(.up)) - 1)
        for column in first...min(last, width - 1) { cells[column] = letter }
    }

    /// Returns the cells with escape sequences for the colors of the phases.
    static func colored(_ cells: [Character]) -> String {
        var text = ""
        var current: String?
        for cell in cells {
            let color = colors[cell]
            if color != current { text += color.map { "\u{1B}[\($0)m" } ?? "\u{1B}[0m" }
            current = color
            text.append(cell)
        }
        return current == nil ? text : text + "\u{1B}[0m"
    }
}
