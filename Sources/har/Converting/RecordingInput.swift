import ArgumentParser
import Foundation
import HTTPArchive
import RecordingFormats

/// A recording made by another tool, or a folder of recordings, as a command-line argument.
struct RecordingInput {
    /// The file extensions of recordings in folders; cassettes often have none.
    private static let extensions: Set = [
        "", "json", "har", "yml", "yaml", "ndjson", "jsonl", "cassette", "flow", "flows", "mitm",
    ]

    private let argument: String
    private let url: URL

    /// The base URL for URLs without a host.
    private let baseURL: String

    /// The maximum size of a file in bytes.
    private let sizeLimit: Int

    init(_ argument: String, baseURL: String, sizeLimit: Int?) {
        self.argument = argument
        url = URL(fileURLWithPath: argument)
        self.baseURL = baseURL
        self.sizeLimit = sizeLimit ?? RecordingFile.sizeLimit
    }

    /// Whether the argument is a folder, which can also contain other files.
    var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Returns the file, or the files in the folder and its subfolders, sorted by path.
    ///
    /// Hidden files are skipped, as are folders named `__files`, which hold the bodies of WireMock mappings.
    ///
    /// - Returns: The files, and the number of files that were ignored because of their extensions.
    /// - Throws: `unreadableFile` for a folder without recordings.
    func files() throws(HARError) -> (files: [URL], others: Int) {
        guard isFolder else { return ([url], 0) }
        var others = 0
        let found = FileManager.default.enumerator(atPath: url.path)
        var files: [URL] = []
        while let path = found?.nextObject() as? String {
            let name = path.split(separator: "/").last ?? ""
            // Messages show the path relative to the argument.
            let file = URL(fileURLWithPath: argument + (argument.hasSuffix("/") ? "" : "/") + path)
            if name.hasPrefix(".") || name == "__files" {
                found?.skipDescendants()
            } else if FileManager.default.isRegularFile(file.path) {
                let isRecording = Self.extensions.contains(file.pathExtension.lowercased())
                if isRecording { files.append(file) } else { others += 1 }
            }
        }
        guard !files.isEmpty else {
            throw HARError(
                .unreadableFile,
                "expected recordings in the folder, found no file without an extension or with the extension "
                    + Self.extensions.filter { !$0.isEmpty }.sorted().joined(separator: ", "),
                at: .init(file: url.relativePath))
        }
        return (files.sorted { $0.path < $1.path }, others)
    }

    /// Reads a file.
    func read(_ file: URL) throws(HARError) -> RecordingFile {
        var recording = try RecordingFile(
            contentsOf: file, below: isFolder ? url : nil, sizeLimit: sizeLimit
        ) { data throws(HARError) in
            try Self.isYAML(data, file) ? YAMLDocument.value(of: data) : LenientJSON.value(of: data)
        }
        recording.baseURL = baseURL
        return recording
    }

    /// Whether a file is YAML: by its extension, or if that is unknown, because it does not begin like JSON.
    private static func isYAML(_ data: Data, _ file: URL) -> Bool {
        switch file.pathExtension.lowercased() {
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
    static var allValueStrings: [String] { RecordingFormats.all.map { $0.name } }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// The names of all formats.
    static var names: String { allValueStrings.joined(separator: ", ") }

    /// The format.
    let format: any RecordingFormat.Type

    init?(argument: String) {
        guard let format = RecordingFormats.all.first(where: { $0.name == argument }) else { return nil }
        self.format = format
    }
}
