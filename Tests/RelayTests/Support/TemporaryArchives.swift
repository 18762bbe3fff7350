import Foundation
import HTTPArchive

/// A temporary folder for archives that is removed when this object is deallocated.
final class TemporaryArchives: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of an imaginary source file in the folder.
    var sourceFile: String { folder.appendingPathComponent("Tests.swift").path }

    /// Writes an archive that contains one entry.
    ///
    /// - Parameters:
    ///   - name: The file name, which can include folders.
    ///   - text: The response body of the entry, whose URL is `http://a/`.
    ///   - isSettled: Whether the file has an old modification time.
    /// - Returns: The URL of the file.
    /// - Throws: An error if the file cannot be written.
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
