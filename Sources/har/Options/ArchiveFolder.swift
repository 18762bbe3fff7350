import Foundation
import HTTPArchive
import Synchronization

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

    /// The files and folders that cannot be read.
    final class Failures: Sendable {
        private let urls = Mutex<[URL]>([])

        /// Adds a file or folder.
        func add(_ url: URL) { urls.withLock { $0.append(url) } }

        /// The errors, in the order of the paths.
        var errors: [HARError] {
            urls.withLock { $0 }.sorted { $0.path < $1.path }.map { url in
                let message =
                    ArchiveFolder.hasInvalidName(url)
                    ? "cannot read the file, because its name is not UTF-8; rename it"
                    : "cannot read the folder; check its permissions"
                return HARError(.unreadableFile, message, at: .init(file: url.relativePath))
            }
        }
    }

    /// Finds archives.
    ///
    /// - Parameter path: A folder or an archive.
    /// - Throws: `unreadableFile`.
    init(_ path: String) throws(HARError) {
        let given = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: given.path, isDirectory: &isFolder) else {
            throw HARError(.unreadableFile, "no such file or folder; check the path", at: .init(file: path))
        }
        guard isFolder.boolValue else {
            archives = [given]
            return
        }
        let unreadable = Failures()
        for file in Self.files(below: given, onError: unreadable.add) {
            if CompressionFormats.isArchiveName(file.lastPathComponent) {
                archives.append(file)
            } else if Self.isBodyName(file.lastPathComponent) {
                bodyFiles.insert(file.path)
            }
        }
        failures = unreadable.errors
        if let failure = failures.first, archives.isEmpty, bodyFiles.isEmpty { throw failure }
        archives.sort { $0.path < $1.path }
    }

    /// Returns all files in a folder and its subfolders, except hidden files and third-party packages.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - names: The names of folders to skip; by default, folders of third-party packages.
    ///   - followsLinks: Whether to return symbolic links to files; `false` by default.
    ///   - onError: A function to call with each file or folder that is skipped because it cannot be read.
    /// - Returns: The files.
    static func files(
        below folder: URL, skipping names: Set<String> = Self.skipped, followsLinks: Bool = false,
        onError: @escaping (URL) -> Void
    ) -> some Sequence<URL> {
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles
        ) { url, _ in
            onError(url)
            return true
        }
        return AnyIterator {
            while let url = files?.nextObject() as? URL {
                if names.contains(url.lastPathComponent) { files?.skipDescendants() }
                if (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true { return url }
                if followsLinks, FileManager.default.isRegularFile(url.path) { return url }
                if hasInvalidName(url) { onError(url) }
            }
            return nil
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
