import Foundation

/// The path of an archive, which can name a file within a zip archive: `capture.zip:har.har`.
struct ArchivePath {
    /// The file.
    let file: URL

    /// The name of the file within the zip archive, or nil.
    let member: String?

    /// Splits a path.
    ///
    /// An existing file is never split, because file names can contain colons.
    ///
    /// - Parameter url: The path.
    init(_ url: URL) {
        let path = url.path
        if url.isFileURL, !FileManager.default.fileExists(atPath: path) {
            var rest = path[...]
            while let mark = rest.range(of: ".zip:", options: .caseInsensitive) {
                let colon = path.index(before: mark.upperBound)
                if FileManager.default.fileExists(atPath: String(path[..<colon])) {
                    file = URL(fileURLWithPath: String(path[..<colon]))
                    member = String(path[mark.upperBound...])
                    return
                }
                rest = path[mark.upperBound...]
            }
        }
        file = url
        member = nil
    }

    /// Throws if the file to write is not a local file.
    static func requireLocalOutput(_ url: URL) throws(HARError) {
        guard !url.isFileURL else { return }
        throw .unwritable(
            url.path,
            "Expected a file URL, found the scheme '\(url.scheme ?? "")'. Write to a local file and upload it.")
    }

    /// Returns the error for writing to a path in a zip file, or nil for other paths.
    static func failure(ofWriting url: URL) -> HARError? {
        guard ArchivePath(url).member != nil else { return nil }
        return .unwritable(url.relativePath, "A file in a zip file cannot be written. Choose another file.")
    }
}
