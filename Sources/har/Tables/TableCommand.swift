import ArgumentParser
import Foundation
import HTTPArchive

/// `har table`: converts archives to a table.
struct TableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Convert archives to a table with one row per entry, for DuckDB, Spark and pandas.",
        discussion: """
            Each row has the file, the page, the times in UTC, the parts of the URL, the status, the sizes in bytes, \
            the timings in milliseconds, and the header fields by lowercase name. The columns and their types are \
            always the same. In CSV, null is an empty field, empty text is "", and header fields are a JSON object. \
            Conditions select entries in the same way as in har filter. Folders are searched for .har files, including \
            subfolders, and sorted by path.

            --schema prints the types of the columns for a query engine, which then reads the table without guessing:

            duckdb  the value of columns in read_csv (with allow_quoted_nulls = false) and read_json
            spark   the DDL string of DataFrameReader.schema

            Spreadsheets treat text that begins with =, +, -, @, a tab or a line break as a formula, which can send data \
            elsewhere. Before you open a table in a spreadsheet, create it with --csv-safe, which writes an apostrophe \
            before such text, so that query engines read different values. Numbers are unchanged.

            If an archive is damaged, the rows before the error are written, the other archives are still converted, \
            and the exit status is 1. If no archive can be read, no file is written. A body file that cannot be read is null, and \
            a warning names it. Secrets are not redacted; use har redact first.

            Example: har table page.har -o page.csv
            Example: har table archives -o table.ndjson --split 1000000
            Example: har table --status 5xx --columns started,host,path,wait_ms page.har
            Example: har table --schema spark --format ndjson
            """)

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archives and folders; - for standard input.")
    var files: [Input] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "out"), completion: .file())
    var output = Output(argument: "-")

    @Option(
        help: "The format. By default, the extension of the output determines it: .csv, .ndjson, .jsonl or .json.")
    var format: TableFormat?

    @Option(
        help: ArgumentHelp(
            "The number of rows in each part. The parts of table.csv are table-00000.csv, table-00001.csv, …",
            valueName: "rows"))
    var split: Int?

    @Option(
        help: ArgumentHelp("The columns, separated by commas; see --schema.", valueName: "columns"),
        completion: .list(TableColumn.allCases.map(\.rawValue)))
    var columns: ColumnList<TableColumn>?

    @Flag(help: "Include the bodies: as text if they are UTF-8, and otherwise in Base64.")
    var bodies = false

    @Flag(help: "Write an apostrophe before text that spreadsheets treat as a formula.")
    var csvSafe = false

    @Option(help: "Print the types of the columns, and convert nothing.")
    var schema: TableSchema?

    func validate() throws {
        try columns?.validate(hint: "har table --schema duckdb")
        if schema != nil, !files.isEmpty || output.isNamed || split != nil {
            throw ValidationError(
                "--schema converts nothing; remove the archives, --output and --split, or remove --schema")
        }
        if files.isEmpty, schema == nil { throw ValidationError("expected an archive or a folder") }
        try files.requireOneStandardInput()
        if let split, split < 1 { throw ValidationError("--split must be greater than 0") }
        if split != nil, !output.isNamed {
            throw ValidationError("--split requires the name of a file, such as -o table.csv")
        }
        if bodies, columns != nil {
            throw ValidationError("--bodies cannot be used with --columns; add request_body or response_body to them")
        }
    }

    func run() throws {
        let columns = self.columns?.columns ?? TableColumn.standard + (bodies ? TableColumn.bodies : [])
        let outputFormat = TableFormat(ofFileAt: output.argument)
        let format = self.format ?? outputFormat ?? .csv
        if csvSafe, format != .csv { throw ValidationError("--csv-safe requires the format csv") }
        if let schema {
            let output = StandardOutput()
            try output.line(schema.text(of: columns, in: format))
            return try output.flush()
        }
        let found = try files.map { file throws(HARError) in try file.archives() }
        let archives = found.flatMap(\.archives)
        for archive in archives { try output.requireDistinct(from: archive) }
        if self.format == nil, outputFormat == nil, output.isNamed, !output.url.pathExtension.isEmpty {
            throw ValidationError(
                "the extension of '\(output.argument.printable)' is not the extension of a table; choose a name that ends "
                    + "with .csv, .ndjson, .jsonl or .json, or add --format csv")
        }
        let writer = try TableWriter(to: output, header: format.header(of: columns), rowsPerPart: split)
        let converter = TableConverter(
            columns: columns, format: format, avoidsFormulas: csvSafe, conditions: conditions, sizes: sizes)
        var failures = found.flatMap(\.failures)
        do throws(HARError) {
            let errors = try convert(archives, with: converter, to: writer)
            // An empty table would replace a table from an earlier run.
            if writer.isEmpty, errors.count == archives.count { writer.discard() } else { try writer.finish() }
            failures += errors
        } catch {
            writer.discard()
            throw error
        }
        for failure in failures { StandardError.error(failure) }
        if !failures.isEmpty { throw ExitCode.failure }
        if writer.isEmpty { conditions.reportNoMatch() }
    }

    /// Converts archives, and returns the errors of archives.
    ///
    /// - Throws: The error of the output.
    private func convert(
        _ archives: [Input], with converter: TableConverter, to writer: TableWriter
    ) throws(HARError) -> [HARError] {
        let sizes = archives.map { $0.isStandardInput ? nil : $0.url.fileSize }
        let total = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
        let progress = ReadingProgress(of: total, isQuiet: writer.isTerminal)
        defer { progress.clear() }
        var bytesRead = 0
        var failures: [HARError] = []
        for (archive, size) in zip(archives, sizes) {
            let failure = try converter.convert(
                archive, progress: { progress.update(bytesRead + $0) }, write: writer.write)
            if let failure { failures.append(failure) }
            bytesRead += size ?? 0
        }
        return failures
    }
}

extension Input {
    /// Returns the archives in a folder, or the input itself if it is not a folder, and the errors of subfolders that
    /// cannot be read.
    ///
    /// - Throws: `unreadableFile` if the folder contains no archives.
    fileprivate func archives() throws(HARError) -> (archives: [Input], failures: [HARError]) {
        guard !isStandardInput, FileManager.default.isFolder(argument) else { return ([self], []) }
        let found = try ArchiveFolder(argument)
        let archives = found.archives
        guard !archives.isEmpty else {
            throw HARError(.unreadableFile, "the folder contains no .har files", at: .init(file: argument))
        }
        // Paths begin with the folder as the user wrote it.
        let folder = URL(fileURLWithPath: argument).path
        let inputs = archives.map { archive in
            let path = archive.path.trimmingPrefix(folder).trimmingPrefix("/")
            return Input(argument: argument.hasSuffix("/") ? argument + path : "\(argument)/\(path)")
        }
        return (inputs, found.failures)
    }
}
