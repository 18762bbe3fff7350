import ArgumentParser

/// The declaration of a table's columns for a query engine.
enum TableSchema: String, CaseIterable, ExpressibleByArgument {
    /// The value of `columns` in DuckDB's functions `read_csv` and `read_json`.
    case duckdb

    /// The schema of a Spark DataFrameReader, as a DDL string.
    case spark

    /// Returns the declaration.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - format: The format of the table. In CSV, a map is text.
    /// - Returns: One line for each column.
    func text(of columns: [TableColumn], in format: TableFormat) -> String {
        switch self {
        case .duckdb:
            let lines = columns.map { "'\($0.rawValue)': '\(duckDBType(of: $0, in: format))'" }
            return "{" + lines.joined(separator: ",\n ") + "}"
        case .spark:
            return columns.map { "\($0.rawValue) \(sparkType(of: $0, in: format))" }.joined(separator: ",\n")
        }
    }

    private func duckDBType(of column: TableColumn, in format: TableFormat) -> String {
        switch column.type {
        case .text: "VARCHAR"
        case .integer: "BIGINT"
        case .number: "DOUBLE"
        case .boolean: "BOOLEAN"
        case .timestamp: "TIMESTAMPTZ"
        case .map: format == .csv ? "JSON" : "MAP(VARCHAR, VARCHAR)"
        }
    }

    private func sparkType(of column: TableColumn, in format: TableFormat) -> String {
        switch column.type {
        case .text: "STRING"
        case .integer: "BIGINT"
        case .number: "DOUBLE"
        case .boolean: "BOOLEAN"
        case .timestamp: "TIMESTAMP"
        case .map: format == .csv ? "STRING" : "MAP<STRING, STRING>"
        }
    }
}
