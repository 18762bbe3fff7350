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
