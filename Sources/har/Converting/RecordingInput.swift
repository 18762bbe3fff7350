import ArgumentParser
import Foundation
import HTTPArchive
import RecordingFormats

/// A file of another tool, or a folder of such files, as it is named on the command line.
struct RecordingInput {
    /// The files that are looked at in folders; cassettes often have no extension at all.
    private static let extensions: Set = [
        "", "json", "har", "yml", "yaml", "ndjson", "jsonl", "cassette", "flow", "flows", "mitm",
    ]

    private let argument: String
    private let url: URL

    /// Where URLs begin that the formats have without a host.
    private let baseURL: String

    init(_ argument: String, baseURL: String) {
        self.argument = argument
        url = URL(fileURLWithPath: argument)
        self.baseURL = baseURL
    }

    /// Whether it is a folder, in which there may be other files too.
    var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// The files: the one that was named, or those of a folder at any depth, in the order of their paths.
    ///
    /// The folders `__files` are left out, where WireMock has bodies, and what is hidden.
    ///
    /// - Returns: The files, and how many others there are in the folder.
    /// - Throws: `unreadableFile` for a folder without recordings.
    func files() throws(HARError) -> (files: [URL], others: Int) {
        guard isFolder else { return ([url], 0) }
        var others = 0
        let found = FileManager.default.enumerator(atPath: url.path)
        var files: [URL] = []
        while let path = found?.nextObject() as? String {
            let name = path.split(separator: "/").last ?? ""
            // Named by the path that was typed, as messages show it.
            let file = URL(fileURLWithPath: argument + (argument.hasSuffix("/") ? "" : "/") + path)
            if name.hasPrefix(".") || name == "__files" {
                found?.skipDescendants()
            } else if FileManager.default.isRegularFile(file.path) {
                let isLookedAt = Self.extensions.contains(file.pathExtension.lowercased())
                if isLookedAt { files.append(file) } else { others += 1 }
            }
        }
        guard !files.isEmpty else {
            throw HARError(
                .unreadableFile,
                "There are no recordings in the folder: no files with the extension json, yml, yaml, har or without one.",
                at: .init(file: url.relativePath))
        }
        return (files.sorted { $0.path < $1.path }, others)
    }

    /// Reads one of the files.
    func read(_ file: URL) throws(HARError) -> RecordingFile {
        var recording = try RecordingFile(contentsOf: file, below: isFolder ? url : nil) { data throws(HARError) in
            try Self.isYAML(data, file) ? YAMLDocument.value(of: data) : LenientJSON.value(of: data)
        }
        recording.baseURL = baseURL
        return recording
    }

    /// Whether a file is YAML by its name, or else because it does not begin as JSON does.
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

/// A kind of recordings as it is named on the command line.
struct RecordingKind: ExpressibleByArgument {
    static var allValueStrings: [String] { RecordingFormats.all.map { $0.name } }

    /// The names of all kinds.
    static var names: String { allValueStrings.joined(separator: ", ") }

    /// The format of the kind.
    let format: any RecordingFormat.Type

    init?(argument: String) {
        guard let format = RecordingFormats.all.first(where: { $0.name == argument }) else { return nil }
        self.format = format
    }
}
