import ArgumentParser
import EntryConditions
import Foundation
import HTTPArchive

/// The conditions that select entries.
struct FilterOptions: ParsableArguments {
    @OptionGroup var conditions: EntryConditions

    @Option(
        help: ArgumentHelp(
            "A text in the URL, the header fields, the cookies, the bodies or the messages, ignoring case; see har "
                + "search.",
            valueName: "text"))
    var search: [String] = []

    @Option(help: "Entry indices, as printed by har entries, such as 3,7-9.")
    var entries: [NumberRanges] = []

    @Flag(help: "Select the entries that do not match.")
    var invert = false

    func validate() throws {
        if search.contains("") { throw ValidationError("--search must not be empty") }
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
        let others = [
            entries.flatMap(\.ranges).map(HAREntryFilter.indices),
            search.map { HAREntryFilter.containing(TextQuery(text: $0), bodiesIn: folder) },
        ]
        return conditions.alternatives + others.filter { !$0.isEmpty }
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
