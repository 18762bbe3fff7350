import Foundation
import HTTPArchive

/// A folder of archives that is removed with the object.
final class TemporaryArchives: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of a source file that would stand in the folder.
    var sourceFile: String { folder.appendingPathComponent("Tests.swift").path }

    /// Writes an archive of one entry.
    ///
    /// - Parameters:
    ///   - name: Its name, with folders if need be.
    ///   - text: The body of the entry, which is for `http://a/`.
    ///   - isSettled: Whether the file looks as if it were old.
    /// - Returns: The file.
    /// - Throws: What writing throws.
    @discardableResult
    func write(_ name: String, saying text: String, isSettled: Bool = true) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: [.entry(text: text)]).write(to: url)
        if isSettled {
            let longAgo = Date(timeIntervalSince1970: 1_700_000_000)
            try FileManager.default.setAttributes([.modificationDate: longAgo], ofItemAtPath: url.path)
        }
        return url
    }
}
