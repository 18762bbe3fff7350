import ArgumentParser
import EntryConditions
import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import YAMLDocuments

/// `har import`: converts recordings made by other tools to an archive.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Convert recordings made by other tools to an archive.",
        usage: "har import [--from <format>] [--base-url <url>] <input> ... <output>",
        discussion: """
            The last argument is the archive to write, which must not exist yet; - is standard output. The inputs are \
            files, which can be compressed, folders that are searched recursively, and - for standard input. A subfolder that cannot be read is \
            skipped, and the exit status is 1. Without --from, the format of each file is detected from its content:

            relay             recording folders of Relay versions that predate HAR
            vinyl, dvr        Vinyl recordings and DVR cassettes
            resonancekit      the Mocks folder of ResonanceKit
            innernet-console  the console output of Innernet: one object per line, or an array of objects
            vcr, vcrpy        VCR (Ruby) and VCR.py cassettes, in YAML or JSON
            polly             Polly.js recordings
            wiremock          WireMock mappings, with bodies from the __files folder
            replay            archives of Mattt's Replay library
            mitmproxy         HAR exported by mitmproxy: mitmdump -nr FLOWS --set hardump=OUTPUT.har

            Entries are ordered by time. The order of the entries of a file does not change: an entry that was recorded \
            earlier than the one before it gets the time of that entry, and the field _originalStartedDateTime has its \
            recorded time. Among entries with equal requests, the one that the other tool replays first comes first. \
            Properties that HAR does not define are kept in fields whose names begin with an underscore. \
            A report on standard error lists these fields and the number of entries in each format.

            Example: har import fixtures/vcr_cassettes shop.har
            Example: curl https://example.com/cassette.yml | har import - shop.har
            Example: har import --from resonancekit --base-url https://swapi.dev Mocks swapi.har
            """)

    @Option(help: "The format of all inputs; detected for each file by default.")
    var from: RecordingFormatOption?

    @Option(help: "The base URL for URLs without a host in resonancekit and wiremock recordings.")
    var baseURL = "http://localhost"

    @Option(help: "The maximum size of an input file, such as 500MB; 50MB by default.")
    var sizeLimit: ByteCount?

    @Argument(
        help: "The input files and folders, followed by the archive to write; - for standard input and output.",
        completion: .file())
    var files: [String]

    func validate() throws {
        guard files.count > 1 else {
            throw ValidationError("expected one or more recordings and an output, found one argument")
        }
        guard files.dropLast().count(where: { $0 == "-" }) < 2 else {
            throw ValidationError("standard input can be read only once; specify a file for the other recording")
        }
        guard NSURL(string: baseURL)?.scheme != nil else {
            throw ValidationError(
                "expected a URL such as https://shop.example for --base-url, found '\(baseURL.printable)'")
        }
    }

    func run() throws {
        guard let output = files.last.map({ Output(argument: $0) }) else { return }
        try output.requireNew(hint: "the last argument is the output, so choose a new name")
        var report = ImportReport()
        let entries = try entries(reportingTo: &report)
        let writer = try output.writer(layout: .pretty, isNew: true)
        for entry in entries { try writer.append(entry) }
        if entries.isEmpty { try writer.write(HAR.Log(creator: .relay)) {} }
        try writer.finish()
        for line in report.lines { StandardError.line(line) }
        for failure in report.failures { StandardError.error(failure) }
        if !report.failures.isEmpty { throw ExitCode.failure }
    }

    private func entries(reportingTo report: inout ImportReport) throws(HARError) -> [HAR.Entry] {
        var groups: [(format: any RecordingFormat.Type, files: [[HAR.Entry]])] = []
        for argument in files.dropLast() {
            let input = RecordingInput(argument: argument)
            let recordings = try input.files(reportingTo: &report)
            let progress = ReadingProgress(of: recordings.reduce(0) { $0 + ($1.fileSize ?? 0) })
            defer { progress.clear() }
            var bytesRead = 0
            for url in recordings {
                progress.update(bytesRead)
                bytesRead += url.fileSize ?? 0
                var file = try input.read(url, upTo: sizeLimit?.bytes ?? RecordingFile.sizeLimit)
                file.baseURL = baseURL
                guard let format = try format(of: file, isNamed: !input.isFolder) else {
                    report.skipped.append(file.name)
                    continue
                }
                let entries = try entries(of: file, as: format)
                let index = groups.firstIndex { $0.format == format } ?? groups.endIndex
                if index == groups.endIndex { groups.append((format, [])) }
                groups[index].files.append(entries)
            }
        }
        for group in groups { report.add(group.files, of: group.format.name) }
        return groups.map { $0.format.arranged($0.files) }.mergedByTime
    }

    /// Returns the entries of a file.
    ///
    /// If the content looks like a different format, the error names that format.
    private func entries(
        of file: RecordingFile, as format: any RecordingFormat.Type
    ) throws(HARError) -> [HAR.Entry] {
        do throws(HARError) {
            return try format.entries(of: file)
        } catch {
            guard let other = ImportFormats.all.format(of: file), other != format else { throw error }
            throw HARError(
                error.code, "\(error.message) The file looks like \(other.name), not \(format.name).",
                at: error.context, underlying: error.underlying)
        }
    }

    /// Returns the format of a file, or nil if it is unknown.
    ///
    /// An unknown format is an error only for a file named on the command line.
    private func format(of file: RecordingFile, isNamed: Bool) throws(HARError) -> (any RecordingFormat.Type)? {
        if let from { return from.format }
        if let format = ImportFormats.all.format(of: file) { return format }
        guard isNamed else { return nil }
        if let failure = file.failure { throw failure }
        if file.value?["log"]?["entries"] != nil {
            throw HARError(
                .malformedRecording,
                "expected a recording made by another tool, found an archive; use har merge to combine archives",
                at: .init(file: file.name))
        }
        throw HARError(
            .malformedRecording,
            "unknown format; use --from with one of \(RecordingFormatOption.names)",
            at: .init(file: file.name))
    }
}

