import Foundation

/// The identity of a file, which is the same for all paths, symbolic links and hard links to the file.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Whether the file is a regular file rather than a folder, a pipe or a device.
    package let isRegular: Bool

    /// Creates the identity of the file at a path; returns nil if no file exists there.
    ///
    /// - Parameter path: The path.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
