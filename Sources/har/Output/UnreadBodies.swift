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

    /// Adds a body file.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - index: The index of the entry.
    ///   - folder: The folder with the archive's body files.
    ///   - error: The error that reading the file caused.
    static func add(_ name: String, ofEntry index: Int, in folder: HAR.BodyFolder, _ error: HARError) {
        let reference = Reference(archive: folder.archive?.relativePath ?? "", index: index, name: name)
        reasons.withLock { $0[reference] = error.message }
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
