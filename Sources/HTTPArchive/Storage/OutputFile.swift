package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is written from front to back.
///
/// A regular file gets its name when it is complete. Until then, the previous file stays, and the new one is a
/// ``TemporaryFile`` that only its owner can read. Pipes and character devices are written to directly.
package final class OutputFile {
    /// The settings of an output file.
    package struct Settings: Sendable, Hashable {
        /// Whether only the owner can read a new file; false by default, which leaves that to the umask.
        package var isPrivate = false

        /// Whether a file that is replaced passes its permissions and its owner on; true by default.
        package var keepsPermissions = true

        /// Whether a file with the same name is replaced, rather than an error; true by default.
        package var replacesFile = true

        /// Whether a new file is on the disk when ``OutputFile/finish()`` returns; false by default.
        ///
        /// A file that replaces another one always is, for the old one cannot be recovered.
        package var isSynchronized = false

        /// Creates the default settings.
        package init() {}
    }

    /// The destination of the bytes.
    private enum Destination {
        /// A temporary file, and the path that it is moved to.
        case file(TemporaryFile, path: String)

        /// A pipe, a character device or a descriptor, which this value closes.
        case stream(Int32)

        /// A handle that its owner closes.
        case handle(FileHandle)
    }

    /// The size of the buffer, in bytes.
    ///
    /// Large writes take two thirds of the time of many small ones.
    private static let bufferSize = 1 << 20

    /// The size from which bytes bypass the buffer.
    private static let largeSize = 1 << 17

    private let name: String
    private let settings: Settings
    private let calls: FileSystemCalls
    private let destination: Destination

    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 64)
    private var collected = 0

    /// The first error.
    ///
    /// A file with a gap never gets its name.
    private var failure: HARError?

    /// Creates a file, or opens a pipe or a character device.
    ///
    /// - Parameters:
    ///   - url: The file. If it is a symbolic link, the file that the link leads to is written.
    ///   - settings: The settings; the default ones if omitted.
    /// - Throws: `unwritableFile`.
    package convenience init(url: URL, settings: Settings = Settings()) throws(HARError) {
        try self.init(url: url, settings: settings, calls: FileSystemCalls())
    }

    init(url: URL, settings: Settings = Settings(), calls: FileSystemCalls) throws(HARError) {
        name = url.path
        self.settings = settings
        self.calls = calls
        guard url.isFileURL else {
            throw HARError(.unwritableFile, "Not the URL of a file; write one, and upload it.", at: .init(file: name))
        }
        switch try OutputTarget(of: name) {
        case .file(let path):
            guard let file = TemporaryFile(nextTo: path, calls: calls) else { throw Self.error(name) }
            destination = .file(file, path: path)
        case .stream(let path):
            destination = .stream(open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC))
        case .descriptor(let number):
            destination = .stream(fcntl(number, F_DUPFD_CLOEXEC, 0))
        }
        guard descriptor >= 0 else { throw Self.error(name) }
    }

    /// Returns whether a path is that of a regular file, or free for one, rather than of a pipe or a device.
    ///
    /// - Parameter url: The path.
    /// - Returns: False also if nothing can be written there.
    package static func isFile(_ url: URL) -> Bool {
        if case .file? = try? OutputTarget(of: url.path) { true } else { false }
    }

    /// Writes to a handle that its owner closes.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - name: The name in error messages.
    package init(handle: FileHandle, name: String) {
        self.name = name
        settings = Settings()
        calls = FileSystemCalls()
        destination = .handle(handle)
    }

    deinit {
        buffer.deallocate()
        if case .stream(let descriptor) = destination, descriptor >= 0 { close(descriptor) }
    }

    private var descriptor: Int32 {
        switch destination {
        case .file(let file, _): file.descriptor
        case .stream(let descriptor): descriptor
        case .handle(let handle): handle.fileDescriptor
        }
    }

    /// Adds bytes at the end.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: `unwritableFile`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(HARError) {
        if bytes.count > buffer.count - collected || bytes.count >= Self.largeSize { try flush() }
        if bytes.count >= Self.largeSize { return try writeOut(bytes) }
        buffer[collected...].copyBytes(from: bytes)
        collected += bytes.count
    }

    /// Writes the bytes in the buffer.
    private func flush() throws(HARError) {
        try writeOut(UnsafeRawBufferPointer(rebasing: buffer[..<collected]))
        collected = 0
    }

    private func writeOut(_ bytes: UnsafeRawBufferPointer) throws(HARError) {
        if let failure { throw failure }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno != EINTR {
                throw fail()
            }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Adds bytes at the end.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: `unwritableFile`.
    package func write(_ bytes: [UInt8]) throws(HARError) {
        let result = bytes.withUnsafeBytes { bytes in
            do throws(HARError) {
                return Result<Void, HARError>.success(try write(bytes))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Writes the bytes in the buffer, and gives the file its name.
    ///
    /// - Throws: `unwritableFile`; the previous file stays then.
    package func finish() throws(HARError) {
        try flush()
        guard case .file(let file, let path) = destination else { return try checkClosing() }
        let old = try status(ofFileAt: path)
        try setPermissions(of: file, at: path, replacing: old)
        let isSynchronized = settings.isSynchronized || old != nil
        if isSynchronized, calls.synchronize(file.descriptor) != 0 { throw fail() }
        try checkClosing()
        guard file.move(to: path, replacing: settings.replacesFile) else { throw errno == EEXIST ? inUse() : fail() }
        if isSynchronized { calls.synchronizeFolder(of: path) }
    }

    /// Returns the status of the file that is replaced; nil if there is none.
    private func status(ofFileAt path: String) throws(HARError) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard settings.replacesFile else { throw inUse() }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let message = "Something other than a file was created there in the meantime; choose another path."
            throw HARError(.unwritableFile, message, at: .init(file: name))
        }
        return status
    }

    /// Sets the permissions that the file has under its name.
    private func setPermissions(of file: TemporaryFile, at path: String, replacing old: stat?) throws(HARError) {
        var mode: mode_t = 0o600
        if let old, settings.keepsPermissions {
            mode = old.st_mode & 0o7777
            if fchown(descriptor, old.st_uid, old.st_gid) != 0, fchown(descriptor, uid_t.max, old.st_gid) != 0 {
                // Another group gets no more than everybody has.
                mode = mode & ~0o6070 | (mode & 0o007) << 3 & mode
            }
        } else if !settings.isPrivate {
            // The permissions of an empty file show the umask, which cannot be read without changing it.
            var status = stat()
            guard let probe = TemporaryFile(nextTo: path, mode: 0o666, calls: calls),
                fstat(probe.descriptor, &status) == 0
            else { throw fail() }
            mode = status.st_mode & 0o777
        }
        if mode != 0o600, fchmod(descriptor, mode) != 0 { throw fail() }
    }

    /// Reports the errors that closing would report, such as that of a full disk on NFS, before the file gets its name.
    private func checkClosing() throws(HARError) {
        // Each descriptor that is closed has the file system write what it holds back.
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw fail() }
        if calls.close(copy) != 0, errno != EINTR { throw fail() }
    }

    private func inUse() -> HARError {
        HARError(.unwritableFile, "The file exists already; choose another name.", at: .init(file: name))
    }

    /// Returns the error of the last system call, which every later call throws too.
    private func fail() -> HARError {
        let error = Self.error(name)
        failure = error
        return error
    }

    private static func error(_ name: String) -> HARError {
        HARError(
            .unwritableFile, "The file cannot be written: \(String(cString: strerror(errno))).", at: .init(file: name))
    }
}
