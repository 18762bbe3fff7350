import ArgumentParser
import Foundation
import HTTPArchive

/// `har entries`: lists entries, one per line.
struct EntriesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entries",
        abstract: "List the entries of an archive, one per line.",
        discussion: """
            Each line shows the index of the entry, the method, the status, the media type, the size of the response \
            body in bytes, the time in milliseconds and the URL. A dash means unknown. On a terminal, long URLs are \
            shortened. Conditions select entries as in har filter. The index of an entry does not depend on the \
            conditions. Pass it to har show, har body or har export.

            Example: har entries page.har | grep image/
            Example: har entries --status 4xx,5xx --sort time --limit 10 page.har
            Example: har entries --columns index,start,wait,host,path page.har

            With --json, prints an array with one object per line: index, method, status, type, size, time, \
            startedDateTime and url, or the given columns; null means unknown. With --ndjson, prints complete entries, \
            including headers and bodies. With --tree, prints the URLs as a tree of hosts and paths. If the archive is \
            damaged, the entries before the error are listed, and the exit status is 1.
            """)

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Print complete entries as JSON, one per line.")
    var ndjson = false

    @Flag(help: "Print a tree of hosts and paths.")
    var tree = false

    @Option(
        help: ArgumentHelp("The columns to print, separated by commas: \(EntryColumn.list).", valueName: "columns"),
        completion: .list(EntryColumn.allCases.map(\.rawValue)))
    var columns: ColumnList<EntryColumn>?

    @Option(help: "The order of the entries; time and size list the largest first; archive order by default.")
    var sort: ListOrder?

    @Option(help: "The maximum number of entries to print.")
    var limit: Int?

    func validate() throws {
        let forms = [("--json", json), ("--ndjson", ndjson), ("--tree", tree)].filter(\.1).map(\.0)
        if forms.count > 1 { throw ValidationError("\(forms[0]) cannot be used with \(forms[1])") }
        if columns != nil, ndjson || tree { throw ValidationError("--columns cannot be used with \(forms[0])") }
        try columns?.validate(hint: "har entries --help")
        if tree, sort != nil { throw ValidationError("--sort cannot be used with --tree") }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
    }

    func run() throws {
        let output = StandardOutput()
        let form: Listing.Form = ndjson ? .entries : json ? .objects : .lines
        var listing = try Listing(to: output, as: form, columns: columns?.columns, limit: limit)
        let selection = SelectedEntries(of: file, sizes, filter: conditions.filter(in: sizes.folder(of: file)))
        let count = Result { () throws(HARError) in
            if tree {
                var urls = URLTree()
                defer { try? urls.write(to: output, limit: limit ?? .max) }
                return try selection.forEach { entry, _ throws(HARError) in
                    urls.add(entry.url, bytes: try entry.decodedBodySize ?? 0)
                }
            } else if let sort {
                let archive = try file.archive(sizes, allowsDamage: true)
                let (indices, damage) = try selection.indices(in: archive)
                for index in try sort.sorted(indices, of: archive).prefix(limit ?? .max) {
                    try listing.add(HAREntryFacts(of: archive, at: index), at: index)
                }
                if let damage { throw damage }
                return indices.count
            } else {
                let isWhole = ndjson || conditions.isEmpty && columns?.columns.contains(where: \.needsEntry) == true
                return try selection.forEach(readsEntries: isWhole, isQuiet: output.isTerminal) {
                    entry, index throws(HARError) in
                    try listing.add(entry, at: index)
                }
            }
        }
        // The entries before an error are listed first.
        if !tree { try listing.finish() }
        try output.flush()
        if try count.get() == 0 { conditions.reportNoMatch() }
    }
}

/// The order of `har entries --sort`.
enum ListOrder: String, CaseIterable, ExpressibleByArgument {
    case time
    case size
    case status
    case start

    /// Returns the indices of entries in this order.
    ///
    /// Equal entries keep their order.
    ///
    /// - Parameters:
    ///   - indices: The indices.
    ///   - archive: The archive.
    /// - Returns: The same indices. Entries without the property are last.
    /// - Throws: Any error from ``HARArchive/entry(at:)`` if an entry must be read.
    func sorted(_ indices: [Int], of archive: HARArchive) throws(HARError) -> [Int] {
        let keys = try indices.map { index throws(HARError) in
            (key: try key(of: HAREntryFacts(of: archive, at: index)) ?? .infinity, index: index)
        }
        return keys.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.index)
    }

    private func key(of entry: HAREntryFacts) throws(HARError) -> Double? {
        switch self {
        case .time: entry.time.map { -$0 }
        case .size: try entry.decodedBodySize.map { -Double($0) }
        case .status: Double(entry.status)
        case .start: entry.startedDate?.timeIntervalSince1970
        }
    }
}

