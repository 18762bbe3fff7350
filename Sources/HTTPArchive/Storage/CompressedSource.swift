import Foundation

/// The stored bytes of a compressed archive, which are read from start to end or at any offset.
///
/// A source must not be used by several threads at the same time.
package final class CompressedSource: @unchecked Sendable {
    /// The stored bytes.
    enum Storage {
        /// An open file, a pipe, or a copy of a pipe, which is not decompressed.
        case file(InputFile)

        case data(Data)

        /// Bytes that arrive in chunks; those that were not read yet, and whether they are the last.
        case chunks(ArraySlice<UInt8>, isComplete: Bool)
    }

    private var storage: Storage

    /// The bytes that were read to recognize the format and are returned again.
    private var start: [UInt8]

    /// The number of bytes of ``start`` or of the data that were returned.
    private var position = 0

    /// The number of decompressed bytes.
    package private(set) var decompressedCount = 0

    /// The name of the file, for errors.
    package let name: String

    /// The name of the file within a container, or nil if the path does not specify it.
    package let member: String?

    /// The maximum size after decompression, in bytes.
    package let sizeLimit: Int

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - storage: The stored bytes.
    ///   - start: The bytes that were already read from a file; none by default.
    ///   - name: The name of the file, for errors.
    ///   - member: The name of the file within a container; nil by default.
    ///   - sizeLimit: The maximum size after decompression, in bytes.
    init(_ storage: Storage, start: [UInt8] = [], name: String, member: String? = nil, sizeLimit: Int) {
        self.storage = storage
        self.start = start
        self.name = name
        self.member = member
        self.sizeLimit = sizeLimit
    }

    /// Whether more chunks are expected.
    var isWaiting: Bool { if case .chunks(_, isComplete: false) = storage { true } else { false } }

    /// Adds a chunk to a source that receives chunks.
    ///
    /// - Parameter chunk: The bytes, or nil at the end of the archive.
    func add(_ chunk: (some Collection<UInt8>)?) {
        guard case .chunks(let rest, _) = storage else { return }
        storage = .chunks(chunk.map { rest + $0 } ?? rest, isComplete: chunk == nil)
    }

    /// Reads the next bytes.
    ///
    /// - Parameter buffer: The buffer.
    /// - Returns: The number of bytes; 0 at the end, or if the next chunk is missing.
    /// - Throws: `unreadableFile`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        if position < start.count {
            let bytes = start[position...].prefix(buffer.count)
            buffer.copyBytes(from: bytes)
            position += bytes.count
            return bytes.count
        }
        switch storage {
        case .file(let file): return try file.read(into: buffer).count
        case .chunks(let rest, let isComplete):
            let bytes = rest.prefix(buffer.count)
            buffer.copyBytes(from: bytes)
            storage = .chunks(rest.dropFirst(bytes.count), isComplete: isComplete)
            return bytes.count
        case .data:
            let count = try read(at: position, into: buffer)
            position += count
            return count
        }
    }

    /// Reads the bytes at an offset, after ``makeSeekable()`` was called.
    ///
    /// - Parameters:
    ///   - offset: The offset, in bytes.
    ///   - buffer: The buffer.
    /// - Returns: The number of bytes; 0 at the end.
    /// - Throws: `unreadableFile`.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        switch storage {
        case .chunks: 0
        case .file(let file): try file.read(at: offset, into: buffer).count
        case .data(let data):
            data.dropFirst(offset).prefix(buffer.count).withUnsafeBytes {
                buffer.copyMemory(from: $0)
                return $0.count
            }
        }
    }

    /// Reads the bytes in a range, which must be within the size that ``makeSeekable()`` returned.
    ///
    /// - Parameter range: The range of offsets, in bytes.
    /// - Returns: The bytes.
    /// - Throws: `unreadableFile`.
    package func bytes(in range: Range<Int>) throws(HARError) -> [UInt8] {
        switch storage {
        case .chunks: []
        case .file(let file): try file.bytes(in: range)
        case .data(let data): Array(data.dropFirst(range.lowerBound).prefix(range.count))
        }
    }

    /// Prepares the source for reading at any offset.
    ///
    /// A pipe is copied to a temporary file.
    ///
    /// - Returns: The size of the compressed archive, in bytes.
    /// - Throws: `unreadableFile`, or `limitExceeded` if a pipe is larger than ``sizeLimit``.
    package func makeSeekable() throws(HARError) -> Int {
        switch storage {
        case .data(let data): return data.count
        case .chunks(let rest, _): return rest.count
        case .file(let file):
            if let size = file.size { return size }
            let copy = try InputFile(copyNamed: name) { buffer throws(HARError) in
                let count = try read(into: buffer)
                try addDecompressed(count)
                return count
            }
            copy.rewind()
            storage = .file(copy)
            start = []
            decompressedCount = 0
            return copy.size ?? 0
        }
    }

    /// Adds to the number of decompressed bytes.
    ///
    /// - Parameter count: The number of bytes.
    /// - Throws: `limitExceeded` if the total exceeds ``sizeLimit``.
    package func addDecompressed(_ count: Int) throws(HARError) {
        decompressedCount += count
        guard decompressedCount > sizeLimit else { return }
        throw HARError(
            .limitExceeded,
            """
            The decompressed archive is larger than \(sizeLimit) bytes. To read it, raise the reader's \
            maximumDecompressedSize or har's --decompressed-limit.
            """, at: .init(file: name))
    }

    /// Returns the error for data that cannot be decompressed.
    ///
    /// - Parameters:
    ///   - format: The name of the format.
    ///   - reason: A phrase such as `is truncated`.
    ///   - cause: The cause; nil by default.
    /// - Returns: The error.
    package func failure(_ format: String, _ reason: String, because cause: ChecksumMismatch? = nil) -> HARError {
        HARError(
            .unreadableFile,
            "The \(format) data \(reason) after \(decompressedCount) decompressed bytes. Compress or download the "
                + "archive again.",
            at: .init(file: name), underlying: cause)
    }

    /// Returns the error for data that was decompressed completely, but does not match its checksum or size.
    ///
    /// - Parameter format: The name of the format.
    /// - Returns: The error.
    package func checksumFailure(_ format: String) -> HARError {
        failure(format, "does not match its checksum", because: ChecksumMismatch())
    }
}

/// The cause of an error for data that was decompressed completely, but does not match its checksum or size.
package struct ChecksumMismatch: Error {}
