import ArgumentParser
import HTTPArchive

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
