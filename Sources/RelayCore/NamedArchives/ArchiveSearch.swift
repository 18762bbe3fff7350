package import Foundation
package import HTTPArchive

/// Where archives are that are called by their names.
package struct ArchiveSearch: Sendable {
    /// The folder that is looked into beside a file or in a bundle, after the place itself.
    package static let subfolder = "Recordings"

    private let folders: [URL]
    private let recordingFolder: URL

    /// Looks beside a file, and then into a bundle.
    ///
    /// - Parameters:
    ///   - filePath: The file, such as that of a test's source.
    ///   - bundle: The bundle; none by default.
    package init(beside filePath: String, in bundle: Bundle? = nil) {
        let beside = URL(fileURLWithPath: filePath).deletingLastPathComponent()
        recordingFolder = beside.appendingPathComponent(Self.subfolder, isDirectory: true)
        folders = [beside.path, bundle?.resourcePath].compactMap { $0 }.flatMap { path in
            // What is relative to a URL is relative to its last slash.
            let folder = URL(fileURLWithPath: path, isDirectory: true)
            return [folder, folder.appendingPathComponent(Self.subfolder, isDirectory: true)]
        }
    }

    /// Finds an archive.
    ///
    /// - Parameter name: Its name, with folders if need be; `.har` is added where the name does not end so.
    /// - Returns: The file.
    /// - Throws: `unreadableArchive` if there is none, with all locations that were searched.
    package func url(of name: String) throws(RelayError) -> URL {
        if let found = existingURL(of: name) { return found }
        var lines = ["There is no archive '\(name)'. It was looked for at:"]
        var listed: Set<String> = []
        lines += places(of: name).map(\.path).filter { listed.insert($0).inserted }.map { "  \($0)" }
        lines.append(
            "Put it there, correct its name, pass the bundle that has it among its resources, or record it with the "
                + "mode 'once' (\(ReplayMode.variable)=once).")
        throw RelayError(.unreadableArchive, lines.joined(separator: "\n"))
    }

    /// Finds an archive that is there.
    ///
    /// - Parameter name: Its name, with folders if need be.
    /// - Returns: The file; `nil` when there is none.
    package func existingURL(of name: String) -> URL? {
        places(of: name).first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Where an archive is recorded: where it is found, but for bundles, which are copies; else in the folder
    /// ``subfolder`` beside the file.
    ///
    /// - Parameter name: Its name, with folders if need be.
    /// - Returns: The file, whose folder need not be there.
    package func recordingURL(of name: String) -> URL {
        let besideFile = places(of: name).prefix(2)
        return besideFile.first { FileManager.default.fileExists(atPath: $0.path) }
            ?? Self.file(named: name, in: recordingFolder)
    }

    /// Returns the error for recording an archive, or nil if it can be recorded.
    ///
    /// An archive that is found where it cannot be written must not be recorded elsewhere: one of the two files would
    /// hide the other from the next run on.
    ///
    /// - Parameter name: The archive's name, with folders if need be.
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
        let other = places(of: name).prefix(2).first { $0.path != found.path }
        let remark = other.map { "It is not recorded at \($0.path) either, for one of the two would hide the other." }
        return ArchivePermissions.readOnly(found, reason, remark)
    }

    private func places(of name: String) -> [URL] { folders.map { Self.file(named: name, in: $0) } }

    private static func file(named name: String, in folder: URL) -> URL {
        let file = name.lowercased().hasSuffix(".har") ? name : name + ".har"
        return URL(fileURLWithPath: file, relativeTo: folder).standardizedFileURL
    }
}
