package import Foundation

/// The system calls that create, change and remove files.
///
/// An object that writes files uses the ``current`` calls at the time of its creation. Tests replace the calls to
/// simulate errors and power failures at any point.
package struct FileSystemCalls: Sendable {
    /// The calls for objects that the current task or thread creates; the system's calls by default.
    @TaskLocal package static var current = FileSystemCalls()

    /// Opens a file, like `open`.
    package var open: @Sendable (_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 = {
        Foundation.open($0, $1 | O_CLOEXEC, $2)
    }

    /// Creates an unnamed file in a folder, like `open` with `O_TMPFILE`; fails if the system does not support it.
    package var openUnnamed: @Sendable (_ folder: String, _ mode: mode_t) -> Int32 = { folder, mode in
        #if os(Linux)
            // O_TMPFILE is a macro that Swift does not import (open(2)).
            return Foundation.open(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, mode)
        #else
            return -1
        #endif
    }

    /// Writes bytes at the current file offset, and returns the number of bytes written, like `write`.
    package var append: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int = {
        Foundation.write($0, $1.baseAddress, $1.count)
    }

    /// Writes bytes at an offset, and returns the number of bytes written, like `pwrite`.
    package var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int = {
        pwrite($0, $1.baseAddress, $1.count, off_t($2))
    }

    /// Truncates a file to a size in bytes, like `ftruncate`.
    package var truncate: @Sendable (_ descriptor: Int32, _ size: Int) -> Int32 = { ftruncate($0, off_t($1)) }

    /// Flushes all written data to the disk, like `fsync`.
    package var synchronize: @Sendable (_ descriptor: Int32) -> Int32 = { descriptor in
        #if canImport(Darwin)
            // On macOS, fsync(2) does not flush the disk's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }

    /// Closes a descriptor, like `close`.
    package var close: @Sendable (_ descriptor: Int32) -> Int32 = { Foundation.close($0) }

    /// Sets the permissions of an open file, like `fchmod`.
    package var setPermissions: @Sendable (_ descriptor: Int32, _ mode: mode_t) -> Int32 = { fchmod($0, $1) }

    /// Sets the owner and the group of an open file, like `fchown`.
    package var setOwner: @Sendable (_ descriptor: Int32, _ owner: uid_t, _ group: gid_t) -> Int32 = {
        fchown($0, $1, $2)
    }

    /// Creates a hard link at a path that must not exist, like `linkat`.
    ///
    /// This call follows symbolic links, such as `/proc/self/fd/3`.
    package var link: @Sendable (_ path: String, _ target: String) -> Int32 = {
        linkat(AT_FDCWD, $0, AT_FDCWD, $1, AT_SYMLINK_FOLLOW)
    }

    /// Renames a file, like `rename`.
    package var rename: @Sendable (_ path: String, _ target: String) -> Int32 = { Foundation.rename($0, $1) }

    /// Removes a file, like `unlink`.
    package var remove: @Sendable (_ path: String) -> Int32 = { unlink($0) }

    /// Creates a folder, like `mkdir`.
    package var createFolder: @Sendable (_ path: String, _ mode: mode_t) -> Int32 = { mkdir($0, $1) }

    /// Removes an empty folder, like `rmdir`.
    package var removeFolder: @Sendable (_ path: String) -> Int32 = { rmdir($0) }

    /// Creates a table of the operating system's calls.
    package init() {}

    /// Makes a system call, and repeats it if a signal interrupts it.
    ///
    /// Do not repeat `close`: on Linux, the descriptor is closed even if a signal interrupts the call.
    func repeating<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Appends all bytes at the current file offset.
    ///
    /// - Returns: Whether all bytes were written; if not, `errno` is set.
    func appendAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = repeating { append(descriptor, rest) }
            if count <= 0 { return false }
            rest = rest[from: count]
        }
        return true
    }

    /// Closes a duplicate of a descriptor to detect errors that are reported on closing, such as a full disk on NFS.
    ///
    /// Closing any descriptor of a file makes the file system write cached data.
    ///
    /// - Parameter descriptor: The descriptor, which stays open.
    /// - Returns: Whether closing succeeded; if not, `errno` is set.
    func closesWithoutError(_ descriptor: Int32) -> Bool {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 && (close(copy) == 0 || errno == EINTR)
    }

    /// Flushes the folder of a file to the disk, so that its directory entries survive a power failure.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: Whether flushing succeeded; if not, `errno` is set. Also true if permission to open the folder is
    ///   denied.
    func synchronizeFolder(of path: String) -> Bool {
        let folder = repeating { open(TemporaryFile.folder(of: path), O_RDONLY, 0) }
        guard folder >= 0 else { return errno == EACCES }
        let isDone = repeating { synchronize(folder) } == 0 || errno == EINVAL
        let reason = errno
        _ = close(folder)
        errno = reason
        return isDone
    }

    /// Creates a folder and any missing parent folders.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - mode: The permissions of new folders, reduced by the umask.
    /// - Throws: `unwritableFile`.
    package func createFolders(_ folder: URL, mode: mode_t = 0o777) throws(HARError) {
        let path = folder.path
        if repeating({ createFolder(path, mode) }) == 0 { return }
        var status = stat()
        if errno == ENOENT, path != "/", path.contains("/") {
            try createFolders(folder.deletingLastPathComponent(), mode: mode)
            if repeating({ createFolder(path, mode) }) == 0 { return }
        }
        let reason = errno
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
        throw .unwritable(
            path,
            "The folder cannot be created: "
                + (reason == EEXIST
                    ? "A file with this name already exists. Choose another path."
                    : SystemError.reason(reason, ofOutput: true)))
    }
}

extension HARError {
    /// Returns an error about a file that cannot be read.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - message: A description of the failure and how to proceed.
    /// - Returns: The error.
    package static func unreadable(_ name: String, _ message: String) -> HARError {
        HARError(.unreadableFile, message, at: .init(file: name))
    }

    /// Returns an error about a file that cannot be written.
    static func unwritable(_ name: String, _ message: String) -> HARError {
        HARError(.unwritableFile, message, at: .init(file: name))
    }

    /// Returns the error for a file that cannot be written, with the reason why the last system call failed.
    static func unwritable(_ name: String) -> HARError {
        unwritable(name, "The file cannot be written: \(SystemError.reason(ofOutput: true))")
    }
}
