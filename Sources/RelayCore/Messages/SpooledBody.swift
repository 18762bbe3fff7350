package import Foundation
package import HTTPArchive
import Synchronization

/// A body that is collected in chunks.
///
/// Small bodies are stored in memory, and large bodies in an anonymous file.
///
/// Copies are cheap and independent: appending to one copy does not change the others.
package struct SpooledBody: Sendable {
    /// The maximum size of a body in memory, in bytes.
    package static let memoryLimit = 1 << 20

    /// The size of a chunk read from the file, in bytes.
    static let chunkSize = 1 << 18

    private enum Storage: Sendable {
        case memory(Data)

        /// A range of bytes in a file. These bytes never change. Subsequent bytes in the file belong to copies or to
        /// other bodies.
        case file(SpoolFile, start: Int, count: Int)
    }

    private var storage: Storage

    /// Creates an empty body.
    package init() { storage = .memory(Data()) }

    /// Creates a body from data.
    init(_ data: Data) { storage = .memory(data) }

    /// The number of bytes.
    package var count: Int {
        switch storage {
        case .memory(let data): data.count
        case .file(_, _, let count): count
        }
    }

    /// The number of bytes in memory; 0 if the body is in a file.
    package var memorySize: Int { if case .memory(let data) = storage { data.count } else { 0 } }

    /// The bytes, mapped into memory if the body is in a file.
    ///
    /// Mapped bytes use no memory until they are read. The bytes remain valid after this value is destroyed.
    package var data: Data {
        switch storage {
        case .memory(let data): data
        case .file(let file, let start, let count): file.mapped(start..<start + count)
        }
    }

    /// Appends a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - limit: The size up to which the body is in memory, in bytes; 1 MB by default.
    /// - Throws: `unwritableFile` if the file cannot be written; earlier chunks are preserved.
    package mutating func append(
        _ chunk: Data, inMemoryUpTo limit: Int = SpooledBody.memoryLimit
    ) throws(HARError) {
        guard !chunk.isEmpty else { return }
        if case .memory(var data) = storage, data.count + chunk.count <= limit {
            // The first chunk is often the complete body. Storing it without a copy shares its memory with the client.
            guard !data.isEmpty || chunk.startIndex != 0 else { return storage = .memory(chunk) }
            // Makes `data` uniquely referenced, so that appending does not copy it.
            storage = .memory(Data())
            data.append(chunk)
            return storage = .memory(data)
        }
        // If a copy or another body was appended at this offset, the body is copied to a new file.
        if case .file(let file, let start, let count) = storage, try file.append(chunk, at: start + count) != nil {
            return storage = .file(file, start: start, count: count + chunk.count)
        }
        let end = count
        let file = try SpoolFile()
        try forEachPiece { data, place throws(HARError) in try file.append(data, at: place) }
        storage = .file(file, start: 0, count: end)
        try file.append(chunk, at: end)
        storage = .file(file, start: 0, count: end + chunk.count)
    }

    /// Returns the body without the content codings that header fields name.
    ///
    /// - Parameters:
    ///   - headers: The header fields.
    ///   - limit: The maximum size of the decoded body, in bytes.
    /// - Returns: The decoded body, this body if it cannot be decoded or would be larger than 100 MB, or nil if it would be
    ///   larger than a limit below that.
    func decoded(by headers: [HeaderField], upTo limit: Int) -> SpooledBody? {
        do throws(HARError) {
            return try headers.body(decodedFrom: data, upTo: limit).map { SpooledBody($0) } ?? self
        } catch {
            return error.code == .limitExceeded && limit < ContentCoding.greatestSize ? nil : self
        }
    }

    /// Moves a body from memory to a shared file, which limits the number of open files.
    ///
    /// If the file cannot be written, the body remains in memory.
    mutating func moveToFile() {
        guard case .memory(let data) = storage, !data.isEmpty else { return }
        guard let file = try? SpoolFile.shared(), let start = try? file.append(data) else { return }
        storage = .file(file, start: start, count: data.count)
    }

    /// Calls a closure with each chunk of the body, in order.
    ///
    /// Memory use is constant.
    ///
    /// - Parameter body: A closure that receives a chunk and its offset in bytes.
    /// - Throws: The error of `body`, or `unreadableFile` if the file cannot be read.
    func forEachPiece(_ body: (_ piece: Data, _ place: Int) throws(HARError) -> Void) throws(HARError) {
        var offset = 0
        while offset < count {
            let size = min(Self.chunkSize, count - offset)
            switch storage {
            case .memory(let data): try body(data.dropFirst(offset).prefix(size), offset)
            case .file(let file, let start, _): try body(try file.read(size, at: start + offset), offset)
            }
            offset += size
        }
    }
}

/// An anonymous append-only file, which the system deletes when it is closed.
final class SpoolFile: Sendable {
    private let descriptor: Int32
    private let calls = FileSystemCalls.current

