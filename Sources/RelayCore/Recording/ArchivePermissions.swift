import Foundation
import HTTPArchive

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Checks of the permissions that a recording needs on an archive and its folder.
enum ArchivePermissions {
    /// Returns the error for recording into an archive, or nil if it can be written or does not exist.
    ///
    /// - Parameter archive: The archive.
    /// - Returns: An error of the code `unwritableFile`.
    static func refusal(ofRecordingInto archive: URL) -> HARError? {
        reasonNotToWrite(archive).map { readOnly(archive, $0) }
    }

    /// Returns the error for recording into a read-only archive.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - reason: The reason that it cannot be written.
    ///   - remark: An additional sentence; nil by default.
    /// - Returns: The error, of the code `unwritableFile`.
    static func readOnly(_ archive: URL, _ reason: String, _ remark: String? = nil) -> HARError {
        let sentences = [
            "The archive \(archive.path) is read-only (\(reason)), so nothing is recorded.", remark,
            "Make the file and its folder writable, or use the mode 'replay'.",
        ]
        return HARError(
            .unwritableFile, sentences.compactMap { $0 }.joined(separator: " "), at: .init(file: archive.path))
    }

    /// Returns the reason that an archive or its folder cannot be written, or nil if both can or the archive does not
    /// exist.
    ///
    /// Permission bits also apply to the superuser: removing them means that the file must not change.
    static func reasonNotToWrite(_ archive: URL) -> String? {
        guard FileManager.default.fileExists(atPath: archive.path) else { return nil }
        if let reason = reason(archive.path, W_OK) { return "file: \(reason)" }
        // A symbolic link is kept; the target file is replaced.
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
