import Foundation

/// Bodies that stand in files beside the archive.
enum BodyFile {
    /// Reads a file, which an archive may name only in its own folder.
    ///
    /// - Parameters:
    ///   - name: The name in the archive.
    ///   - folder: The folder of the archive.
    /// - Returns: The content.
    /// - Throws: `unreadableFile` when the file is missing or stands outside the folder.
    static func read(_ name: String, in folder: URL) throws(HARError) -> Data {
        let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let file = folder.appendingPathComponent(name).resolvingSymlinksInPath().standardizedFileURL
        guard file.path.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw HARError(
                .unreadableFile, "The archive names a file outside its folder for a body; it is not read.",
                at: .init(file: name))
        }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw HARError(
                .unreadableFile,
                "The file of a body, which stands beside the archive, cannot be read; copy the archive with it.",
                at: .init(file: file.path), underlying: error)
        }
    }
}
