package import Foundation
package import HTTPArchive

/// A search for archives by name in several folders.
package struct ArchiveSearch: Sendable {
    /// The name of the subfolder that is searched after its parent folder.
    package static let subfolder = "Recordings"

    /// The folders to search: first those near the file, then those in the bundle.
    private let folders: [URL]

    /// The number of leading elements of `folders` that are not in the bundle.
    private let sourceCount: Int

    private let recordingFolder: URL

    /// Creates a search that starts in the folder of a file and continues in a bundle.
    ///
    /// - Parameters:
    ///   - filePath: The path of the file, such as the source file of a test.
    ///   - root: The path of the only folder to search and to record into, absolute or relative to the folder of the
    ///     file. If it is nil (the default), the folder of the file and its ``subfolder`` are searched.
    ///   - bundle: The bundle to search after these folders; nil by default. A relative `root` also applies to the
    ///     bundle.
    package init(beside filePath: String, root: String? = nil, in bundle: Bundle? = nil) {
        let beside = URL(fileURLWithPath: filePath).deletingLastPathComponent()
        let parts = root.map { [$0] } ?? ["", Self.subfolder]
        let sources = parts.map { Self.folder($0, in: beside) }
        let isRelative = root?.hasPrefix("/") != true
        let resources = bundle?.resourceURL.map { resources in
            (isRelative ? parts : [""]).map { Self.folder($0, in: resources) }
        }
        recordingFolder = sources[sources.count - 1]
        sourceCount = sources.count
        folders = sources + (resources ?? [])
    }

    private static func folder(_ path: String, in folder: URL) -> URL {
        if path.hasPrefix("/") { return URL(fileURLWithPath: path, isDirectory: true) }
        // The base must end with a slash: relative URLs replace everything after the last slash of their base.
        let base = URL(fileURLWithPath: folder.path, isDirectory: true)
        return path.isEmpty ? base : base.appendingPathComponent(path, isDirectory: true).standardizedFileURL
    }

    /// Finds an archive.
    ///
    /// - Parameter name: The archive's name, which can include folders. `.har` is appended unless the name already ends
    ///   with it or with the extension of a compression format, such as `.gz`.
    /// - Returns: The URL of the file.
    /// - Throws: `unreadableArchive` if the archive does not exist; the message lists the searched paths.
    package func url(of name: String) throws(RelayError) -> URL {
        if let found = existingURL(of: name) { return found }
        let meant = EditDistance.nearest(to: Self.base(of: name), in: existingNames(beside: name))
        let question = meant.map { " Did you mean '\($0)'?" } ?? ""
        var lines = ["The archive '\(name)' does not exist.\(question) Searched paths:"]
        var listed: Set<String> = []
        lines += candidates(of: name).map(\.path).filter { listed.insert($0).inserted }.map { "  \($0)" }
        lines.append(
            "Move the archive to one of these paths, correct the name, or pass the bundle that contains it. To record "
                + "it, set the mode to 'once', or set the environment variable \(ReplayMode.variable)=once.")
        throw RelayError(.unreadableArchive, lines.joined(separator: "\n"))
    }

    /// Finds an archive if it exists.
    ///
    /// - Parameter name: The archive's name, which can include folders.
    /// - Returns: The URL of the file, or nil if it does not exist.
    package func existingURL(of name: String) -> URL? {
        candidates(of: name).first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Returns the URL of the file to record an archive into.
    ///
    /// An existing archive outside the bundle is updated in place. Archives in the bundle are only copies, so they are
    /// never updated. A new archive is created in the root folder of the search, or by default in the ``subfolder``
    /// next to the file.
    ///
    /// - Parameter name: The archive's name, which can include folders.
    /// - Returns: The URL of the file. Its folder might not exist yet.
    package func recordingURL(of name: String) -> URL {
        let besideFile = candidates(of: name).prefix(sourceCount)
        return besideFile.first { FileManager.default.fileExists(atPath: $0.path) }
            ?? Self.file(named: name, in: recordingFolder)
    }

    /// Returns an error if an archive cannot be recorded, or nil if it can.
    ///
    /// If an archive exists in a read-only location, recording it elsewhere is also an error, because one of the two
    /// files would hide the other in the next run.
    ///
    /// - Parameter name: The archive's name, which can include folders.
    /// - Returns: An error with the code `unwritableFile` that names both files, or nil.
    package func refusal(ofRecording name: String) -> HARError? {
        guard let found = existingURL(of: name) else { return nil }
        let target = recordingURL(of: name)
        guard found.path == target.path else {
            return HARError(
                .unwritableFile,
                """
                The archive '\(name)' is in a bundle and cannot be recorded there. A recording at \(target.path) \
                would hide the archive in the bundle. Copy the archive to that path to record into the copy, or \
                remove it from the bundle.
                """,
                at: .init(file: found.path))
        }
        guard let reason = ArchivePermissions.reasonNotToWrite(found) else { return nil }
        let other = candidates(of: name).prefix(sourceCount).first { $0.path != found.path }
        let remark = other.map {
            "No archive is created at \($0.path) either, because one of the two files would hide the other."
        }
        return ArchivePermissions.readOnly(found, reason, remark)
    }

    /// Returns the names of all archives in the searched folders.
    private func existingNames(beside name: String) -> [String] {
        let folders = Set(candidates(of: name).map { $0.deletingLastPathComponent().path })
        let prefix = name.lastIndex(of: "/").map { name[...$0] } ?? ""
        return folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
            .filter { CompressionFormats.isArchiveName($0) }.map { prefix + Self.base(of: $0) }.sorted()
    }

    /// Returns a name without the extension `.har`.
    private static func base(of name: String) -> String {
        name.lowercased().hasSuffix(".har") ? String(name.dropLast(4)) : name
    }

    private func candidates(of name: String) -> [URL] { folders.map { Self.file(named: name, in: $0) } }

    private static func file(named name: String, in folder: URL) -> URL {
        let isComplete =
            name.lowercased().hasSuffix(".har") || CompressionFormats.compresses(URL(fileURLWithPath: name))
        let file = isComplete ? name : name + ".har"
        return URL(fileURLWithPath: file, relativeTo: folder).standardizedFileURL
    }
}
