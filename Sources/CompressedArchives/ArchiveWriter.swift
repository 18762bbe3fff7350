import CArchive
import HTTPArchive

/// Compresses one file with libarchive.
///
/// The output contains no time, so equal content has an equal compressed form.
final class ArchiveWriter: Compressor {
    private let handle = archive_write_new()
    private let isUsable: Bool
    private let member: String?
    private var isOpen = false

    /// The closure that receives compressed bytes, while bytes are being written.
    private var output: ((UnsafeRawBufferPointer) throws(HARError) -> Void)?

    /// The error of the last callback.
    private var failure: HARError?

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - member: The name of the file in a container, or nil if the format stores no name.
    ///   - prepare: A closure that enables a format of libarchive, and returns whether it is available.
    init(member: String?, _ prepare: (OpaquePointer?) -> Bool) {
        self.member = member
        isUsable = prepare(handle) && archive_write_set_bytes_in_last_block(handle, 1) == ARCHIVE_OK
    }

    deinit {
        // Freeing an incomplete file would write its end.
        archive_write_fail(handle)
        archive_write_free(handle)
    }

    func write(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, to write: (UnsafeRawBufferPointer) throws(HARError) -> Void
    ) throws(HARError) {
        try withoutActuallyEscaping(write) { write in
            output = write
            defer { output = nil }
            return Result { () throws(HARError) in try self.write(bytes, isLast: isLast) }
        }.get()
    }

    private func write(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(HARError) {
        if !isOpen { try open() }
        var rest = bytes
        while !rest.isEmpty {
            let count = archive_write_data(handle, rest.baseAddress, rest.count)
            try check(count > 0)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        if isLast { try check(archive_write_close(handle) == ARCHIVE_OK) }
    }

    private func open() throws(HARError) {
        try check(isUsable)
        let context = Unmanaged.passUnretained(self).toOpaque()
        let status = archive_write_open(
            handle, context, nil,
            { _, context, bytes, count in
                guard let context else { return Int(ARCHIVE_FATAL) }
                let writer = Unmanaged<ArchiveWriter>.fromOpaque(context).takeUnretainedValue()
                return writer.append(UnsafeRawBufferPointer(start: bytes, count: count))
            }, nil)
        try check(status == ARCHIVE_OK)
        let entry = archive_entry_new()
        defer { archive_entry_free(entry) }
        archive_entry_set_filetype(entry, ArchiveMember.regularFile)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_pathname_utf8(entry, member ?? "data")
        try check(archive_write_header(handle, entry) >= ARCHIVE_WARN)
        isOpen = true
    }

    private func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        do throws(HARError) {
            try output?(bytes)
            return bytes.count
        } catch {
            failure = error
            return Int(ARCHIVE_FATAL)
        }
    }

    private func check(_ isSuccess: Bool) throws(HARError) {
        if let failure { throw failure }
        if isSuccess { return }
        let reason = archive_error_string(handle).map { ": " + String(cString: $0) } ?? ""
        throw HARError(.unwritableFile, "The file cannot be compressed\(reason). Choose another format.")
    }
}
