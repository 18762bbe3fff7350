import ArgumentParser
import Foundation
import HTTPArchive

/// `har waterfall`: shows when requests ran, as bars.
struct WaterfallCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waterfall",
        abstract: "Show the requests of each page as bars on a time axis.",
        discussion: """
            Each page has its own time axis, which begins with its first request. Letters and, on a terminal, colors show \
            the phases: b blocked, d DNS, c connecting, t TLS, s sending, w waiting for the response, r receiving. A dot \
            is a time without a known phase. Vertical lines mark the events of the page: dotted for DOMContentLoaded, solid \
            for load. After the bar, a dash is an unknown time. Requests without a start time are not shown; a warning \
            shows their number.

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
        if let width, width < 60 { throw ValidationError("--width must be at least 60") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() throws {
        let archive = try file.archive(sizes)
        let selection = SelectedEntries(of: file, sizes, filter: conditions.filter(in: sizes.folder(of: file)))
        let indices = try selection.indices(in: archive)
        let output = StandardOutput()
        let width = width ?? max(60, Terminal.width ?? 120)
        let pages = WaterfallPage.pages(of: archive, indices)
        for (position, page) in pages.enumerated() {
            if position > 0 { try output.line() }
            try page.write(to: output, archive, width: width, limit: limit ?? .max)
        }
        try output.flush()
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

    /// The events of the page, with the characters that mark them and their times in milliseconds.
    private let events: [(mark: Character, name: String, time: Double)]

    /// The number of entries.
    var entryCount: Int { rows.count }

    /// The width of the columns before and after the bars.
    private static let labelWidth = 38
    private static let timeWidth = 10

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
        let first = self.rows.first?.start ?? 0
        let pageStart = HAR.date(started).map { $0.timeIntervalSince1970 * 1000 } ?? first
        let origin = min(first, pageStart)
        self.origin = origin
        duration = max(1, (rows.map { $0.start + ($0.time ?? 0) }.max() ?? origin) - origin)
        let times = [("┊", "DOMContentLoaded", timings?.onContentLoad), ("│", "load", timings?.onLoad)]
        events = times.compactMap { mark, name, time in
            EntryPhases.duration(time).map { (Character(mark), name, pageStart - origin + $0) }
        }
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
        let bars = WaterfallBars(width: width - Self.labelWidth - Self.timeWidth - 4, duration: duration)
        let facts =
            ["\(rows.count.of("entry", "entries"))", (duration / 1000).asTime]
            + events.map { "\($0.mark) \($0.name) \(($0.time / 1000).asTime)" }
        try output.line("\(title.printable(upTo: 80))  (\(facts.joined(separator: ", ")))")
        let hasColors = Terminal.hasColors(STDOUT_FILENO)
        let marks = events.map { ($0.mark, $0.time) }
        for row in rows.prefix(limit) {
            let entry = try archive.entry(at: row.index)
            let url = LiteralURL(entry.request.url)
            let name = (url.path.isEmpty ? url.text : String(url.path + url.query)).printable
            let status = entry.failure == nil ? String(entry.response.status) : "err"
            let number = "\(row.index)".aligned(right: 5)
            let label =
                "\(number) \(entry.request.method.printable(upTo: 6).padded(to: 6)) \(status.aligned(right: 3)) "
            let cells = bars.cells(of: entry, start: row.start - origin, time: row.time ?? 0, marks: marks)
            let bar = hasColors ? WaterfallBars.colored(cells) : String(cells)
            let time = (row.time.map { ($0 / 1000).asTime } ?? "-").aligned(right: Self.timeWidth)
            try output.line(
                label + name.shortened(to: Self.labelWidth - label.count).padded(to: Self.labelWidth - label.count)
                    + " |",
                raw: bar, "|\(time)")
        }
        if rows.count > limit { try output.line("… and \(rows.count - limit) more; list them with --limit") }
    }
}

/// Bars that show the phases of entries on a time axis.
struct WaterfallBars {
    private let width: Int
    private let duration: Double

    /// Creates bars.
    ///
    /// - Parameters:
    ///   - width: The width of the axis in columns.
    ///   - duration: The time that the axis covers, in milliseconds.
    init(width: Int, duration: Double) {
        self.width = max(10, width)
        self.duration = duration
    }

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

    private func column(of time: Double) -> Int { min(width - 1, Int(position(of: time))) }

    /// Returns the distance of a time from the start of the axis, in columns.
    private func position(of time: Double) -> Double { max(0, min(1, time / duration)) * Double(width) }

    private func fill(_ letter: Character, from start: Double, to end: Double, in cells: inout [Character]) {
        let first = column(of: start)
        // The end is exclusive, but each phase has at least one column.
        let last = max(first, Int(position(of: end).rounded(.up)) - 1)
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