/// The report of an import: the number of entries in each format, and fields that HAR does not define.
struct ImportReport {
    private var groups: [(format: String, files: Int, entries: Int)] = []
    private var keptFields: [String: Int] = [:]

    /// The files with an unknown format.
    var skipped: [String] = []

    /// The number of files in the input folders that were ignored because of their extensions.
    var otherFiles = 0

    /// The errors of subfolders that were skipped because they cannot be read.
    var failures: [HARError] = []

    /// Adds the entries of the files in a format.
    mutating func add(_ files: [[HAR.Entry]], of format: String) {
        let entries = files.flatMap(\.self)
        groups.append((format, files.count, entries.count))
        for entry in entries {
            note(entry.fields, in: "entry")
            note(entry.request.fields, in: "request")
            note(entry.response.fields, in: "response")
            note(entry.response.content.fields, in: "content")
        }
    }

    private mutating func note(_ fields: JSONObject, in object: String) {
        for member in fields.members where member.name.text.hasPrefix("_") {
            keptFields["\(object) \(member.name.text)", default: 0] += 1
        }
    }

    /// The lines of the report.
    var lines: [String] {
        var lines = groups.map { format, files, entries in
            "\(format): \(entries.of("entry", "entries")) from \(files.of("file", "files"))"
        }
        if !keptFields.isEmpty {
            let fields = keptFields.sorted { $0.key < $1.key }.map { "\($0.key.printable) (\($0.value))" }
            lines.append("non-standard fields: " + fields.joined(separator: ", "))
        }
        lines += skipped.map { "skipped, unknown format: \($0.printable)" }
        if otherFiles > 0 { lines.append("skipped, unknown extension: \(otherFiles.of("file", "files"))") }
        return lines
    }
}

/// A recording made by another tool, or a folder of recordings, as a command-line argument.
struct RecordingInput {
    /// The file extensions to import from folders, including no extension, which is common for cassettes.
    private static let extensions: Set = [
        "", "json", "har", "yml", "yaml", "ndjson", "jsonl", "cassette", "flow", "flows", "mitm",
    ]

    let argument: String

    private var url: URL { URL(fileURLWithPath: argument) }

    /// Whether the argument is standard input.
    private var isStandardInput: Bool { argument == "-" }

    /// Whether the argument is a folder.
    var isFolder: Bool { !isStandardInput && FileManager.default.isFolder(url.path) }

    /// Returns the file, or the files in the folder and its subfolders, sorted by path.
    ///
    /// Hidden files are skipped, and so are folders named `__files`, which hold the bodies of WireMock mappings.
    ///
    /// - Parameter report: A report to which files with other extensions and unreadable subfolders are added.
    /// - Returns: The files.
    /// - Throws: `unreadableFile` if a folder has no recordings.
    func files(reportingTo report: inout ImportReport) throws(HARError) -> [URL] {
        let url = url
        guard isFolder else { return [isStandardInput ? RecordingFile.standardInput : url] }
        var recordings: [URL] = []
        let failures = ArchiveFolder.forEachFile(below: url, skipping: ["__files"], followsLinks: true) { file in
            guard Self.extensions.contains(CompressionFormats.contentExtension(of: file)) else {
                report.otherFiles += 1
                return
            }
            // Messages show this path, which begins with the argument as the user typed it.
            let path = file.path.dropFirst(url.path.count).drop { $0 == "/" }
            recordings.append(URL(fileURLWithPath: argument + (argument.hasSuffix("/") ? "" : "/") + path))
        }
        report.failures += failures
        guard recordings.isEmpty else { return recordings.sorted { $0.path < $1.path } }
        throw failures.first
            ?? HARError(
                .unreadableFile,
                "no recordings in the folder; expected files with no extension, or with one of these extensions: "
                    + Self.extensions.filter { !$0.isEmpty }.sorted().joined(separator: ", "),
                at: .init(file: url.relativePath))
    }

    /// Reads a file of at most the given size, in bytes.
    func read(_ file: URL, upTo sizeLimit: Int) throws(HARError) -> RecordingFile {
        func parse(_ data: Data) throws(HARError) -> JSONValue {
            try Self.isYAML(data, file) ? YAMLDocument.value(of: data) : LenientJSON.value(of: data)
        }
        return isStandardInput
            ? try RecordingFile(standardInputUpTo: sizeLimit, parse: parse)
            : try RecordingFile(contentsOf: file, below: isFolder ? url : nil, sizeLimit: sizeLimit, parse: parse)
    }

    /// Whether a file is YAML, judged by its extension or, if that is inconclusive, by its first character.
    private static func isYAML(_ data: Data, _ file: URL) -> Bool {
        switch CompressionFormats.contentExtension(of: file) {
        case "yml", "yaml": return true
        case "json", "har", "ndjson", "jsonl": return false
        default:
            let first = data.first { ![0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
            return first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
        }
    }
}

/// A recording format, as a command-line argument.
struct RecordingFormatOption: ExpressibleByArgument {
    static var allValueStrings: [String] { ImportFormats.all.map { $0.name } }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// The names of all formats.
    static var names: String { allValueStrings.joined(separator: ", ") }

    let format: any RecordingFormat.Type

    init?(argument: String) {
        guard let format = ImportFormats.all.first(where: { $0.name == argument }) else { return nil }
        self.format = format
    }
}
