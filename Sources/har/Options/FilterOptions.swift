import ArgumentParser
import Foundation
import HTTPArchive

/// The conditions that select entries.
struct FilterOptions: ParsableArguments {
    /// The methods that completion offers.
    static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

    @Option(help: "A host, such as *.example.com. Without a port, it matches all ports.")
    var host: [String] = []

    @Option(
        help: ArgumentHelp(
            "A pattern for the whole URL, such as api.example.com/items/*; scheme, host and port are optional. "
                + "* matches any characters except / and ?; ** matches any characters.", valueName: "pattern"))
    var url: [String] = []

    @Option(
        help: "A request method, such as POST.",
        completion: .list(Self.methods))
    var method: [String] = []

    @Option(help: "A status, such as 404, 200-299 or 5xx.", completion: .list(["2xx", "3xx", "4xx", "5xx", "404"]))
    var status: [NumberRanges] = []

    @Option(
        help: ArgumentHelp(
            "The media type of the response, such as image/*, or one of \(MediaTypeNames.list)."),
        completion: .list(MediaTypeNames.all + ["application/json", "image/*", "text/html"]))
    var type: [String] = []

    @Option(help: "The earliest start time, such as 2026-01-31T12:00:00Z; UTC by default.")
    var since: Moment?

    @Option(help: "The latest start time, exclusive.")
    var until: Moment?

    @Option(help: "The minimum size of the response body, such as 500, 10kB or 1.5MB.")
    var minSize: ByteCount?

    @Option(help: "The maximum size of the response body.")
    var maxSize: ByteCount?

    @Option(
        help: "The minimum time of the exchange (exclusive), such as 500ms or 2s; in milliseconds without a unit.")
    var slowerThan: Milliseconds?

    @Option(
        help: ArgumentHelp(
            "A text in the URL, the header fields, the cookies, the bodies or the messages, ignoring case; see har "
                + "search.",
            valueName: "text"))
    var search: [String] = []

    @Flag(help: "Match entries without a response.")
    var failed = false

    @Option(help: "Entry indices, as printed by har entries, such as 3,7-9.")
    var entries: [NumberRanges] = []

    @Flag(help: "Select the entries that do not match.")
    var invert = false

    func validate() throws {
        // An empty condition, as for an unset variable in a shell, would select all or no entries.
        let options = [
            ("--host", host.contains { $0.parts.isEmpty }), ("--url", url.contains("")),
            ("--method", method.contains { $0.parts.isEmpty }), ("--type", type.contains { $0.parts.isEmpty }),
            ("--search", search.contains("")),
        ]
        for (name, isEmpty) in options where isEmpty { throw ValidationError("\(name) must not be empty") }
        if start >= end { throw ValidationError("--since must be earlier than --until") }
        if leastSize > greatestSize { throw ValidationError("--min-size must not be greater than --max-size") }
        if let text = type.flatMap(\.parts).first(where: { MediaTypeNames.patterns(of: $0) == nil }) {
            throw ValidationError(
                "expected a media type such as text/html or text/*, or one of \(MediaTypeNames.list), found "
                    + "'\(text.printable)'")
        }
        if invert, isEmpty { throw ValidationError("--invert requires a condition such as --host") }
    }

    /// Whether there are no conditions.
    var isEmpty: Bool { alternatives(in: nil).isEmpty }

    /// Warns that no entry matches the conditions, unless no condition is set.
    func reportNoMatch() {
        if !isEmpty { StandardError.line("har: warning: no entry matches the conditions") }
    }

    /// Returns the filter that these options describe, or nil if there are no conditions.
    ///
    /// - Parameter folder: The folder with the archive's body files, which `--search` reads.
    /// - Returns: The filter.
    func filter(in folder: HAR.BodyFolder) -> HAREntryFilter? {
        let conditions = alternatives(in: folder).map(HAREntryFilter.any)
        guard !conditions.isEmpty else { return nil }
        let filter = HAREntryFilter.all(of: conditions)
        return invert ? filter.inverted : filter
    }

    /// Returns the filters for each kind of condition.
    ///
    /// At least one filter of each kind must select an entry.
    private func alternatives(in folder: HAR.BodyFolder?) -> [[HAREntryFilter]] {
        let types: [String] = type.flatMap(\.parts).flatMap { MediaTypeNames.patterns(of: $0) ?? [] }
        var alternatives: [[HAREntryFilter]] = [
            host.flatMap(\.parts).map(HAREntryFilter.host), url.map(HAREntryFilter.url),
            method.flatMap(\.parts).map(HAREntryFilter.method), status.flatMap(\.ranges).map(HAREntryFilter.status),
            types.map(HAREntryFilter.mediaType),
            entries.flatMap(\.ranges).map(HAREntryFilter.indices),
        ]
        if failed { alternatives.append([.failed]) }
        if since != nil || until != nil { alternatives.append([.started(in: start..<end)]) }
        if minSize != nil || maxSize != nil { alternatives.append([.bodySize(leastSize...greatestSize)]) }
        if let slowerThan { alternatives.append([.slower(than: slowerThan.count)]) }
        alternatives.append(search.map { .containing(TextQuery(text: $0), bodiesIn: folder) })
        return alternatives.filter { !$0.isEmpty }
    }

