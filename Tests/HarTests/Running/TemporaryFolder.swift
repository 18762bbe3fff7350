import Foundation
import HTTPArchive

/// A folder that is deleted when this object is deallocated.
final class TemporaryFolder: Sendable {
    /// The URL of the folder.
    let url: URL

    /// The user cache folder of the tool, which is created when needed.
    var caches: URL { url.appendingPathComponent("caches") }

    init() throws {
        url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("har-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file.
    @discardableResult
    func write(_ data: Data, to name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }

    /// Writes an archive.
    @discardableResult
    func write(_ log: HAR.Log, to name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try log.write(to: file)
        return file
    }

    /// Reads a file.
    func read(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
}
