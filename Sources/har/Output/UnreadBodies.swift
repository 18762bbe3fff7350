import Foundation
import HTTPArchive
import Synchronization

/// The body files that could not be read, and without which the command continues.
///
/// Conditions and the command itself can need the same file, in several threads. The files are therefore collected for
/// the whole process, and each is reported once per entry, after the progress bar is cleared.
enum UnreadBodies {
    private struct Reference: Hashable {
        let archive: String
        let index: Int
        let name: String
    }

    private static let reasons = Mutex<[Reference: String]>([:])

    /// Whether all body files could be read so far.
    static var isEmpty: Bool { reasons.withLock { $0.isEmpty } }

    /// Returns the bytes of a body, or nil if it was not captured or if its file cannot be read, which is reported.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - index: The index of the entry.
    ///   - folder: The folder with the archive's body files; nil for none.
    ///   - read: A closure that reads the body from the folder.
    /// - Returns: The bytes.
    fileprivate static func bytes(
        of body: HAR.Body, ofEntry index: Int, in folder: HAR.BodyFolder?,
        _ read: (HAR.BodyFolder) throws(HARError) -> Data?
    ) -> Data? {
        guard let folder else { return body.data }
        do throws(HARError) {
            return try read(folder)
        } catch {
            guard case .file(let name) = body else { return nil }
            let reference = Reference(archive: folder.archive?.relativePath ?? "", index: index, name: name)
            reasons.withLock { $0[reference] = error.message }
            return nil
        }
    }

    /// Writes a warning for each body file, in the order of the archives and entries.
    static func report() {
        let sorted = reasons.withLock { $0 }.sorted {
            ($0.key.archive, $0.key.index, $0.key.name) < ($1.key.archive, $1.key.index, $1.key.name)
        }
        for (file, reason) in sorted {
            let archive = file.archive.isEmpty ? "" : "\(file.archive): "
            StandardError.line(
                "har: warning: \(archive)entry \(file.index): \(file.name): body file not read: \(reason)".printable)
        }
    }
}

extension HAR.Request {
    /// Returns the bytes of the body, or nil if it was not captured or if its file cannot be read, which is reported.
    ///
    /// - Parameters:
    ///   - folder: The folder with the archive's body files; nil for none.
    ///   - index: The index of the entry.
    /// - Returns: The bytes.
    /// - Complexity: O(*n*) in the size of the body.
    func availableBody(in folder: HAR.BodyFolder?, ofEntry index: Int) -> Data? {
        UnreadBodies.bytes(of: body, ofEntry: index, in: folder) { folder throws(HARError) in
            try decompressedBody(in: folder)
        }
    }
}

extension HAR.Response {
    /// Returns the bytes of the body, or nil if it was not captured or if its file cannot be read, which is reported.
    ///
    /// - Parameters:
    ///   - folder: The folder with the archive's body files; nil for none.
    ///   - index: The index of the entry.
    /// - Returns: The bytes.
    /// - Complexity: O(*n*) in the size of the body.
    func availableBody(in folder: HAR.BodyFolder?, ofEntry index: Int) -> Data? {
        UnreadBodies.bytes(of: body, ofEntry: index, in: folder) { folder throws(HARError) in
            try decompressedBody(in: folder)
        }
    }
}
