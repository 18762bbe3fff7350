import ArgumentParser
import Foundation
import HTTPArchive

/// A column of `har table`, in the order of the table.
enum TableColumn: String, CaseIterable {
    case file
    case entryIndex = "entry_index"
    case pageID = "page_id"
    case pageTitle = "page_title"
    case started
    case finished
    case time = "time_ms"
    case method
    case url
    case scheme
    case host
    case port
    case path
    case query
    case status
    case statusText = "status_text"
    case httpVersion = "http_version"
    case requestType = "request_type"
    case requestBodyBytes = "request_body_bytes"
    case requestHeadersBytes = "request_headers_bytes"
    case responseType = "response_type"
    case responseCharset = "response_charset"
    case responseBodyBytes = "response_body_bytes"
    case responseReceivedBytes = "response_received_bytes"
    case transferBytes = "transfer_bytes"
    case fromCache = "from_cache"
    case redirectURL = "redirect_url"
    case serverAddress = "server_address"
    case connection
    case blocked = "blocked_ms"
    case dns = "dns_ms"
    case connect = "connect_ms"
    case ssl = "ssl_ms"
    case send = "send_ms"
    case wait = "wait_ms"
    case receive = "receive_ms"
    case resourceType = "resource_type"
    case error
    case requestHeaders = "request_headers"
    case responseHeaders = "response_headers"
    case requestBody = "request_body"
    case requestBodyEncoding = "request_body_encoding"
    case responseBody = "response_body"
    case responseBodyEncoding = "response_body_encoding"

    /// The type of the values in a column.
    enum ValueType {
        case text, integer, number, boolean, timestamp, map
    }

    /// The type of the values.
    var type: ValueType {
        switch self {
        case .entryIndex, .port, .status, .requestBodyBytes, .requestHeadersBytes, .responseBodyBytes,
            .responseReceivedBytes, .transferBytes:
            .integer
        case .time, .blocked, .dns, .connect, .ssl, .send, .wait, .receive: .number
        case .fromCache: .boolean
        case .started, .finished: .timestamp
        case .requestHeaders, .responseHeaders: .map
        default: .text
        }
    }

    /// The columns that are in the table only if they are requested, because bodies are large.
    static let bodies: [TableColumn] = [.requestBody, .requestBodyEncoding, .responseBody, .responseBodyEncoding]

    /// All other columns.
    static let standard = allCases.filter { !bodies.contains($0) }
}

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
