import ArgumentParser
import Foundation
import HTTPArchive

/// The format of a table.
enum TableFormat: String, CaseIterable, ExpressibleByArgument {
    /// Comma-separated values with a header row (RFC 4180), with line feeds as line breaks.
    case csv

    /// One JSON object per line (https://github.com/ndjson/ndjson-spec).
    case ndjson

    /// Returns the format of a file by its extension, before the extension of a compression format if there is one, or
    /// nil if the extension is unknown.
    init?(ofFileAt path: String) {
        let url = URL(fileURLWithPath: path)
        switch (CompressionFormats.compresses(url) ? url.deletingPathExtension() : url).pathExtension.lowercased() {
        case "csv": self = .csv
        case "ndjson", "jsonl", "json": self = .ndjson
        default: return nil
        }
    }

    /// Returns the text before the first row.
    func header(of columns: [TableColumn]) -> String {
        self == .csv ? columns.map(\.rawValue).joined(separator: ",") + "\n" : ""
    }
}

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
            let lines = columns.map { "'\($0.rawValue)': '\(type(of: $0, in: format))'" }
            return "{" + lines.joined(separator: ",\n ") + "}"
        case .spark:
            return columns.map { "\($0.rawValue) \(type(of: $0, in: format))" }.joined(separator: ",\n")
        }
    }

    private func type(of column: TableColumn, in format: TableFormat) -> String {
        switch (column.type, self) {
        case (.text, .duckdb): "VARCHAR"
        case (.text, .spark): "STRING"
        case (.integer, _): "BIGINT"
        case (.number, _): "DOUBLE"
        case (.boolean, _): "BOOLEAN"
        case (.timestamp, .duckdb): "TIMESTAMPTZ"
        case (.timestamp, .spark): "TIMESTAMP"
        case (.map, .duckdb): format == .csv ? "JSON" : "MAP(VARCHAR, VARCHAR)"
        case (.map, .spark): format == .csv ? "STRING" : "MAP<STRING, STRING>"
        }
    }
}
