import Foundation
import HTTPArchive

/// Checks the file permissions required to record into an archive.
enum ArchivePermissions {
    /// Returns an error if an archive exists but cannot be written, or nil otherwise.
    ///
    /// - Parameter archive: The archive.
    /// - Returns: An error with the code `unwritableFile`, or nil.
    static func refusal(ofRecordingInto archive: URL) -> HARError? {
        reasonNotToWrite(archive).map { readOnly(archive, $0) }
    }

    /// Returns the error to report for a read-only archive.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - reason: The reason why it cannot be written.
    ///   - remark: An additional sentence; nil by default.
    /// - Returns: The error, with the code `unwritableFile`.
    static func readOnly(_ archive: URL, _ reason: String, _ remark: String? = nil) -> HARError {
        let sentences = [
            "The archive \(archive.path) is read-only (\(reason)), so nothing is recorded.", remark,
            "Make the file and its folder writable, or use the mode 'replay'.",
        ]
        return HARError(
            .unwritableFile, sentences.compactMap { $0 }.joined(separator: " "), at: .init(file: archive.path))
    }

    /// Returns the reason why an archive cannot be written, or nil if the archive and its folder are writable or the
    /// archive does not exist.
    ///
    /// A file or folder without any write permission is considered read-only even for the superuser, because removing
    /// the permission protects it from changes.
    static func reasonNotToWrite(_ archive: URL) -> String? {
        guard FileManager.default.fileExists(atPath: archive.path) else { return nil }
        if let reason = reason(archive.path, W_OK) { return "file: \(reason)" }
        // If the archive is a symbolic link, recording replaces the target of the link.
        for file in [archive, archive.resolvingSymlinksInPath()] {
            if let reason = reason(file.deletingLastPathComponent().path, W_OK | X_OK) { return "folder: \(reason)" }
        }
        return nil
    }

    private static func reason(_ path: String, _ mode: Int32) -> String? {
        var status = stat()
        if access(path, mode) != 0 { return String(cString: strerror(errno)) }
        if stat(path, &status) == 0, status.st_mode & 0o222 == 0 { return String(cString: strerror(EACCES)) }
        return nil
    }
}
