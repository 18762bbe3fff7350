import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is changed in places, while nobody else who asks for it so can have it.
final class LockedFile {
    /// How often a file that is replaced while it is being locked is opened again.
    private static let maximumAttempts = 16

    /// The path, for error messages.
    let name: String

    /// The path as it was given, for error messages about what the file holds.
    private let title: String

    private let descriptor: Int32
    private let calls: FileSystemCalls

    /// Whether the file was not there before.
    let isNew: Bool

    /// Opens a file and locks it.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - creates: Whether it is created where it is not there.
    ///   - isPrivate: Whether only the owner can read a file that is created; false by default, which leaves that to the
    ///     umask.
    ///   - calls: The calls of the system; its own by default.
    /// - Throws: `fileInUse` when somebody else has it; `unwritableFile`.
    init(
        url: URL, creates: Bool = true, isPrivate: Bool = false, calls: FileSystemCalls = FileSystemCalls()
    ) throws(HARError) {
        name = url.path
        title = url.relativePath
        self.calls = calls
        guard url.isFileURL else {
            throw HARError(.unwritableFile, "Not the URL of a file; write one, and upload it.", at: .init(file: name))
        }
        let flags = O_RDWR | O_CLOEXEC | O_NONBLOCK
        for _ in 0..<Self.maximumAttempts {
            let isNew = creates && access(name, F_OK) != 0
            let descriptor = open(name, creates ? flags | O_CREAT : flags, isPrivate ? 0o600 : 0o666)
            guard descriptor >= 0 else { throw Self.failure(name) }
            do {
                if try Self.locks(descriptor, name) {
                    self.descriptor = descriptor
                    self.isNew = isNew
                    return
                }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
        throw HARError(
            .fileInUse, "The file is replaced again and again; try when that has ended.", at: .init(file: name))
    }

    deinit { close(descriptor) }

    /// Locks a file; `false` when another one has its name meanwhile.
    private static func locks(_ descriptor: Int32, _ name: String) throws(HARError) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw failure(name) }
            throw HARError(
                .fileInUse, "Another recorder is writing to the archive; wait until it is done, or use another file.",
                at: .init(file: name))
        }
        guard let status = status(of: descriptor), status.st_mode & S_IFMT == S_IFREG else {
            throw HARError(
                .unwritableFile, "Only a file can be appended to, and this is something else.", at: .init(file: name))
        }
        return isNamed(name, status)
    }

    /// The file for reading.
    var input: InputFile {
        InputFile(handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: false), name: title)
    }

    /// The size in bytes.
    var size: Int { Self.status(of: descriptor).map { Int($0.st_size) } ?? 0 }

    /// Makes sure that the file is still the one that has its name, and that nobody changed its size.
    ///
    /// - Parameter size: The size that it must have.
    /// - Throws: `unwritableFile`.
    func check(size: Int) throws(HARError) {
        guard let status = Self.status(of: descriptor), Self.isNamed(name, status) else {
            throw HARError(
                .unwritableFile, "The file was deleted or replaced while it was written to; open it again.",
                at: .init(file: name))
        }
        guard status.st_size == size else {
            throw HARError(
                .unwritableFile, "Another program has changed the file while it was written to; open it again.",
                at: .init(file: name))
        }
    }

    /// Writes bytes at a place, in one call where the system takes them at once.
    ///
    /// - Throws: `unwritableFile`, when a part may have been written.
    func write(_ bytes: [UInt8], at offset: Int) throws(HARError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { calls.write(descriptor, $0[from: written], offset + written) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure(name) }
            written += count
        }
    }

    /// Writes bytes of which the first one that is no white space comes last, so that until then they are not there.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - offset: Where they stand; blanks were there before.
    ///   - isSynchronized: Whether this order is that of the disk too.
    /// - Throws: `unwritableFile`, when all but that byte may have been written.
    func write(_ bytes: [UInt8], committingAt offset: Int, isSynchronized: Bool) throws(HARError) {
        guard let first = bytes.firstIndex(where: { !JSONText.isWhitespace($0) }) else { return }
        var draft = bytes
        draft[first] = UInt8(ascii: " ")
        try write(draft, at: offset)
        if isSynchronized { try synchronize() }
        try write([bytes[first]], at: offset + first)
    }

    /// Writes blanks.
    func blank(_ range: Range<Int>) throws(HARError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let blanks = [UInt8](repeating: UInt8(ascii: " "), count: min(1 << 20, range.upperBound - offset))
            try write(blanks, at: offset)
            offset += blanks.count
        }
    }

    /// Makes the file end at a place.
    func truncate(to size: Int) throws(HARError) {
        guard calls.truncate(descriptor, size) == 0 else { throw Self.failure(name) }
    }

    /// Has everything that was written reach the disk.
    func synchronize() throws(HARError) {
        guard calls.synchronize(descriptor) == 0 else { throw Self.failure(name) }
    }

    /// Writes the name of a new file to the disk.
    func synchronizeFolder() { calls.synchronizeFolder(of: name) }

    private static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Whether a name is that of an open file.
    private static func isNamed(_ name: String, _ status: stat) -> Bool {
        var named = stat()
        return stat(name, &named) == 0 && named.st_ino == status.st_ino && named.st_dev == status.st_dev
    }

    /// What the last call of the system failed for.
    private static func failure(_ name: String) -> HARError {
        HARError(
            .unwritableFile, "The file cannot be written: \(String(cString: strerror(errno))).", at: .init(file: name))
    }
}
