package import Foundation
import Synchronization

/// A file that is read in large chunks, sequentially or at any offset.
package final class InputFile: Sendable {
    private let descriptor: Int32

    /// The object that closes the descriptor, or `nil` if this object closes it.
    private let owner: (any AnyObject & Sendable)?

    /// A closure that is called after each read with the total number of bytes read.
    private let progress: (@Sendable (Int) -> Void)?
    private let bytesRead = Atomic(0)

    /// The state of decompression, which only sequential reading uses.
    private let decompression: Mutex<Decompression>

    /// The name for error messages, usually the path.
    package let name: String

    /// The name of the archive within a zip archive, or nil.
    private let member: String?

    /// The decompression of a sequentially read file.
    private enum Decompression {
        /// The bytes are returned unchanged.
        case none

        /// The first bytes decide whether the file is compressed. The value is the maximum decompressed size in bytes.
        case undecided(sizeLimit: Int)

        case started(any Decompressor)
    }

    private init(
        _ descriptor: Int32, name: String, member: String? = nil, owner: (any AnyObject & Sendable)? = nil,
        decompressedSizeLimit: Int? = nil, progress: (@Sendable (Int) -> Void)? = nil
    ) {
        self.descriptor = descriptor
        self.name = name
        self.member = member
        self.owner = owner
        self.progress = progress
        decompression = Mutex(decompressedSizeLimit.map { .undecided(sizeLimit: $0) } ?? .none)
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - name: The name for error messages; the path by default.
    ///   - waitsForWriter: Whether to wait until another process opens a named pipe for writing; true by default.
    ///   - decompressedSizeLimit: The maximum size of a compressed file after decompression, in bytes. With nil, the default,
    ///     files are not decompressed.
    /// - Throws: `unreadableFile`.
    package convenience init(
        url: URL, name: String? = nil, waitsForWriter: Bool = true, decompressedSizeLimit: Int? = nil
    ) throws(HARError) {
        let name = name ?? url.relativePath
        guard url.isFileURL else {
            throw .unreadable(
                name, "Expected a file URL, found the scheme '\(url.scheme ?? "")'. Download the file first.")
        }
        let path = ArchivePath(url)
        let descriptor = open(path.file.path, O_RDONLY | O_CLOEXEC | (waitsForWriter ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw Self.failure(name) }
        self.init(descriptor, name: name, member: path.member, decompressedSizeLimit: decompressedSizeLimit)
    }

    /// Creates a file from a handle.
    ///
    /// The handle is not closed.
    ///
    /// - Parameters:
    ///   - handle: The handle.
    ///   - name: The name for error messages.
    ///   - decompressedSizeLimit: The maximum size of compressed data after decompression, in bytes. With nil, the default,
    ///     the data is not decompressed.
    package convenience init(handle: FileHandle, name: String, decompressedSizeLimit: Int? = nil) {
        self.init(handle.fileDescriptor, name: name, owner: handle, decompressedSizeLimit: decompressedSizeLimit)
    }

    /// Creates a file that reads from another open file and reports progress.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - progress: A closure that is called on any reading thread, with the number of bytes read so far.
    package convenience init(_ file: InputFile, progress: @escaping @Sendable (Int) -> Void) {
        self.init(file.descriptor, name: file.name, owner: file, progress: progress)
    }

    /// Creates a file with the decompressed content of another file, for reading at any offset.
    ///
    /// - Parameter file: A compressed file that is not read elsewhere.
    /// - Throws: `unreadableFile` or `limitExceeded`; `unwritableFile` if the temporary folder is full.
    convenience init(decompressing file: InputFile) throws(HARError) {
        try self.init(copyNamed: file.name) { buffer throws(HARError) in try file.read(into: buffer).count }
    }

    /// Creates a file for reading at any offset from data that can be read only once.
    ///
    /// - Parameters:
    ///   - name: The name for error messages.
    ///   - read: A closure that reads the next bytes into a buffer and returns their number, or 0 at the end.
    /// - Throws: `unwritableFile` if the temporary folder is full; the errors of `read`.
    package convenience init(
        copyNamed name: String, from read: (UnsafeMutableRawBufferPointer) throws(HARError) -> Int
    ) throws(HARError) {
        let copy = try Spool.file(for: name)
        _ = try Spool.copy(to: copy, named: name, from: read)
        try self.init(copy, named: name)
    }

    /// Creates a file for reading a complete temporary file at any offset.
    ///
    /// - Parameters:
    ///   - copy: The temporary file.
    ///   - name: The name for error messages.
    /// - Throws: `unreadableFile` if too many files are open.
    package convenience init(_ copy: TemporaryFile, named name: String) throws(HARError) {
        // The temporary file is deleted soon, or was never named, and exists until this descriptor is closed.
        let descriptor = fcntl(copy.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw Self.failure(name) }
        self.init(descriptor, name: name)
    }

    /// Whether this is a regular file that is decompressed when it is read sequentially.
    var isCompressed: Bool { member != nil || compressionFormat != nil }

    /// The format of a regular file that is decompressed when it is read sequentially, or nil if it is not compressed.
    package var compressionFormat: (any CompressionFormat)? {
        let mayBe = decompression.withLock { state in if case .none = state { false } else { true } }
        return mayBe && stamp != nil ? try? storedFormat() : nil
    }

    /// Returns the files that are stored together with the archive, or nil if the format stores a single file.
    ///
    /// - Parameter sizeLimit: The maximum size of all files after decompression, in bytes.
    /// - Returns: The files.
    /// - Throws: `unreadableFile` or `limitExceeded`; `unwritableFile` if the temporary folder is full.
    func members(_ sizeLimit: Int) throws(HARError) -> (any MemberStore)? {
        guard stamp != nil, let format = try storedFormat() else { return nil }
        return try format.members(of: source(sizeLimit: sizeLimit))
    }

    /// Returns the stored bytes for decompression, which must end before this file is closed.
    ///
    /// - Parameters:
    ///   - start: The bytes that were already read; none by default.
    ///   - sizeLimit: The maximum size after decompression, in bytes.
    /// - Returns: The stored bytes.
    private func source(start: [UInt8] = [], sizeLimit: Int) -> CompressedSource {
        // The source does not retain this file, because this file retains the decompressor.
        let stored = InputFile(handle: FileHandle(fileDescriptor: descriptor, closeOnDealloc: false), name: name)
        return CompressedSource(.file(stored), start: start, name: name, member: member, sizeLimit: sizeLimit)
    }

    /// Returns the compression format of a regular file, or nil if it is not compressed.
    private func storedFormat() throws(HARError) -> (any CompressionFormat)? {
        var start = [UInt8](repeating: 0, count: CompressionFormats.signatureSize)
        let count = try fill(&start, at: 0)
        return start.withUnsafeBytes { CompressionFormats.format(of: $0[from: 0, to: count], fileName: fileName) }
    }

    /// The name without the name of the archive within a zip archive.
    private var fileName: String { member.map { String(name.dropLast($0.count + 1)) } ?? name }

    deinit {
        if owner == nil { close(descriptor) }
    }

    /// The size in bytes, or `nil` if this is not a regular file.
    package var size: Int? { stamp?.size }

    /// Whether only the current user or the administrator could have written to the file.
    var isTrusted: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return (status.st_uid == geteuid() || status.st_uid == 0) && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// The size and the modification time, or `nil` if this is not a regular file.
    var stamp: ArchiveStamp? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return ArchiveStamp(
            size: Int(status.st_size), seconds: Int64(time.tv_sec), nanoseconds: UInt32(time.tv_nsec))
    }

    /// Moves to the start of the file; has no effect on a pipe.
    func rewind() { lseek(descriptor, 0, SEEK_SET) }

    /// Reads the next bytes into `buffer`.
    ///
    /// - Returns: The bytes; empty at the end of the file.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> UnsafeRawBufferPointer {
        let count = try decompression.withLock { state throws(HARError) in try read(into: buffer, &state) }
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }

    /// Reads the rest of the file.
    ///
    /// - Parameter limit: The maximum number of bytes to read.
    /// - Returns: The content, or its start if it is larger than the limit.
    /// - Throws: `unreadableFile`; `limitExceeded` if the file is larger than its limit after decompression.
    package func content(upTo limit: Int) throws(HARError) -> Data {
        var content = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while content.count < limit {
            let count = try chunk.withUnsafeMutableBytes { buffer in
                Result { () throws(HARError) in try read(into: buffer).count }
            }.get()
            if count == 0 { break }
            content += chunk[..<min(count, limit - content.count)]
        }
        return content
    }

    private func read(
        into buffer: UnsafeMutableRawBufferPointer, _ state: inout Decompression
    ) throws(HARError) -> Int {
        switch state {
        case .none: return try readStored(into: buffer)
        case .started(let decompressor): return try decompressor.read(into: buffer)
        case .undecided(let sizeLimit):
            var count = 0
            // A pipe can return fewer bytes than a signature has.
            while count < CompressionFormats.signatureSize {
                let more = try readStored(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                if more == 0 { break }
                count += more
            }
            let start = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            guard let format = CompressionFormats.format(of: start, fileName: fileName) else {
                if let member {
                    throw .unreadable(
                        name, "The file before '\(member)' is not a zip archive. Remove the name after the colon.")
                }
                state = .none
                return count
            }
            let decompressor = format.decompressor(of: source(start: Array(start), sizeLimit: sizeLimit))
            state = .started(decompressor)
            return try decompressor.read(into: buffer)
        }
    }

    /// Reads the next bytes as they are stored, and returns their number.
    private func readStored(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        try fill(buffer) { Foundation.read(descriptor, $0.baseAddress, $0.count) }.count
    }

    /// Reads the bytes at an offset into `buffer`.
    ///
    /// - Returns: The bytes; fewer than the buffer's size at the end of the file or if a signal interrupts the call.
    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(HARError) -> UnsafeRawBufferPointer {
        try fill(buffer) { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
    }

    /// Fills a buffer with the bytes at an offset.
    ///
    /// - Returns: The number of bytes; fewer than the buffer's size at the end of the file.
    package func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(HARError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let read = try read(at: offset + count, into: rest)
            if read.isEmpty { break }
            count += read.count
        }
        return count
    }

    /// Fills an array with the bytes at an offset.
    ///
    /// - Returns: The number of bytes; fewer than the array's size at the end of the file.
    package func fill(_ bytes: inout [UInt8], at offset: Int) throws(HARError) -> Int {
        try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(HARError) in try fill(buffer, at: offset) }
        }.get()
    }

    /// Reads the bytes in a range of the file.
    ///
    /// - Throws: `unreadableFile` if the file was truncated.
    package func bytes(in range: Range<Int>) throws(HARError) -> [UInt8] {
        // All empty arrays share their storage, and the initializer below would write to it.
        if range.isEmpty { return [] }
        var failure: HARError?
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            do throws(HARError) {
                count = try fill(UnsafeMutableRawBufferPointer(buffer), at: range.lowerBound)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard bytes.count == range.count else {
            throw HARError(
                .unreadableFile, "The file was truncated after it was opened. Open it again.",
                at: .init(file: name, byteOffset: range.lowerBound))
        }
        return bytes
    }

    /// Returns the line and column at an offset, or at the end of the file if the offset is beyond it.
    ///
    /// - Complexity: O(*n*), where *n* is the offset.
    package func position(at offset: Int) throws(HARError) -> TextPosition {
        var position = TextPosition()
        try advance(&position, to: offset)
        return position
    }

    /// Advances a position to a later offset, or to the end of the file if the offset is beyond it.
    package func advance(_ position: inout TextPosition, to offset: Int) throws(HARError) {
        guard position.offset < offset else { return }
        var bytes = [UInt8](repeating: 0, count: min(1 << 18, offset - position.offset))
        while position.offset < offset {
            let count = min(try fill(&bytes, at: position.offset), offset - position.offset)
            if count == 0 { break }
            bytes.withUnsafeBytes { position.advance(over: $0[from: 0, to: count]) }
        }
    }

    /// Calls `read`, and repeats the call if a signal interrupts it.
    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ read: (UnsafeMutableRawBufferPointer) -> Int
    ) throws(HARError) -> UnsafeRawBufferPointer {
        while true {
            let count = read(buffer)
            if count >= 0 {
                if let progress { progress(bytesRead.add(count, ordering: .relaxed).newValue) }
                return UnsafeRawBufferPointer(rebasing: buffer[..<count])
            }
            if errno != EINTR { throw Self.failure(name) }
        }
    }

    private static func failure(_ name: String) -> HARError {
        .unreadable(name, "The file cannot be read: \(SystemError.reason())")
    }
}
