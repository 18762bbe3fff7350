import Foundation
import HTTPArchive
import Synchronization

/// An anonymous append-only file, which the system deletes when it is closed, or a part of a shared one.
final class SpoolFile: Sendable {
    /// A file that is closed when all its parts are destroyed.
    fileprivate final class Descriptor: Sendable {
        let number: Int32
        let calls = FileSystemCalls.current

        init(_ number: Int32) { self.number = number }

        deinit { close(number) }
    }

    fileprivate let descriptor: Descriptor

    /// The offsets of the part; unlimited if the file is not shared.
    private let range: Range<Int>

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

    /// Creates a value that takes ownership of the descriptor of an empty file.
    init(descriptor: Int32) { (self.descriptor, range) = (Descriptor(descriptor), 0..<Int.max) }

    /// Creates a part of a file.
    ///
    /// - Parameters:
    ///   - range: The offsets of the part.
    ///   - descriptor: The descriptor of the file.
    fileprivate init(_ range: Range<Int>, of descriptor: Descriptor) {
        (self.descriptor, self.range) = (descriptor, range)
    }

    /// Appends a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The bytes.
    ///   - place: The expected size before the chunk is appended, in bytes.
    /// - Returns: Whether the chunk was appended; false if the file has a different size, or the part would be exceeded.
    /// - Throws: `unwritableFile`; earlier bytes are preserved.
    func append(_ chunk: Data, at place: Int) throws(HARError) -> Bool {
        try count.withLock { count throws(HARError) in
            guard place == count, chunk.count <= range.count - count else { return false }
            if let problem = write(chunk, at: range.lowerBound + count) {
                throw Self.error(.unwritableFile, "written", problem)
            }
            count += chunk.count
            return true
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
                let start = range.lowerBound + place + filled
                let read = pread(descriptor.number, rest.baseAddress, rest.count, off_t(start))
                if read == 0 { return EIO }
                if read < 0, errno != EINTR { return errno }
                filled += max(0, read)
            }
            return nil
        }
        if let problem { throw Self.error(.unreadableFile, "read", problem) }
        return bytes
    }

    /// Maps the first bytes into memory.
    ///
    /// They are unmapped when the returned data is destroyed.
    ///
    /// - Parameter count: The number of bytes, which must have been written; more than 0.
    /// - Returns: The bytes.
    func mapped(_ count: Int) -> Data {
        // Only whole pages can be mapped.
        let skipped = range.lowerBound % Int(getpagesize())
        let size = skipped + count
        let page = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor.number, off_t(range.lowerBound - skipped))
        guard let page, page != MAP_FAILED else {
            // If the address space is too small for a mapping, reading the bytes can still succeed.
            return (try? read(count, at: 0)) ?? Data()
        }
        return Data(bytesNoCopy: page + skipped, count: count, deallocator: .custom { _, _ in munmap(page, size) })
    }

    /// Writes all bytes at an offset.
    ///
    /// - Returns: The system's error number, or `nil` on success.
    private func write(_ chunk: Data, at offset: Int) -> Int32? {
        chunk.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let written = descriptor.calls.write(descriptor.number, part, offset + rest.startIndex)
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

/// A file for many bodies, which limits the number of open files, and the time to create them.
///
/// The file exists until all of its bodies are destroyed. Bodies that it has no room for are in another file.
package final class SharedSpool: Sendable {
    /// The file for bodies that wait until they are recorded.
    static let waiting = SharedSpool()

    /// The size of the part for a body that is being received, in bytes; the unused rest of a part needs no space.
    package static let partSize = 1 << 21

    /// The size at which a new file is created, in bytes.
    private static let fileSize = 1 << 26

    private struct Latest {
        weak var descriptor: SpoolFile.Descriptor?
        var end = 0
    }

    private let latest = Mutex(Latest())

    /// Creates a value without a file.
    package init() {}

    /// Returns a part of the file for a body.
    ///
    /// - Parameter size: The maximum size of the body, in bytes.
    /// - Returns: The part.
    /// - Throws: `unwritableFile` if a file cannot be created.
    func reserve(_ size: Int) throws(HARError) -> SpoolFile {
        try latest.withLock { latest throws(HARError) in
            let used = latest.end < Self.fileSize ? latest.descriptor : nil
            let descriptor: SpoolFile.Descriptor
            if let used { descriptor = used } else { descriptor = try SpoolFile().descriptor }
            if used == nil { latest = Latest(descriptor: descriptor) }
            defer { latest.end += size }
            return SpoolFile(latest.end..<latest.end + size, of: descriptor)
        }
    }
}
