package import Foundation

/// A file that is modified in place, under an exclusive advisory lock.
package final class LockedFile {
    /// The maximum number of attempts to open a file that is replaced while it is being locked.
    private static let maximumAttempts = 16

    /// The path, for error messages.
    let name: String

    /// The path as the caller specified it, for error messages about the content of the file.
    private let title: String

    private let descriptor: Int32

    /// The identity of the open file.
    private let identity: FileIdentity
    private let calls = FileSystemCalls.current

    /// Opens a file and locks it.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - creates: Whether a missing file is created.
    ///   - isPrivate: Whether only the owner can read a new file; false by default, so that the umask applies.
    /// - Throws: `fileInUse` if another writer has locked the file; `unwritableFile`.
    package init(url: URL, creates: Bool = true, isPrivate: Bool = false) throws(HARError) {
        name = url.path
        title = url.relativePath
        try ArchivePath.requireLocalOutput(url)
        if CompressionFormats.compresses(url) { throw Self.compressed(name) }
        if let error = ArchivePath.failure(ofWriting: url) { throw error }
        let flags = O_RDWR | O_NONBLOCK
        let (calls, name) = (calls, name)
        for _ in 0..<Self.maximumAttempts {
            let descriptor = calls.repeating {
                calls.open(name, creates ? flags | O_CREAT : flags, isPrivate ? 0o600 : 0o666)
            }
            guard descriptor >= 0 else {
                throw .unwritable(
                    name, "The file cannot be opened for writing: \(SystemError.reason(ofOutput: creates))")
            }
            do {
                if let identity = try Self.lock(descriptor, name) {
                    self.descriptor = descriptor
                    self.identity = identity
                    return
                }
            } catch {
                _ = calls.close(descriptor)
                throw error
            }
            Self.release(descriptor, calls)
        }
        throw HARError(
            .fileInUse, "Another process keeps replacing the file. Try again later.", at: .init(file: name))
    }

    deinit { Self.release(descriptor, calls) }

    /// Unlocks and closes a file.
    ///
    /// Closing alone would not unlock the file while a newly started child process still has a copy of the descriptor,
    /// which is closed only when the child executes its program.
    private static func release(_ descriptor: Int32, _ calls: FileSystemCalls) {
        flock(descriptor, LOCK_UN)
        _ = calls.close(descriptor)
    }

    /// Locks a file, and returns its identity, or nil if the path no longer refers to it.
    private static func lock(_ descriptor: Int32, _ name: String) throws(HARError) -> FileIdentity? {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw .unwritable(name) }
            throw HARError(
                .fileInUse, "Another recorder is writing to the archive. Wait until it is done, or use another file.",
                at: .init(file: name))
        }
        guard let status = status(of: descriptor), status.st_mode & S_IFMT == S_IFREG else {
            throw .unwritable(
                name, "Expected a regular file to append to, found a folder, a pipe or a device. Choose another path.")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        let file = InputFile(handle: handle, name: name, decompressedSizeLimit: CompressionFormats.defaultSizeLimit)
        if file.isCompressed { throw compressed(name) }
        let identity = FileIdentity(status)
        return FileIdentity(of: name) == identity ? identity : nil
    }

    /// Returns the error for an archive that would have to be compressed again after each change.
    private static func compressed(_ name: String) -> HARError {
        .unwritable(
            name, "A compressed archive cannot be changed in place. Decompress it first, or choose another file.")
    }

    /// The open file, for reading.
    package var input: InputFile {
        InputFile(handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: false), name: title)
    }

    /// The size of the file, in bytes.
    var size: Int { Self.status(of: descriptor).map { Int($0.st_size) } ?? 0 }

    /// Checks that the path still refers to this file, and that no other program has changed the size.
    ///
    /// - Parameter size: The expected size, in bytes.
    /// - Throws: `unwritableFile`.
    func check(size: Int) throws(HARError) {
        var status = stat()
        guard stat(name, &status) == 0, FileIdentity(status) == identity else {
            throw .unwritable(name, "The file was deleted or replaced while it was being written. Open it again.")
        }
        guard status.st_size == size else {
            throw .unwritable(name, "Another program changed the file while it was being written. Open it again.")
        }
    }

    /// Writes bytes at an offset, in a single system call if possible.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - start: The index of the first byte to write; 0 by default.
    ///   - offset: The offset in the file.
    /// - Throws: `unwritableFile`. Some of the bytes may then have been written.
    func write(_ bytes: [UInt8], from start: Int = 0, at offset: Int) throws(HARError) {
        var written = start
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                calls.repeating { calls.write(descriptor, bytes[from: written], offset + written - start) }
            }
            guard count > 0 else { throw .unwritable(name) }
            written += count
        }
    }

    /// Overwrites spaces with bytes, so that an interrupted write has no effect.
    ///
    /// The first byte that is not whitespace is written last.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - offset: The offset of the first byte. The file must contain spaces there.
    ///   - isSynchronized: Whether all other bytes must reach the disk before the last byte is written.
    /// - Throws: `unwritableFile`. The file may then contain all bytes except the last one written.
    func write(_ bytes: [UInt8], committingAt offset: Int, isSynchronized: Bool) throws(HARError) {
        guard let first = bytes.firstIndex(where: { !JSONText.isWhitespace($0) }) else { return }
        try write(Array(bytes[..<first]), at: offset)
        try write(bytes, from: first + 1, at: offset + first + 1)
        if isSynchronized { try synchronize() }
        try write([bytes[first]], at: offset + first)
    }

    /// Overwrites a range with spaces.
    func blank(_ range: Range<Int>) throws(HARError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let blanks = [UInt8](repeating: UInt8(ascii: " "), count: min(1 << 20, range.upperBound - offset))
            try write(blanks, at: offset)
            offset += blanks.count
        }
    }

    /// Truncates the file to a size, in bytes.
    func truncate(to size: Int) throws(HARError) {
        guard calls.repeating({ calls.truncate(descriptor, size) }) == 0 else { throw .unwritable(name) }
    }

    /// Waits until all writes have reached the disk.
    func synchronize() throws(HARError) {
        guard calls.repeating({ calls.synchronize(descriptor) }) == 0 else { throw .unwritable(name) }
    }

    /// Checks that closing the file would not report an error.
    ///
    /// - Throws: `unwritableFile`.
    func checkClosing() throws(HARError) {
        guard calls.closesWithoutError(descriptor) else { throw .unwritable(name) }
    }

    /// Flushes the directory entry of a new file to the disk.
    ///
    /// - Throws: `unwritableFile`.
    func synchronizeFolder() throws(HARError) {
        guard calls.synchronizeFolder(of: name) else { throw .unwritable(name) }
    }

    private static func status(of descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    // MARK: Repair

    /// Writes an empty HAR 1.2 archive with Relay as its creator, if the file is empty or contains only the start of
    /// this archive.
    ///
    /// - Parameters:
    ///   - layout: The layout of the archive.
    ///   - isSynchronized: Whether to flush the archive to the disk.
    /// - Throws: `unwritableFile`; `unreadableFile`.
    func begin(layout: JSONLayout, isSynchronized: Bool) throws(HARError) {
        let heads = [JSONLayout.unchanged, .compact].map(Self.head)
        let longest = heads.map(\.count).max() ?? 0
        let size = size
        guard size < longest else { return }
        let start = try input.bytes(in: 0..<size)
        guard heads.contains(where: { $0.starts(with: start) }) else { return }
        let text = Self.head(layout) + Array(ArchiveTail.brackets.utf8)
        do {
            try write(text, at: 0)
            if isSynchronized {
                try synchronize()
                try synchronizeFolder()
            }
        } catch {
            try? truncate(to: 0)
            throw error
        }
    }

    /// Returns the text of an empty archive up to the opening bracket of `entries`.
    private static func head(_ layout: JSONLayout) -> [UInt8] {
        var generator = JSONGenerator(layout: layout)
        generator.beginObject()
        generator.name("log")
        generator.beginObject()
        generator.name("version")
        generator.value("1.2")
        generator.name("creator")
        generator.object(HAR.Creator.relay.fields)
        generator.name("entries")
        generator.beginArray()
        return generator.take()
    }

    /// Replaces an archive that has no `entries` with a copy that has an empty `entries` array.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - limits: The limits of the reader.
    /// - Throws: `unwritableFile`; `unreadableFile`.
    func addEntries(to url: URL, limits: JSONScanner.Limits) throws(HARError) {
        let size = size
        guard let log = try PartialParse(over: input, size: size, limits: limits).extent.log else { return }
        let output = try OutputFile(url: url)
        try output.copy(0..<log.end, of: input)
        try output.write(Array("\(log.isEmpty ? "" : ",")\"entries\":[]".utf8))
        try output.copy(log.end..<size, of: input)
        try output.finish()
    }

    /// Repairs an archive whose end is missing because a write was interrupted.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the reader.
    ///   - requiresEntries: Whether a log without an array of entries is an error; true by default.
    /// - Returns: The index of the complete archive.
    /// - Throws: `malformedJSON` if the archive has other damage; `notAnArchive`, `limitExceeded`, `unreadableFile` or
    ///   `unwritableFile`.
    /// - Complexity: O(*n*), where *n* is the size of the file.
    package func repair(
        _ configuration: HARReader.Configuration, requiresEntries: Bool = true
    ) throws(HARError) -> ArchiveIndex {
        let input = input
        do {
            return try ArchiveIndex(of: input, configuration: configuration, requiresEntries: requiresEntries)
        } catch {
            guard error.code == .malformedJSON,
                let truncated = try TruncatedArchive(of: input, limits: configuration.limits)
            else { throw error }
            // If the process is killed between two steps, the next writer that opens the file can repair it.
            switch truncated.repair {
            case .truncate(let offset, let closing):
                try truncate(to: offset)
                try write(Array(closing.utf8), at: offset)
            case .blank(let range):
                if truncated.size < size { try truncate(to: truncated.size) }
                try blank(range)
            }
            return try ArchiveIndex(of: input, configuration: configuration, requiresEntries: requiresEntries)
        }
    }
}
