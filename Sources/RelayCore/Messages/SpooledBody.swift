package import Foundation
package import HTTPArchive
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A body that is collected in chunks: a small body in memory, a larger one in an anonymous file.
///
/// Copies are cheap and independent: appending to one copy does not change the others.
package struct SpooledBody: Sendable {
    /// The maximum size of a body in memory, in bytes.
    static let memoryLimit = 1 << 20

    /// The size of a chunk read from the file, in bytes.
    static let chunkSize = 1 << 18

    private enum Storage: Sendable {
        case memory(Data)

        /// The first bytes of a file, which never change. Bytes after them belong to copies.
        case file(SpoolFile, count: Int)
    }

    private var storage: Storage

    /// Creates an empty body.
    package init() { storage = .memory(Data()) }

    /// Creates a body from data.
    init(_ data: Data) { storage = .memory(data) }

    /// The number of bytes.
    var count: Int {
        switch storage {
        case .memory(let data): data.count
        case .file(_, let count): count
        }
    }

    /// The bytes, which for a large body are mapped from the file and use no memory until they are read.
    ///
    /// The bytes remain valid after this value is destroyed.
    var data: Data {
        switch storage {
        case .memory(let data): data
        case .file(let file, let count): file.mapped(count: count)
        }
    }

    /// Appends a chunk.
    ///
    /// - Throws: `unwritableFile` if the file cannot be written; earlier chunks are preserved.
    package mutating func append(_ piece: Data) throws(HARError) {
        guard !piece.isEmpty else { return }
        switch storage {
        case .memory(var data):
            guard data.count + piece.count > Self.memoryLimit else {
                // Gives the data a single owner, so that appending does not copy it.
                storage = .memory(Data())
                data.append(piece)
                storage = .memory(data)
                return
            }
            let file = try SpoolFile()
            try file.append(data, at: 0)
            let end = data.count
            storage = .file(file, count: end)
            try file.append(piece, at: end)
            storage = .file(file, count: end + piece.count)
        case .file(let file, let count):
            // A copy has already appended other bytes at this offset, so this body continues in a new file.
            if try file.append(piece, at: count) {
                storage = .file(file, count: count + piece.count)
                return
            }
            let own = try SpoolFile()
            try forEachPiece { data, place throws(HARError) in try own.append(data, at: place) }
            try own.append(piece, at: count)
            storage = .file(own, count: count + piece.count)
        }
    }

    /// Calls a closure with each chunk of the body in order, in constant memory.
    ///
    /// - Parameter body: A closure that takes a chunk and its offset in bytes.
    /// - Throws: The error of `body`, or `unreadableFile` if the file cannot be read.
    func forEachPiece(_ body: (_ piece: Data, _ place: Int) throws(HARError) -> Void) throws(HARError) {
        var offset = 0
        while offset < count {
            let size = min(Self.chunkSize, count - offset)
            switch storage {
            case .memory(let data): try body(data.dropFirst(offset).prefix(size), offset)
            case .file(let file, _): try body(try file.read(size, at: offset), offset)
            }
            offset += size
        }
    }
}

/// An anonymous append-only file, which disappears when the process exits.
final class SpoolFile: Sendable {
    private let descriptor: Int32

    /// The number of completely written bytes.
    private let count = Mutex(0)

    /// Creates an empty file in the directory for temporary files.
    ///
    /// - Throws: `unwritableFile`.
    convenience init() throws(HARError) {
        try self.init(in: FileManager.default.temporaryDirectory)
    }

    /// Creates an empty file.
    ///
    /// - Parameter folder: A directory on the file system that stores the bytes.
    /// - Throws: `unwritableFile`.
    convenience init(in folder: URL) throws(HARError) {
        var descriptor: Int32 = -1
        #if os(Linux)
            // O_TMPFILE, which is not imported into Swift (open(2)).
            descriptor = open(folder.path, 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        #endif
        if descriptor < 0 {
            let path = folder.appendingPathComponent("relay-\(UUID().uuidString)").path
            descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor >= 0 { unlink(path) }
        }
        guard descriptor >= 0 else { throw Self.error(.unwritableFile, "created") }
        self.init(descriptor: descriptor)
    }

    /// Takes ownership of the descriptor of an empty file, and closes it on deinitialization.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Appends a chunk at the end of the file.
    ///
    /// - Parameters:
    ///   - piece: The bytes.
    ///   - place: The expected size of the file before the chunk, in bytes.
    /// - Returns: `false` if the file has a different size; nothing is written in this case.
    /// - Throws: `unwritableFile`; earlier bytes are preserved.
    @discardableResult
    func append(_ piece: Data, at place: Int) throws(HARError) -> Bool {
        let problem: Int32?? = count.withLock { count in
            guard count == place else { return nil }
            if let problem = write(piece, at: place) { return problem }
            count += piece.count
            return .some(nil)
        }
        guard let problem else { return false }
        if let problem { throw Self.error(.unwritableFile, "written", problem) }
        return true
    }

    /// Reads bytes at an offset.
    ///
    /// - Throws: `unreadableFile`, also if the file has fewer bytes.
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

    /// Returns the first bytes as mapped memory, which is unmapped when the data is destroyed.
    ///
    /// - Parameter count: The number of bytes. It must be greater than 0, and all bytes must have been written.
    /// - Returns: The bytes.
    func mapped(count: Int) -> Data {
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            // Without address space for a mapping, a copy in memory may still succeed.
            return (try? read(count, at: 0)) ?? Data()
        }
        return Data(bytesNoCopy: start, count: count, deallocator: .custom { start, count in munmap(start, count) })
    }

    /// Writes all bytes at an offset.
    ///
    /// - Returns: The system's error number, or `nil` on success.
    private func write(_ chunk: Data, at offset: Int) -> Int32? {
        chunk.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let written = pwrite(descriptor, part.baseAddress, part.count, off_t(offset + rest.startIndex))
                if written < 0, errno != EINTR { return errno }
                rest = rest.dropFirst(max(0, written))
            }
            return nil
        }
    }

    private static func error(_ code: HARError.Code, _ verb: String, _ number: Int32 = errno) -> HARError {
        HARError(
            code,
            """
            The temporary file of a large body cannot be \(verb): \(String(cString: strerror(number))). Free \
            space in the folder for temporary files, or set TMPDIR to another one.
            """)
    }
}
