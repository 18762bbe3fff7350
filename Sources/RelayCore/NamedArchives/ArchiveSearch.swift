package import Foundation
package import HTTPArchive

/// The folders in which archives are searched by name.
package struct ArchiveSearch: Sendable {
    /// The folder that is searched inside the folder of a file or bundle, after the folder itself.
    package static let subfolder = "Recordings"

    private let folders: [URL]
    private let recordingFolder: URL

    /// Creates a search next to a file, and then in a bundle.
    ///
    /// - Parameters:
    ///   - filePath: The path of the file, such as the source file of a test.
    ///   - bundle: The bundle; nil by default.
    package init(beside filePath: String, in bundle: Bundle? = nil) {
        let beside = URL(fileURLWithPath: filePath).deletingLastPathComponent()
        recordingFolder = beside.appendingPathComponent(Self.subfolder, isDirectory: true)
        folders = [beside.path, bundle?.resourcePath].compactMap { $0 }.flatMap { path in
            // A relative URL is resolved against the last slash of its base.
            let folder = URL(fileURLWithPath: path, isDirectory: true)
            return [folder, folder.appendingPathComponent(Self.subfolder, isDirectory: true)]
        }
    }

    /// Finds an archive.
    ///
    /// - Parameter name: The archive's name, optionally with folders. `.har` is appended if the name has no such
    ///   extension.
    /// - Returns: The URL of the file.
    /// - Throws: `unreadableArchive` if the archive does not exist; the message lists the searched paths.
    package func url(of name: String) throws(RelayError) -> URL {
        if let found = existingURL(of: name) { return found }
        var lines = ["The archive '\(name)' does not exist. Searched paths:"]
        var listed: Set<String> = []
        lines += candidates(of: name).map(\.path).filter { listed.insert($0).inserted }.map { "  \($0)" }
        lines.append(
            "Move it to one of these paths, correct the name, pass the bundle that contains it, or record it with the "
                + "mode 'once' (\(ReplayMode.variable)=once).")
        throw RelayError(.unreadableArchive, lines.joined(separator: "\n"))
    }

    /// Finds an archive if it exists.
    ///
    /// - Parameter name: The archive's name, optionally with folders.
    /// - Returns: The URL of the file, or nil if it does not exist.
    package func existingURL(of name: String) -> URL? {
        candidates(of: name).first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Returns the file to record an archive into.
    ///
    /// This is the existing file, unless it is in a bundle, which is a copy. Otherwise, the file is in the folder
    /// ``subfolder`` next to the searched file.
    ///
    /// - Parameter name: The archive's name, optionally with folders.
    /// - Returns: The URL of the file, whose folder need not exist.
    package func recordingURL(of name: String) -> URL {
        let besideFile = candidates(of: name).prefix(2)
        return besideFile.first { FileManager.default.fileExists(atPath: $0.path) }
            ?? Self.file(named: name, in: recordingFolder)
    }

    /// Returns the error for recording an archive, or nil if it can be recorded.
    ///
    /// An archive that exists in a read-only location must not be recorded elsewhere: from the next run on, one of the
    /// two files would hide the other.
    ///
    /// - Parameter name: The archive's name, optionally with folders.
    /// - Returns: An error of the code `unwritableFile` that names both files.
    package func refusal(ofRecording name: String) -> HARError? {
        guard let found = existingURL(of: name) else { return nil }
        let target = recordingURL(of: name)
        guard found.path == target.path else {
            return HARError(
                .unwritableFile,
                """
                The archive '\(name)' is found in a bundle and cannot be recorded there. A recording at \(target.path) \
                would hide it from then on. Copy it there to record into the copy, or remove it from the bundle.
                """,
                at: .init(file: found.path))
        }
        guard let reason = ArchivePermissions.reasonNotToWrite(found) else { return nil }
        let other = candidates(of: name).prefix(2).first { $0.path != found.path }
        let remark = other.map {
            "It is not recorded at \($0.path) either, because one of the two files would hide the other."
        }
        return ArchivePermissions.readOnly(found, reason, remark)
    }

    private func candidates(of name: String) -> [URL] { folders.map { Self.file(named: name, in: $0) } }

    private static func file(named name: String, in folder: URL) -> URL {
        let file = name.lowercased().hasSuffix(".har") ? name : name + ".har"
        return URL(fileURLWithPath: file, relativeTo: folder).standardizedFileURL
    }
}
