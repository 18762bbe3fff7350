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
