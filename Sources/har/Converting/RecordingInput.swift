import ArgumentParser
import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import YAMLDocuments

/// A recording made by another tool, or a folder of recordings, as a command-line argument.
struct RecordingInput {
    /// The file extensions to import from folders, including no extension, which is common for cassettes.
    private static let extensions: Set = [
        "", "json", "har", "yml", "yaml", "ndjson", "jsonl", "cassette", "flow", "flows", "mitm",
    ]

    private let argument: String
    private let url: URL

    /// The base URL for URLs without a host.
    private let baseURL: String

    /// The maximum size of a file in bytes.
    private let sizeLimit: Int

    /// Whether the argument is a folder.
    let isFolder: Bool

    /// Whether the argument is standard input.
    private var isStandardInput: Bool { argument == "-" }

    init(_ argument: String, baseURL: String, sizeLimit: Int?) {
        self.argument = argument
        url = URL(fileURLWithPath: argument)
        self.baseURL = baseURL
        self.sizeLimit = sizeLimit ?? RecordingFile.sizeLimit
        isFolder = argument != "-" && FileManager.default.isFolder(url.path)
    }

    /// Returns the file, or the files in the folder and its subfolders, sorted by path.
    ///
    /// Hidden files are skipped, and so are folders named `__files`, which hold the bodies of WireMock mappings.
    ///
    /// - Parameter report: A report to which files with other extensions and unreadable subfolders are added.
    /// - Returns: The files.
    /// - Throws: `unreadableFile` if a folder has no recordings.
    func files(reportingTo report: inout ImportReport) throws(HARError) -> [URL] {
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

    /// Reads a file.
    func read(_ file: URL) throws(HARError) -> RecordingFile {
        func parse(_ data: Data) throws(HARError) -> JSONValue {
            try Self.isYAML(data, file) ? YAMLDocument.value(of: data) : LenientJSON.value(of: data)
        }
        var recording =
            isStandardInput
            ? try RecordingFile(standardInputUpTo: sizeLimit, parse: parse)
            : try RecordingFile(
                contentsOf: file, below: isFolder ? url : nil, sizeLimit: sizeLimit, parse: parse)
        recording.baseURL = baseURL
        return recording
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
