package import Foundation
package import HTTPArchive

/// Where archives are that are called by their names.
package struct ArchiveSearch: Sendable {
    /// The folder that is looked into beside a file or in a bundle, after the place itself.
    package static let subfolder = "Recordings"

    private let folders: [URL]

    /// Looks beside a file, and then into a bundle.
    ///
    /// - Parameters:
    ///   - filePath: The file, such as that of a test's source.
    ///   - bundle: The bundle; none by default.
    package init(beside filePath: String, in bundle: Bundle? = nil) {
        let beside = URL(fileURLWithPath: filePath).deletingLastPathComponent()
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
    /// - Throws: `unreadableFile` when there is none, with all places at which it could be.
    package func url(of name: String) throws(HARError) -> URL {
        let file = name.lowercased().hasSuffix(".har") ? name : name + ".har"
        let places = folders.map { URL(fileURLWithPath: file, relativeTo: $0).standardizedFileURL }
        if let found = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) { return found }
        var lines = ["There is no archive '\(name)'. It was looked for at:"]
        var listed: Set<String> = []
        lines += places.map(\.path).filter { listed.insert($0).inserted }.map { "  \($0)" }
        lines.append("Put it there, correct its name, or pass the bundle that has it among its resources.")
        throw HARError(.unreadableFile, lines.joined(separator: "\n"))
    }
}
