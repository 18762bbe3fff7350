import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The identity of a file, which is the same for all of its names: symbolic links, hard links and relative paths.
package struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Whether it is a regular file rather than a folder, a pipe or a device.
    package let isRegular: Bool

    /// Returns the identity of the file that a path leads to; nil if there is none.
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

/// The system calls that create and change files, which tests let fail or stop half-way.
package struct FileSystemCalls {
    /// Writes bytes at a place, and gives their number, as `pwrite` does.
    package var write: (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int = {
        pwrite($0, $1.baseAddress, $1.count, off_t($2))
    }

    /// Makes a file end at a place, as `ftruncate` does.
    package var truncate: (_ descriptor: Int32, _ size: Int) -> Int32 = { ftruncate($0, off_t($1)) }

    /// Has everything written reach the disk, as `fsync` does.
    package var synchronize: (_ descriptor: Int32) -> Int32 = { descriptor in
        #if canImport(Darwin)
            // fsync(2) of macOS leaves it in the disk's own memory.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }

    /// Closes a descriptor, as `close` does.
    var close: (_ descriptor: Int32) -> Int32 = { Foundation.close($0) }

    /// Creates a file without a name in a folder, as `open` does with `O_TMPFILE`; fails where the system has no such files.
    var openUnnamed: (_ folder: String, _ mode: mode_t) -> Int32 = { folder, mode in
        #if os(Linux)
            // O_TMPFILE, which Swift does not see (open(2)).
            return open(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode)
        #else
            return -1
        #endif
    }

    /// Creates the calls of the system.
    package init() {}

    /// Writes the names in the folder of a file to the disk.
    ///
    /// - Parameter path: The path of the file.
    func synchronizeFolder(of path: String) {
        let folder = open(TemporaryFile.folder(of: path), O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        _ = synchronize(folder)
        _ = close(folder)
    }
}
