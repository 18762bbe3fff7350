import Foundation
import HTTPArchive

/// The archives in a folder and its subfolders, and the files that look like body files of archives.
struct ArchiveFolder {
    /// The names of folders that hold third-party packages or build products, which are skipped.
    private static let skipped: Set = ["node_modules", "DerivedData", "Pods", "Carthage"]

    /// The archives, sorted by path.
    private(set) var archives: [URL] = []

    /// The paths of files named like a body file: 40 hexadecimal digits and an extension.
    private(set) var bodyFiles: Set<String> = []

    /// The errors of subfolders that were skipped because they cannot be read.
    private(set) var failures: [HARError] = []

    /// Finds archives.
    ///
    /// - Parameter path: A folder or an archive.
    /// - Throws: `unreadableFile`.
    init(_ path: String) throws(HARError) {
        let given = URL(fileURLWithPath: path)
        guard FileManager.default.fileExists(atPath: given.path) else {
            throw HARError(.unreadableFile, "no such file or folder; check the path", at: .init(file: path))
        }
        guard FileManager.default.isFolder(given.path) else {
            archives = [given]
            return
        }
        failures = Self.forEachFile(below: given) { file in
            if CompressionFormats.isArchiveName(file.lastPathComponent) {
                archives.append(file)
            } else if Self.isBodyName(file.lastPathComponent) {
                bodyFiles.insert(file.path)
            }
        }
        if let failure = failures.first, archives.isEmpty, bodyFiles.isEmpty { throw failure }
        archives.sort { $0.path < $1.path }
    }

    /// Calls a closure with each file in a folder and its subfolders, except hidden files and third-party packages.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - names: The names of folders to skip; by default, folders of third-party packages.
    ///   - followsLinks: Whether symbolic links to files are files; `false` by default.
    ///   - body: A closure that receives a file.
    /// - Returns: The errors of files and folders that were skipped because they cannot be read, in the order of the
    ///   paths.
    static func forEachFile(
        below folder: URL, skipping names: Set<String> = Self.skipped, followsLinks: Bool = false, _ body: (URL) -> Void
    ) -> [HARError] {
        var unreadable: [URL] = []
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles
        ) { url, _ in
            unreadable.append(url)
            return true
        }
        while let url = files?.nextObject() as? URL {
            if names.contains(url.lastPathComponent) { files?.skipDescendants() }
            let isFile = (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
            if isFile || followsLinks && FileManager.default.isRegularFile(url.path) {
                body(url)
            } else if hasInvalidName(url) {
                unreadable.append(url)
            }
        }
        return unreadable.sorted { $0.path < $1.path }.map { url in
            let message =
                hasInvalidName(url)
                ? "cannot read the file, because its name is not UTF-8; rename it"
                : "cannot read the folder; check its permissions"
            return HARError(.unreadableFile, message, at: .init(file: url.relativePath))
        }
    }

    /// Whether the name of a file is not UTF-8, so that Foundation repairs it and does not find the file.
    private static func hasInvalidName(_ url: URL) -> Bool {
        url.lastPathComponent.contains("\u{FFFD}") && !FileManager.default.fileExists(atPath: url.path)
    }

    private static func isBodyName(_ name: String) -> Bool {
        let digits = name.utf8.prefix { $0 != UInt8(ascii: ".") }
        return digits.count == 40 && digits.allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    }
}