    private var start: Date { since?.date ?? .distantPast }
    private var end: Date { until?.date ?? .distantFuture }
    private var leastSize: Int { minSize?.bytes ?? 0 }
    private var greatestSize: Int { maxSize?.bytes ?? .max }
}

extension String {
    /// The comma-separated parts.
    fileprivate var parts: [String] { split(separator: ",").map(String.init) }
}

/// The names of groups of media types.
enum MediaTypeNames {
    /// The media type patterns of each name.
    ///
    /// `*` matches any characters.
    private static let types: [(name: String, patterns: [String])] = [
        ("html", ["text/html", "application/xhtml+xml"]),
        ("css", ["text/css"]),
        ("js", ["text/javascript", "application/javascript", "application/x-javascript", "application/ecmascript"]),
        ("json", ["*/json", "*+json", "*/x-ndjson", "*/json-seq"]),
        ("xml", ["*/xml", "*+xml"]),
        ("image", ["image/*"]), ("font", ["font/*", "application/font-*", "application/x-font-*"]),
        ("audio", ["audio/*"]), ("video", ["video/*"]), ("text", ["text/*"]),
    ]

    /// All names.
    static let all = types.map(\.name)

    /// The names as a list for messages.
    static let list = all.dropLast().joined(separator: ", ") + " and " + (all.last ?? "")

    /// Returns the media types of a name or a pattern, or nil if the text is neither.
    static func patterns(of text: String) -> [String]? {
        // Entries are compared without the parameters of their types.
        let type = text.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        if type.contains("/") || type.contains("*") { return [type] }
        return types.first { $0.name == type }?.patterns
    }
}

/// A duration as a command-line argument: `500ms`, `2s`, `1.5 s` or `250` (milliseconds).
struct Milliseconds: ExpressibleByArgument {
    private static let units = ["": 1.0, "ms": 1, "s": 1000, "m": 60_000, "min": 60_000]

    /// The number of milliseconds.
    let count: Double

    init?(argument: String) {
        guard let match = argument.lowercased().wholeMatch(of: /(\d+(?:\.\d+)?) ?(ms|s|m|min|)/),
            let number = Double(match.1), let unit = Self.units[String(match.2)]
        else { return nil }
        count = number * unit
    }
}

/// An ISO 8601 time as a command-line argument.
///
/// The time zone is UTC by default, and a date without a time means midnight.
struct Moment: ExpressibleByArgument {
    /// The parsed time.
    let date: Date

    init?(argument: String) {
        let completions = ["", "Z", ":00Z", "T00:00:00Z"].lazy.map { argument + $0 }
        guard let date = completions.compactMap(HAR.date).first else { return nil }
        self.date = date
    }
}

/// Numbers as a command-line argument: `200`, `200-299`, `2xx`, or several of these, separated by commas.
struct NumberRanges: ExpressibleByArgument {
    /// The ranges of numbers.
    let ranges: [ClosedRange<Int>]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        ranges = parts.compactMap(Self.range)
        if ranges.count < parts.count { return nil }
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        if let match = text.wholeMatch(of: /([1-9])xx/.ignoresCase()), let digit = Int(match.1) {
            return digit * 100...digit * 100 + 99
        }
        guard let match = text.wholeMatch(of: /(\d+)(?:-(\d+))?/), let first = Int(match.1),
            let last = match.2.map({ Int($0) }) ?? first, first <= last
        else { return nil }
        return first...last
    }
}

/// The columns of a list or a table, as a command-line argument: names separated by commas.
struct ColumnList<Column: RawRepresentable<String> & CaseIterable & Hashable>: ExpressibleByArgument {
    private let names: [String]

    init(argument: String) {
        names = argument.split(separator: ",").map(String.init)
    }

    /// The columns in output order.
    var columns: [Column] { names.compactMap(Column.init) }

    /// Checks the names.
    ///
    /// - Parameter hint: The command that lists all columns.
    /// - Throws: `ValidationError` if a name is unknown or repeated.
    func validate(hint: String) throws {
        if names.isEmpty { throw ValidationError("--columns requires at least one column, such as url") }
        var columns: Set<Column> = []
        for name in names {
            guard let column = Column(rawValue: name) else {
                let nearest = EditDistance.nearest(to: name, in: Column.allCases.map(\.rawValue))
                let hint = nearest.map { "did you mean '\($0)'?" } ?? "to list them, use \(hint)"
                throw ValidationError("unknown column '\(name.printable)'; \(hint)")
            }
            if !columns.insert(column).inserted { throw ValidationError("--columns contains '\(name)' twice") }
        }
    }
}