/// Writes the output of `har entries`.
struct Listing {
    /// The format of an entry.
    enum Form {
        /// One line of text.
        case lines

        /// An object in a JSON array, with the same values as a line.
        case objects

        /// The complete entry, as JSON on one line.
        case entries
    }

    private let output: StandardOutput
    private let form: Form
    private let columns: [EntryColumn]
    private let isStandard: Bool

    /// The widths of columns on a terminal.
    private let widths: [EntryColumn: Int]
    private var list: JSONList?
    private let width = Terminal.width
    private var rest: Int
    private var isAtStart = true

    /// Creates a list and writes its start.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - form: The format of entries.
    ///   - columns: The columns; nil for the standard ones.
    ///   - limit: The maximum number of entries; nil for any number.
    /// - Throws: `unwritableFile`.
    init(to output: StandardOutput, as form: Form, columns: [EntryColumn]?, limit: Int?) throws(HARError) {
        self.output = output
        self.form = form
        self.columns = columns ?? Self.standardColumns(in: width)
        isStandard = columns == nil
        widths = width.map { [columns = self.columns] in Self.widths(of: columns, in: $0) } ?? [:]
        rest = limit ?? .max
        list = form == .objects ? try JSONList(to: output) : nil
    }

    /// Returns the standard columns, without those that leave too little space for the URLs in a narrow terminal.
    private static func standardColumns(in width: Int?) -> [EntryColumn] {
        var columns = EntryColumn.standard
        for column in [EntryColumn.type, .size] {
            let others = columns.reduce(0) { $0 + ($1 == .type ? limit(of: $1) : $1.width) + 1 }
            if let width, width - others < 24 { columns.removeAll { $0 == column } }
        }
        return columns
    }

    /// Writes the next entry, unless the maximum number has already been written.
    mutating func add(_ entry: HAREntryFacts, at index: Int) throws(HARError) {
        guard rest > 0 else { return }
        rest -= 1
        switch form {
        case .lines:
            if isAtStart, output.isTerminal { try output.line(heading) }
            let color = Terminal.color(ofStatus: entry.status, isFailed: entry.isFailed)
            try output.line(line(entry, at: index), color: color)
        case .objects:
            let object = try object(entry, at: index)
            try list?.append(object)
        case .entries:
            try output.write(json: JSONValue.object(try entry.entry.fields).data(layout: .compact))
            try output.line()
        }
        isAtStart = false
    }

    /// Writes the end of the list.
    func finish() throws(HARError) { try list?.finish() }

    private var heading: String {
        var line = ""
        for column in columns { append(column.rawValue, of: column, to: &line) }
        return line
    }

    private func line(_ entry: HAREntryFacts, at index: Int) throws(HARError) -> String {
        if isStandard { return try standardLine(entry, at: index) }
        var line = ""
        for column in columns {
            var text = try column.text(of: entry, at: index)
            // Spaces separate columns, so a value must not contain any.
            if column.width > 0 { text = text.replacing(" ", with: "_") }
            append(text, of: column, to: &line)
        }
        return line
    }

    private func append(_ text: String, of column: EntryColumn, to line: inout String) {
        if !line.isEmpty { line += isStandard && column == .url ? "  " : " " }
        let columnWidth = widths[column] ?? column.width
        var shown = text
        if width != nil, column.isText {
            shown = column == .type ? text.truncated(to: columnWidth) : text.shortened(to: columnWidth)
        }
        // The last column needs no padding.
        let isPadded = column.width > 0 || width != nil && column != columns.last
        if isPadded { shown = column.isNumber ? shown.aligned(right: columnWidth) : shown.padded(to: columnWidth) }
        line += shown
    }

    /// Returns the widths of columns whose values are shortened, so that a line fits into a terminal if possible.
    private static func widths(of columns: [EntryColumn], in width: Int) -> [EntryColumn: Int] {
        let text = columns.filter(\.isText)
        let others = columns.filter { !$0.isText }.reduce(0) { $0 + max(1, $1.width) }
        var rest = max(0, width - others - (columns.count - 1))
        var widths: [EntryColumn: Int] = [:]
        // Narrow columns first, so that wide ones share the rest.
        for (number, column) in text.sorted(by: { limit(of: $0) < limit(of: $1) }).enumerated() {
            let share = max(8, rest / (text.count - number))
            widths[column] = min(limit(of: column), share)
            rest -= min(rest, widths[column] ?? 0)
        }
        return widths
    }

