import Foundation
import HTTPArchive

/// The archives below a folder, and the files that look like bodies of archives.
struct ArchiveFolder {
    /// What holds no recordings of one's own.
    private static let skipped: Set = ["node_modules", "DerivedData", "Pods", "Carthage"]

    /// The folder.
    let url: URL

    /// The archives, in the order of their paths.
    private(set) var archives: [URL] = []

    /// The paths of files that have the name of a body: 40 hexadecimal digits, and an extension.
    private(set) var bodyFiles: Set<String> = []

    /// Looks for archives.
    ///
    /// - Parameter path: The folder, or a single archive.
    /// - Throws: `unreadableFile`.
    init(_ path: String) throws(HARError) {
        let given = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: given.path, isDirectory: &isFolder) else {
            throw HARError(
                .unreadableFile, "There is no such folder; name the one that has the archives.", at: .init(file: path))
        }
        guard isFolder.boolValue else {
            url = given.deletingLastPathComponent()
            archives = [given]
            return
        }
        url = given
        var unreadable: URL?
        for file in Self.files(below: given, onError: { unreadable = $0 }) {
            if file.pathExtension.lowercased() == "har" {
                archives.append(file)
            } else if Self.isBodyName(file.lastPathComponent) {
                bodyFiles.insert(file.path)
            }
        }
        if let unreadable, archives.isEmpty, bodyFiles.isEmpty {
            throw HARError(.unreadableFile, "The folder cannot be read.", at: .init(file: unreadable.path))
        }
        archives.sort { $0.path < $1.path }
    }

    /// All files below a folder but hidden ones and those of other people's packages.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - onError: Is called with what cannot be read; that is left out.
    /// - Returns: The files.
    static func files(below folder: URL, onError: @escaping (URL) -> Void = { _ in }) -> some Sequence<URL> {
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: .skipsHiddenFiles
        ) { url, _ in
            onError(url)
            return true
        }
        return AnyIterator {
            while let url = files?.nextObject() as? URL {
                if skipped.contains(url.lastPathComponent) { files?.skipDescendants() }
                if (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true { return url }
            }
            return nil
        }
    }

    private static func isBodyName(_ name: String) -> Bool {
        let digits = name.utf8.prefix { $0 != UInt8(ascii: ".") }
        return digits.count == 40 && digits.allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    }
}
