import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The identity of a file, which is equal for all of its names: symbolic links, hard links and relative paths.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Whether the file is a regular file rather than a folder, a pipe or a device.
    package let isRegular: Bool

    /// Creates the identity of the file at a path; returns nil if there is none.
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

/// The system calls that create and change files; tests replace them to simulate errors and interruptions.
package struct FileSystemCalls {
    /// Writes bytes at an offset, and returns their number, like `pwrite`.
    package var write: (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int = {
        pwrite($0, $1.baseAddress, $1.count, off_t($2))
    }

    /// Truncates a file to a size in bytes, like `ftruncate`.
    package var truncate: (_ descriptor: Int32, _ size: Int) -> Int32 = { ftruncate($0, off_t($1)) }

    /// Flushes all written data to the disk, like `fsync`.
    package var synchronize: (_ descriptor: Int32) -> Int32 = { descriptor in
        #if canImport(Darwin)
            // On macOS, fsync(2) does not flush the cache of the disk.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }

    /// Closes a descriptor, like `close`.
    var close: (_ descriptor: Int32) -> Int32 = { Foundation.close($0) }

    /// Creates an unnamed file in a folder, like `open` with `O_TMPFILE`; fails if the system does not support this.
    var openUnnamed: (_ folder: String, _ mode: mode_t) -> Int32 = { folder, mode in
        #if os(Linux)
            // O_TMPFILE is a macro that Swift does not import (open(2)).
            return open(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode)
        #else
            return -1
        #endif
    }

    /// Creates the calls of the system.
    package init() {}

    /// Flushes the folder of a file to the disk, so that the names in it are permanent.
    ///
    /// - Parameter path: The path of the file.
    func synchronizeFolder(of path: String) {
        let folder = open(TemporaryFile.folder(of: path), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = synchronize(folder)
        _ = close(folder)
    }
}
