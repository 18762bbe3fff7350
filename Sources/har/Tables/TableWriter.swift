import Foundation
import HTTPArchive

/// Writes a table to one file, or to parts with a fixed number of rows.
///
/// A part is named after the table, with a number before the extension. Existing parts are never replaced.
final class TableWriter {
    private let output: Output
    private let header: [UInt8]
    private let rowsPerPart: Int?
    private var file: OutputFile?
    private var rowCount = 0
    private var parts: [Output] = []

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - output: The file of the table, or the name from which the names of parts are made.
    ///   - header: The text before the rows of each file.
    ///   - rowsPerPart: The number of rows in each part, or nil for one file.
    /// - Throws: `unwritableFile`.
    init(to output: Output, header: String, rowsPerPart: Int?) throws(HARError) {
        self.output = output
        self.header = Array(header.utf8)
        self.rowsPerPart = rowsPerPart
        // A table without rows has a file, too.
        try begin()
    }

    /// Whether the table is written to a terminal.
    var isTerminal: Bool { file?.isTerminal ?? false }

    /// Whether no row was written.
    private(set) var isEmpty = true

    /// Writes rows.
    func write(_ text: TableText) throws(HARError) {
        if !text.rowEnds.isEmpty { isEmpty = false }
        guard let rowsPerPart else { return try write(text.bytes) }
        var start = 0
        var rows = text.rowEnds[...]
        while !rows.isEmpty {
            if rowCount == rowsPerPart {
                try finish()
                try begin()
            }
            let count = min(rows.count, rowsPerPart - rowCount)
            let end = rows[rows.startIndex + count - 1]
            try write(Array(text.bytes[start..<end]))
            rowCount += count
            start = end
            rows = rows.dropFirst(count)
        }
    }

    /// Completes the last file.
    func finish() throws(HARError) {
        try file?.finish()
        file = nil
        if rowsPerPart != nil { parts.append(output.part(parts.count)) }
    }

    /// Discards the table: an existing file is unchanged, and complete parts are removed.
    func discard() {
        file = nil
        guard rowsPerPart != nil else { return }
        for part in parts { _ = FileSystemCalls.current.remove(part.argument) }
    }

    private func begin() throws(HARError) {
        let target = rowsPerPart == nil ? output : output.part(parts.count)
        if rowsPerPart != nil { try target.requireNew(hint: "choose another name or remove the old parts") }
        file = try target.file(isNew: rowsPerPart != nil)
        rowCount = 0
        try write(header)
    }

    private func write(_ bytes: [UInt8]) throws(HARError) {
        guard let file else { return }
        // In JSON, an escape sequence preserves the character. CSV has no escape sequences.
        guard file.isTerminal else { return try file.write(bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        try file.write(Array((header.isEmpty ? text.escapingControls : text.withoutControls).utf8))
    }
}

extension Output {
    /// Returns the file of a part: `table-00000.csv` for `table.csv`.
    fileprivate func part(_ number: Int) -> Output {
        let digits = String(number)
        let suffix = "-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
        var url = URL(fileURLWithPath: argument)
        var type = ""
        // A compressed table has two extensions.
        for _ in 0..<(CompressionFormats.compresses(url) ? 2 : 1) where !url.pathExtension.isEmpty {
            type = ".\(url.pathExtension)\(type)"
            url.deletePathExtension()
        }
        return Output(argument: argument.dropLast(type.count) + suffix + type)
    }
}
