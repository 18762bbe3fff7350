package import Foundation

/// A file that is written sequentially.
///
/// A regular file is written atomically: a ``TemporaryFile`` that only the owner can read replaces the previous file
/// once it is complete. Pipes and character devices are written to directly.
package final class OutputFile {
    /// The settings of an output file.
    package struct Settings: Sendable, Hashable {
        /// Whether only the owner can read a new file; false by default, so that the umask applies.
        package var isPrivate = false

        /// Whether a new file gets the permissions and the owner of the file that it replaces; true by default.
        package var keepsPermissions = true

        /// Whether an existing file is replaced rather than reported as an error; true by default.
        package var replacesFile = true

        /// Whether a new file is synchronized to the disk before ``OutputFile/finish()`` returns; false by default.
        ///
        /// A file that replaces another file is always synchronized, because the old file cannot be recovered.
        package var isSynchronized = false

        /// The compression of the content; none by default.
        package var compression = Compression.none

        /// Creates the default settings.
        package init() {}
    }

    /// The compression of an output file.
    package enum Compression: Sendable, Hashable {
        case none

        /// The format whose extension the name of the file has, or none.
        case byName

        /// The format with an extension, such as `gz`, regardless of the name of the file.
        case format(fileExtension: String)

        /// Returns the format of a file, or nil for none.
        fileprivate func format(of url: URL) throws(HARError) -> (any CompressionFormat)? {
            switch self {
            case .none: nil
            case .byName: try CompressionFormats.format(writing: url)
            case .format(let name): CompressionFormats.all.first { $0.fileExtension == name }
            }
        }
    }

    /// The destination of the bytes.
    private enum Destination {
        /// A temporary file, and the path to which it is moved when it is complete.
        case file(TemporaryFile, path: String)

        /// The descriptor of a pipe, a character device or an open file, which this object closes.
        case stream(Int32)

        /// A handle that its owner closes.
        case handle(FileHandle)
    }

    /// The size of the buffer, in bytes.
    ///
    /// A few large writes take about two thirds of the time of many small ones.
    private static let bufferSize = 1 << 20

    /// The minimum size of data that bypasses the buffer, in bytes.
    private static let largeSize = 1 << 17

    /// The folder with the body files to which an archive in this file can refer, or nil for a zip file, a pipe, a device
    /// or an open file.
    package let folder: URL?

    private let name: String
    private let settings: Settings
    private let calls = FileSystemCalls.current
    private let destination: Destination
    private let compressor: (any Compressor)?

    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 64)
    private var collected = 0

    /// The first error, which every later call throws.
    ///
    /// An incomplete file is therefore never moved to its final path.
    private var failure: HARError?

    /// Creates a file, or opens a pipe or a character device.
    ///
    /// - Parameters:
    ///   - url: The file. If it is a symbolic link, the target of the link is written.
    ///   - settings: The settings; the defaults if omitted.
    /// - Throws: `unwritableFile`.
    package init(url: URL, settings: Settings = Settings()) throws(HARError) {
        name = url.path
        self.settings = settings
        let format = try settings.compression.format(of: url)
        compressor = format?.compressor(fileName: url.lastPathComponent)
        try ArchivePath.requireLocalOutput(url)
        if let error = ArchivePath.failure(ofWriting: url) { throw error }
        switch try OutputTarget(of: name) {
        case .file(let path):
            guard let file = TemporaryFile(nextTo: path) else { throw .unwritable(name) }
            destination = .file(file, path: path)
            folder = format?.storesSeveralFiles == true ? nil : url.deletingLastPathComponent()
        case .stream(let path):
            folder = nil
            let calls = calls
            destination = .stream(calls.repeating { calls.open(path, O_WRONLY | O_APPEND | O_NOCTTY, 0) })
        case .descriptor(let number):
            folder = nil
            destination = .stream(fcntl(number, F_DUPFD_CLOEXEC, 0))
        }
        guard descriptor >= 0 else { throw .unwritable(name) }
    }

    /// Returns whether writing to a path creates or replaces a regular file, rather than writing to a pipe or a device.
    ///
    /// - Parameter url: The path.
    /// - Returns: Whether it does; also false if the path is a folder or cannot be resolved.
    package static func isFile(_ url: URL) -> Bool {
        if case .file? = try? OutputTarget(of: url.path) { true } else { false }
    }

    /// Creates a file from a handle.
    ///
    /// The handle is not closed.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - name: The name in error messages.
    package init(handle: FileHandle, name: String) {
        folder = nil
        self.name = name
        settings = Settings()
        compressor = nil
        destination = .handle(handle)
    }

    deinit {
        buffer.deallocate()
        if case .stream(let descriptor) = destination, descriptor >= 0 { _ = calls.close(descriptor) }
    }

    /// Whether the bytes are written to a terminal.
    package private(set) lazy var isTerminal = isatty(descriptor) == 1

    private var descriptor: Int32 {
        switch destination {
        case .file(let file, _): file.descriptor
        case .stream(let descriptor): descriptor
        case .handle(let handle): handle.fileDescriptor
        }
    }

    /// Appends bytes.
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
        guard let compressor else { return try append(bytes) }
        try compressor.write(bytes, isLast: false) { part throws(HARError) in try append(part) }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws(HARError) {
        if !calls.appendAll(bytes, to: descriptor) { throw fail() }
    }

    /// Appends bytes.
    ///
    /// - Parameter bytes: The bytes.
    /// - Throws: `unwritableFile`.
    package func write(_ bytes: [UInt8]) throws(HARError) {
        try bytes.withUnsafeBytes { bytes in Result { () throws(HARError) in try write(bytes) } }.get()
    }

    /// Appends a range of another file.
    package func copy(_ range: Range<Int>, of file: InputFile) throws(HARError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try file.bytes(in: offset..<min(offset + 1 << 20, range.upperBound))
            try write(bytes)
            offset += bytes.count
        }
    }

    /// Writes the bytes in the buffer, and moves the file to its final path.
    ///
    /// - Throws: `unwritableFile`. The previous file is then unchanged, unless only flushing the folder failed.
    package func finish() throws(HARError) {
        try flush()
        try compressor?.write(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true) { part throws(HARError) in
            try append(part)
        }
        guard case .file(let file, let path) = destination else {
            if !calls.closesWithoutError(descriptor) { throw fail() }
            return
        }
        let old = try status(ofFileAt: path)
        try setPermissions(of: file, at: path, replacing: old)
        let isSynchronized = settings.isSynchronized || old != nil
        if isSynchronized, calls.repeating({ calls.synchronize(file.descriptor) }) != 0 { throw fail() }
        if !calls.closesWithoutError(descriptor) { throw fail() }
        guard file.move(to: path, replacing: settings.replacesFile) else { throw errno == EEXIST ? inUse() : fail() }
        if isSynchronized, !calls.synchronizeFolder(of: path) {
            // The directory entry of the complete file might not have reached the disk.
            throw .unwritable(
                name,
                "The file was written, but its folder cannot be flushed to the disk: "
                    + "\(SystemError.reason(ofOutput: true)) A power failure can undo the change. Write the file again."
            )
        }
    }

    /// Returns the status of the file to be replaced, or nil if no such file exists.
    private func status(ofFileAt path: String) throws(HARError) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        guard settings.replacesFile else { throw inUse() }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let message =
                "The path is no longer a regular file, because another process replaced it. Choose another path."
            throw .unwritable(name, message)
        }
        return status
    }

    /// Sets the permissions of the complete file.
    private func setPermissions(of file: TemporaryFile, at path: String, replacing old: stat?) throws(HARError) {
        var mode: mode_t = 0o600
        if let old, settings.keepsPermissions {
            mode = old.st_mode & 0o7777
            if calls.setOwner(descriptor, old.st_uid, old.st_gid) != 0,
                calls.setOwner(descriptor, uid_t.max, old.st_gid) != 0
            {
                // The new group must not get permissions that others do not have.
                mode = mode & ~0o6070 | (mode & 0o007) << 3 & mode
            }
        } else if !settings.isPrivate {
            // The umask cannot be read without changing it, but the permissions of a new, empty file reveal it.
            var status = stat()
            guard let probe = TemporaryFile(nextTo: path, mode: 0o666),
                fstat(probe.descriptor, &status) == 0
            else { throw fail() }
            mode = status.st_mode & 0o777
        }
        if mode != 0o600, calls.repeating({ calls.setPermissions(descriptor, mode) }) != 0 { throw fail() }
    }

    private func inUse() -> HARError {
        .unwritable(name, "The file already exists. Choose another name.")
    }

    /// Returns the error of the last system call, and stores it for later calls to throw.
    private func fail() -> HARError {
        let error = HARError.unwritable(name)
        failure = error
        return error
    }
}