    /// The maximum width of a column on a terminal.
    private static func limit(of column: EntryColumn) -> Int {
        switch column {
        case .type, .page: 16
        case .host: column.width
        default: .max
        }
    }

    /// Returns a line with the standard columns, without creating JSON values.
    private func standardLine(_ entry: HAREntryFacts, at index: Int) throws(HARError) -> String {
        var type = try entry.mediaType?.essence.printable ?? "-"
        // Checking for a space takes a tenth of the time of a replacement without matches.
        if type.utf8.contains(UInt8(ascii: " ")) { type = type.replacing(" ", with: "_") }
        let typeWidth = width == nil ? 24 : 16
        var line = String(index).aligned(right: 5)
        for column in columns {
            switch column {
            case .method: line += " " + (entry.method.isEmpty ? "-" : entry.method.printable).padded(to: 7)
            case .status: line += " " + String(entry.status).aligned(right: 3)
            case .type: line += " " + (width == nil ? type : type.truncated(to: typeWidth)).padded(to: typeWidth)
            case .size: line += " " + (try entry.decodedBodySize.map(String.init) ?? "-").aligned(right: 9)
            case .time: line += " " + (entry.time.map { $0.rounded(to: 0) } ?? "-").aligned(right: 7)
            default: break
            }
        }
        line += "  "
        let url = entry.url.printable
        line += width.map { url.shortened(to: max(8, $0 - line.count)) } ?? url
        return line
    }

    private func object(_ entry: HAREntryFacts, at index: Int) throws(HARError) -> JSONValue {
        // In JSON, the start time precedes the URL.
        let columns = isStandard ? EntryColumn.standard.dropLast() + [.start, .url] : columns
        var object: JSONObject = [:]
        for column in columns { object[column.key] = try column.value(of: entry, at: index) }
        return .object(object)
    }
}

/// The URLs of entries as a tree of hosts and paths.
struct URLTree {
    /// A node, with the number of entries at its URL and below.
    private struct Node {
        var count = 0
        var bytes = 0
        var children: [String: Int] = [:]
        var names: [String] = []
    }

    /// All nodes; the first one is the root.
    private var nodes = [Node()]

    /// Adds a URL.
    ///
    /// - Parameters:
    ///   - url: The URL. Its query and fragment are ignored.
    ///   - bytes: The size of the response body in bytes.
    mutating func add(_ url: String, bytes: Int) {
        let parts = LiteralURL(url)
        let host = parts.scheme == nil ? "(no host)" : String(parts.beforeUser + parts.authority)
        var names = [host]
        if parts.scheme != nil {
            names += parts.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { "/" + $0 }
        }
        var current = 0
        count(bytes, at: current)
        for name in names {
            current = child(name, of: current)
            count(bytes, at: current)
        }
    }

    private mutating func count(_ bytes: Int, at node: Int) {
        nodes[node].count += 1
        nodes[node].bytes = nodes[node].bytes.adding(clamping: bytes)
    }

    private mutating func child(_ name: String, of parent: Int) -> Int {
        if let child = nodes[parent].children[name] { return child }
        nodes.append(Node())
        nodes[parent].children[name] = nodes.count - 1
        nodes[parent].names.append(name)
        return nodes.count - 1
    }

    /// Writes the tree, with the number of entries and the size of the bodies of each node.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - limit: The maximum number of lines.
    /// - Throws: `unwritableFile`.
    func write(to output: StandardOutput, limit: Int) throws(HARError) {
        var rest = limit
        // The nodes to write, in reverse order. In a deep tree, recursion could overflow the stack.
        var pending = nodes[0].names.reversed().map { (name: $0, node: nodes[0].children[$0] ?? 0, indent: "") }
        while rest > 0, let next = pending.popLast() {
            var (name, node) = (next.name, next.node)
            // A node without entries and with a single child is written on the same line as the child.
            while nodes[node].names.count == 1, let only = nodes[node].names.first,
                let child = nodes[node].children[only], nodes[child].count == nodes[node].count
            {
                name += only
                node = child
            }
            let (count, bytes) = (nodes[node].count.of("entry", "entries"), nodes[node].bytes.asBytes)
            let facts = "  (\(count), \(bytes))"
            let shown = name.printable
            let space = Terminal.width.map { max(16, $0 - next.indent.count - facts.count) } ?? .max
            try output.line(next.indent + shown.shortened(to: space) + facts)
            rest -= 1
            pending += nodes[node].names.reversed().map { ($0, nodes[node].children[$0] ?? 0, next.indent + "  ") }
        }
    }
}
