import CArchive
import Foundation
import HTTPArchive

/// Reads the members of a file with libarchive.
final class ArchiveReader {
    /// The maximum number of compressed bytes that are read at once.
    private static let inputSize = 1 << 16

    /// A locale with the charset UTF-8, which is never released.
    nonisolated(unsafe) private static let locale = {
        #if canImport(Darwin)
            newlocale(LC_CTYPE_MASK, "UTF-8", nil)
        #else
            newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
        #endif
    }()

    private let source: CompressedSource
    private let format: String
    private let handle = archive_read_new()
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: inputSize, alignment: 16)

    /// The size of the file and the offset of the next read, or nil if the file is read from start to end.
    private var position: (offset: Int, size: Int)?

    /// The decompressed bytes that were not returned yet, which are valid until the next call of libarchive.
    private var block = UnsafeRawBufferPointer(start: nil, count: 0)

    /// The frames of the file, if it consists of Zstandard frames.
    private var frames: ZstandardFrames?

    /// The error of the last callback.
    private var failure: HARError?

    /// Whether the current block is the last one of a member that does not match its checksum or size.
    private var isMismatched = false

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - format: The name of the format, for errors.
    ///   - frames: The initial state of the frames in a Zstandard file; nil by default, for all other formats.
    init(_ source: CompressedSource, format: String, frames: ZstandardFrames? = nil) {
        self.source = source
        self.format = format
        self.frames = frames
    }

    deinit {
        archive_read_free(handle)
        input.deallocate()
    }

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - isSeekable: Whether the format requires reading at any offset; false by default.
    ///   - prepare: A closure that enables formats of libarchive, and returns whether they are available.
    /// - Throws: `unreadableFile` or `limitExceeded`.
    func open(isSeekable: Bool = false, _ prepare: (OpaquePointer?) -> Bool) throws(HARError) {
        guard prepare(handle) else {
            throw .unreadable(
                source.name, "The installed libarchive does not support \(format). Decompress the archive first.")
        }
        archive_read_set_callback_data(handle, Unmanaged.passUnretained(self).toOpaque())
        archive_read_set_read_callback(handle) { _, context, buffer in
            ArchiveReader.of(context)?.fill(buffer) ?? Int(ARCHIVE_FATAL)
        }
        if isSeekable {
            position = (0, try source.makeSeekable())
            archive_read_set_seek_callback(handle) { _, context, offset, origin in
                ArchiveReader.of(context)?.seek(offset, origin) ?? Int64(ARCHIVE_FATAL)
            }
            archive_read_set_skip_callback(handle) { _, context, count in
                ArchiveReader.of(context)?.skip(count) ?? 0
            }
        }
        try check(archive_read_open1(handle))
    }

    /// Moves to the next member.
    ///
    /// - Returns: The member, or nil at the end.
    /// - Throws: `unreadableFile`.
    func nextMember() throws(HARError) -> ArchiveMember? {
        // libarchive converts names to the charset of the locale, and loses them if it is ASCII.
        let locale = uselocale(Self.locale)
        defer { uselocale(locale) }
        block = UnsafeRawBufferPointer(start: nil, count: 0)
        var entry: OpaquePointer?
        let status = archive_read_next_header(handle, &entry)
        if status == ARCHIVE_EOF { return nil }
        // A warning concerns only the name or attributes of the member.
        if status != ARCHIVE_WARN { try check(status) }
        return entry.map { ArchiveMember($0) }
    }

    /// Decompresses the next bytes of the current member.
    ///
    /// - Parameter buffer: The buffer for the bytes.
    /// - Returns: The number of bytes; 0 at the end of the member.
    /// - Throws: `unreadableFile` or `limitExceeded`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        // Unlike archive_read_data, this returns the blocks before an error.
        while block.isEmpty {
            var start: UnsafeRawPointer?
            var (size, offset) = (0, la_int64_t(0))
            if isMismatched { throw source.checksumFailure(format) }
            let status = archive_read_data_block(handle, &start, &size, &offset)
            if status == ARCHIVE_EOF { return 0 }
            if status < ARCHIVE_OK, isChecksumMismatch {
                // The last block of a member in a zip file is returned together with the error.
                isMismatched = true
            } else {
                try check(status)
            }
            block = UnsafeRawBufferPointer(start: start, count: size)
        }
        let part = UnsafeRawBufferPointer(rebasing: block.prefix(buffer.count))
        buffer.copyMemory(from: part)
        block = UnsafeRawBufferPointer(rebasing: block.dropFirst(part.count))
        try source.addDecompressed(part.count)
        return part.count
    }

    /// The description of the last error in lower case.
    private var reason: String { archive_error_string(handle).map { String(cString: $0).lowercased() } ?? "" }

    /// Whether the last error is about a complete member of a zip file.
    private var isChecksumMismatch: Bool {
        let reason = reason
        return reason.hasPrefix("zip") && (reason.contains("bad crc") || reason.contains("wrong size"))
    }

    private func check(_ status: Int32) throws(HARError) {
        if let failure { throw failure }
        guard status < ARCHIVE_OK else { return }
        let reason = reason
        if reason.contains("passphrase") || reason.contains("encrypt") {
            throw .unreadable(
                source.name, "The \(format) file is encrypted. Unpack it with its password, and open the archive.")
        }
        throw source.failure(format, reason.contains("truncated") ? "is truncated" : "is damaged or truncated")
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> ArchiveReader? {
        context.map { Unmanaged<ArchiveReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func fill(_ buffer: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        buffer?.pointee = UnsafeRawPointer(input.baseAddress)
        do throws(HARError) {
            guard let position else { return try readNext() }
            let count = try source.read(at: position.offset, into: input)
            self.position?.offset += count
            return count
        } catch {
            failure = error
            return Int(ARCHIVE_FATAL)
        }
    }

    /// Reads the next bytes of a file that is read from start to end, and returns their number.
    private func readNext() throws(HARError) -> Int {
        guard frames != nil else { return try source.read(into: input) }
        let margin = ZstandardFrames.margin
        while frames?.isAtEnd == false {
            let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: input[margin...]))
            if count == 0 { break }
            let kept = frames?.filter(input, count: count) ?? 0
            if kept > 0 { return kept }
        }
        return 0
    }

    private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
        guard let (current, size) = position else { return Int64(ARCHIVE_FATAL) }
        let base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? current : size
        let (target, overflows) = base.addingReportingOverflow(Int(offset))
        guard !overflows, target >= 0, target <= size else { return Int64(ARCHIVE_FATAL) }
        position?.offset = target
        return Int64(target)
    }

    private func skip(_ count: Int64) -> Int64 {
        guard let (offset, size) = position else { return 0 }
        let skipped = max(0, min(Int(count), size - offset))
        position?.offset = offset + skipped
        return Int64(skipped)
    }
}

/// A file in a file that libarchive reads.
struct ArchiveMember {
    /// The type of regular files: `AE_IFREG`, which Swift does not import.
    static let regularFile: mode_t = 0o100000

    /// The path.
    let name: String

    /// Whether this is a regular file, rather than a folder or a symbolic link.
    let isRegularFile: Bool

    /// Creates a description of an entry of libarchive, which is valid until the next entry is read.
    fileprivate init(_ entry: OpaquePointer) {
        // Names are in UTF-8, or in an unknown encoding, which usually agrees with ASCII.
        let path = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
        name = path.map { String(cString: $0) } ?? ""
        isRegularFile = archive_entry_filetype(entry) == Self.regularFile
    }
}