    /// The number of bytes written successfully.
    private let count = Mutex(0)

    /// Creates an empty file in the temporary directory.
    ///
    /// - Throws: `unwritableFile`.
    convenience init() throws(HARError) {
        try self.init(in: FileManager.default.temporaryDirectory)
    }

    /// Creates an empty file.
    ///
    /// - Parameter folder: The directory whose file system stores the bytes.
    /// - Throws: `unwritableFile`.
    convenience init(in folder: URL) throws(HARError) {
        let calls = FileSystemCalls.current
        var descriptor = calls.openUnnamed(folder.path, 0o600)
        if descriptor < 0 {
            let path = folder.appendingPathComponent("relay-\(UUID().uuidString)").path
            descriptor = calls.open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
            if descriptor >= 0 { _ = calls.remove(path) }
        }
        guard descriptor >= 0 else { throw Self.error(.unwritableFile, "created") }
        self.init(descriptor: descriptor)
    }

    private struct Shared {
        weak var file: SpoolFile?
    }

    private static let current = Mutex(Shared())

    /// The size at which a new shared file is created, in bytes.
    private static let sharedLimit = 1 << 28

    /// Returns a file shared by several bodies.
    ///
    /// The file exists until all of them are destroyed.
    ///
    /// - Throws: `unwritableFile`.
    static func shared() throws(HARError) -> SpoolFile {
        try current.withLock { shared throws(HARError) in
            if let file = shared.file, file.count.withLock({ $0 }) < sharedLimit { return file }
            let file = try SpoolFile()
            shared.file = file
            return file
        }
    }

    /// Creates a value that takes ownership of the descriptor of an empty file.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Appends a chunk at the end of the file.
    ///
    /// - Parameters:
    ///   - piece: The bytes.
    ///   - place: The expected size of the file before the chunk is appended, in bytes, or nil (the default) for any
    ///     size.
    /// - Returns: The offset of the chunk, or nil if the file has a different size. In that case, nothing is appended.
    /// - Throws: `unwritableFile`; earlier bytes are preserved.
    @discardableResult
    func append(_ piece: Data, at place: Int? = nil) throws(HARError) -> Int? {
        try count.withLock { count throws(HARError) in
            guard place == nil || place == count else { return nil }
            if let problem = write(piece, at: count) { throw Self.error(.unwritableFile, "written", problem) }
            defer { count += piece.count }
            return count
        }
    }

    /// Reads bytes at an offset.
    ///
    /// - Throws: `unreadableFile` if the bytes cannot be read or the file is too short.
    func read(_ size: Int, at place: Int) throws(HARError) -> Data {
        var bytes = Data(count: size)
        let problem: Int32? = bytes.withUnsafeMutableBytes { buffer in
            var filled = 0
            while filled < size {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let read = pread(descriptor, rest.baseAddress, rest.count, off_t(place + filled))
                if read == 0 { return EIO }
                if read < 0, errno != EINTR { return errno }
                filled += max(0, read)
            }
            return nil
        }
        if let problem { throw Self.error(.unreadableFile, "read", problem) }
        return bytes
    }

    /// Maps bytes into memory.
    ///
    /// They are unmapped when the returned data is destroyed.
    ///
    /// - Parameter range: The offsets of the bytes. The range must not be empty, and all of its bytes must have been
    ///   written.
    /// - Returns: The bytes.
    func mapped(_ range: Range<Int>) -> Data {
        // Only whole pages can be mapped.
        let skipped = range.lowerBound % Int(getpagesize())
        let size = skipped + range.count
        let page = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, off_t(range.lowerBound - skipped))
        guard let page, page != MAP_FAILED else {
            // If the address space is too small for a mapping, reading the bytes can still succeed.
            return (try? read(range.count, at: range.lowerBound)) ?? Data()
        }
        return Data(
            bytesNoCopy: page + skipped, count: range.count, deallocator: .custom { _, _ in munmap(page, size) })
    }

    /// Writes all bytes at an offset.
    ///
    /// - Returns: The system's error number, or `nil` on success.
    private func write(_ chunk: Data, at offset: Int) -> Int32? {
        chunk.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let written = calls.write(descriptor, part, offset + rest.startIndex)
                if written < 0, errno != EINTR { return errno }
                rest = rest.dropFirst(max(0, written))
            }
            return nil
        }
    }

    private static func error(_ code: HARError.Code, _ verb: String, _ number: Int32 = errno) -> HARError {
        let advice = number == ENOSPC || number == EDQUOT ? "Free up space in" : "Check"
        return HARError(
            code,
            """
            The temporary file for a large body cannot be \(verb): \(String(cString: strerror(number))). \(advice) the \
            folder for temporary files, or set TMPDIR to another folder.
            """)
    }
}
