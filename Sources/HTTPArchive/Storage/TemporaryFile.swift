package import Foundation
import Synchronization

/// A file that is removed when this object is released, unless it has been moved to a permanent path.
///
/// If the file system supports unnamed files, the file has no name, and the system removes it even if the process is
/// killed. Otherwise, ``removeAll(then:)`` must be called before a signal ends the process.
package final class TemporaryFile {
    /// The paths of all temporary files of this process that have a name.
    private static let paths = Mutex<Set<String>>([])

    /// The descriptor, open for reading and writing until this object is released.
    package let descriptor: Int32

    /// The path, or nil if the file has no name.
    private var path: String?

    private let calls = FileSystemCalls.current

    /// Creates an empty file; returns nil and sets `errno` if this fails.
    ///
    /// - Parameters:
    ///   - path: The path from which the file's folder and name are derived.
    ///   - mode: The permissions, reduced by the umask; read and write only for the owner by default.
    package init?(nextTo path: String, mode: mode_t = 0o600) {
        let calls = calls
        let unnamed = calls.repeating { calls.openUnnamed(Self.folder(of: path), mode) }
        if unnamed >= 0, access(Self.openFilePath(unnamed), F_OK) == 0 {
            descriptor = unnamed
            return
        }
        if unnamed >= 0 { _ = calls.close(unnamed) }
        let name = Self.name(nextTo: path)
        descriptor = Self.paths.withLock { paths in
            let descriptor = calls.repeating { calls.open(name, O_RDWR | O_CREAT | O_EXCL, mode) }
            if descriptor >= 0 { paths.insert(name) }
            return descriptor
        }
        guard descriptor >= 0 else { return nil }
        self.path = name
    }

    deinit {
        if let path {
            Self.paths.withLock { paths in
                _ = calls.remove(path)
                paths.remove(path)
            }
        }
        if descriptor >= 0 { _ = calls.close(descriptor) }
    }

    /// The URL at which the file can be opened again while this object exists.
    package var url: URL { URL(fileURLWithPath: path ?? Self.openFilePath(descriptor)) }

    /// Moves the file to its permanent path in the same folder.
    ///
    /// - Parameters:
    ///   - target: The path.
    ///   - replacing: Whether to replace an existing file at the path; otherwise an existing file is an error.
    /// - Returns: Whether the move succeeded; otherwise `errno` is set.
    func move(to target: String, replacing: Bool) -> Bool {
        // The lock prevents `removeAll` from running between two steps, which would leave a file behind.
        Self.paths.withLock { paths in
            guard let path else {
                let source = Self.openFilePath(descriptor)
                if calls.repeating({ calls.link(source, target) }) == 0 { return true }
                guard replacing, errno == EEXIST else { return false }
                // Linking cannot replace a file, but renaming can.
                let name = Self.name(nextTo: target)
                guard calls.repeating({ calls.link(source, name) }) == 0 else { return false }
                if calls.repeating({ calls.rename(name, target) }) == 0 { return true }
                let reason = errno
                _ = calls.remove(name)
                errno = reason
                return false
            }
            let isMoved =
                replacing ? calls.repeating { calls.rename(path, target) } == 0 : renameExclusively(path, target)
            guard isMoved else { return false }
            paths.remove(path)
            self.path = nil
            return true
        }
    }

    /// Renames a file unless the new path exists.
    private func renameExclusively(_ path: String, _ target: String) -> Bool {
        if calls.repeating({ calls.link(path, target) }) == 0 {
            _ = calls.remove(path)
            return true
        }
        var status = stat()
        if errno == EEXIST || lstat(target, &status) == 0 {
            errno = EEXIST
            return false
        }
        // The file system does not support hard links.
        return calls.repeating { calls.rename(path, target) } == 0
    }

    /// Removes all temporary files of this process that have a name, and ends the process before others can be created.
    ///
    /// - Parameter end: A closure that ends the process.
    package static func removeAll(then end: () -> Never) -> Never {
        paths.withLock { paths in
            for path in paths { unlink(path) }
            end()
        }
    }

    /// Returns the folder of a path.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func name(nextTo path: String) -> String {
        // A file name can have at most 255 bytes, including the random part.
        let folder = folder(of: path)
        var name = String(path.split(separator: "/").last ?? "")
        while name.utf8.count > 200 { name.removeLast() }
        return "\(folder)/\(name).\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
    }

    /// Returns the path of an open file on Linux (proc_pid_fd(5)).
    private static func openFilePath(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }
}

/// Temporary copies of input that can be read only once.
package enum Spool {
    /// Creates an empty file in the folder for temporary files.
    ///
    /// - Parameter name: The name of the input, for errors.
    /// - Returns: The file.
    /// - Throws: `unwritableFile`.
    package static func file(for name: String) throws(HARError) -> TemporaryFile {
        let folder = FileManager.default.temporaryDirectory
        guard let file = TemporaryFile(nextTo: folder.appendingPathComponent("har").path) else { throw failure(name) }
        return file
    }

    /// Copies input to the end of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: The name of the input, for errors.
    ///   - read: A closure that reads the next bytes into a buffer and returns their number, or 0 at the end.
    /// - Returns: The number of copied bytes.
    /// - Throws: `unwritableFile`; the errors of `read`.
    package static func copy(
        to file: TemporaryFile, named name: String,
        from read: (UnsafeMutableRawBufferPointer) throws(HARError) -> Int
    ) throws(HARError) -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        let calls = FileSystemCalls.current
        var total = 0
        while case let count = try read(buffer), count > 0 {
            let part = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            guard calls.appendAll(part, to: file.descriptor) else { throw failure(name) }
            total += count
        }
        return total
    }

    private static func failure(_ name: String) -> HARError {
        let folder = FileManager.default.temporaryDirectory
        return .unwritable(
            name,
            "The archive cannot be copied to \(folder.path): \(SystemError.reason(ofOutput: true)) Set TMPDIR to "
                + "another folder.")
    }
}
