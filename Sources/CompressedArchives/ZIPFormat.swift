import CArchive
import Foundation
import HTTPArchive

/// The format zip (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT).
struct ZIPFormat: CompressionFormat {
    let name = "zip"
    let fileExtension = "zip"
    let storesSeveralFiles = true

    /// The signatures of a file with and without members (sections 4.3.7 and 4.3.16).
    private static let signatures: [[UInt8]] = [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]]

    func recognizes(_ start: UnsafeRawBufferPointer, fileName: String) -> Bool {
        if Self.signatures.contains(where: { start.starts(with: $0) }) { return true }
        // Other data can precede the members (section 4.1.9). JSON in a file with a misleading name is read as JSON.
        guard fileName.lowercased().hasSuffix(".zip"), let first = start.first else { return false }
        return 0x21...0x7F ~= first && first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
    }

    func decompressor(of source: CompressedSource) -> any Decompressor { ZIPDecompressor(source) }

    func compressor(fileName: String) -> any Compressor {
        var name = fileName.hasSuffix(".zip") ? String(fileName.dropLast(4)) : fileName
        let isTable = [".csv", ".ndjson", ".jsonl"].contains { name.lowercased().hasSuffix($0) }
        if !isTable, !name.lowercased().hasSuffix(".har") { name += ".har" }
        return ArchiveWriter(member: name) { archive_write_set_format_zip($0) == ARCHIVE_OK }
    }

    func members(of source: CompressedSource) throws(HARError) -> (any MemberStore)? {
        try ZIPMembers(of: source, archive: ZIPDirectory(source).archive)
    }

    /// Returns whether a zip file has no members.
    fileprivate static func isEmpty(_ source: CompressedSource) throws(HARError) -> Bool {
        try source.bytes(in: 0..<min(signatures[1].count, source.makeSeekable())) == signatures[1]
    }

    /// The minimum and maximum size of the end of the central directory, which can contain a comment.
    private static let directoryEndSize = (minimum: 22, maximum: 22 + 0xFFFF)

    /// Returns whether the end of a zip file is missing, which contains the central directory.
    fileprivate static func isTruncated(_ source: CompressedSource) throws(HARError) -> Bool {
        let size = try source.makeSeekable()
        let end = try source.bytes(in: max(0, size - directoryEndSize.maximum)..<size)
        let signature = signatures[1]
        return !end.indices.dropLast(directoryEndSize.minimum - 1).contains { index in
            end[index] == signature[0] && end[index...].starts(with: signature)
        }
    }

    /// Opens a zip file at its start.
    ///
    /// - Parameter source: The file.
    /// - Returns: The reader.
    /// - Throws: `unreadableFile` or `limitExceeded`.
    static func open(_ source: CompressedSource) throws(HARError) -> ArchiveReader {
        let reader = ArchiveReader(source, format: "zip")
        try reader.open(isSeekable: true) { archive_read_support_format_zip_seekable($0) == ARCHIVE_OK }
        return reader
    }
}

/// The names of the files in a zip file.
struct ZIPDirectory {
    /// The maximum number of files, which bounds the memory for their names.
    static let maximumCount = 1_000_000

    /// The name of the archive.
    let archive: String

    /// The position of the archive among the members, from 0.
    let position: Int

    /// Chooses the archive in a zip file.
    ///
    /// Of several members with the same name, the last one is chosen, as in other programs, because a member can be
    /// replaced by adding another.
    ///
    /// - Parameter source: The file.
    /// - Throws: `unreadableFile` if no file or more than one can be the archive; `limitExceeded`.
    init(_ source: CompressedSource) throws(HARError) {
        var archives: [String] = []
        var found: (name: String, position: Int)?
        var count = 0
        // libarchive does not recognize a zip file without members.
        let reader = try ZIPFormat.isEmpty(source) ? nil : ZIPFormat.open(source)
        while let member = try reader?.nextMember() {
            count += 1
            guard count <= Self.maximumCount else {
                throw HARError(
                    .limitExceeded,
                    "The zip file contains more than \(Self.maximumCount) files. Remove files that are not part of an "
                        + "archive.",
                    at: .init(file: source.name))
            }
            guard member.isRegularFile else { continue }
            if Self.isArchive(member.name) {
                if source.member == nil { found = (member.name, count - 1) }
                if archives.count <= 20, !archives.contains(member.name) { archives.append(member.name) }
                // More names would not change the error below.
                if source.member == nil, archives.count > 20 { break }
            }
            if member.name == source.member { found = (member.name, count - 1) }
        }
        if let found, source.member != nil || archives.count == 1 {
            (archive, position) = found
            return
        }
        let list = archives.prefix(10).map { "'\($0)'" }.joined(separator: ", ") + (archives.count > 10 ? ", …" : "")
        if let name = source.member {
            throw .unreadable(
                source.name,
                "The zip file does not contain '\(name)'. "
                    + (archives.isEmpty ? "It contains no archives." : "It contains the archives \(list)."))
        }
        guard let first = archives.first else {
            throw .unreadable(
                source.name,
                "The zip file contains no file whose name ends with '.har'. If the archive has another name, add it "
                    + "after the path, such as 'capture.zip:capture.json'.")
        }
        let isNamed = source.name.lowercased().hasSuffix(".zip")
        throw .unreadable(
            source.name,
            "The zip file contains several archives: \(list). "
                + (isNamed ? "Add" : "Save it to a file whose name ends with '.zip', and add")
                + " the name of one after the path, such as '\(isNamed ? source.name : "captures.zip"):\(first)'.")
    }

    /// Returns whether a file can be the archive.
    ///
    /// Archives that macOS creates also contain files with attributes.
    static func isArchive(_ name: String) -> Bool {
        name.lowercased().hasSuffix(".har") && !name.hasPrefix("__MACOSX/")
            && !name.split(separator: "/").contains { $0.hasPrefix(".") && $0 != "." }
    }
}

/// Decompresses the archive in a zip file.
private final class ZIPDecompressor: Decompressor, @unchecked Sendable {
    private let source: CompressedSource
    private var reader: ArchiveReader?

    /// Whether the central directory is missing.
    private var isTruncated = false

    init(_ source: CompressedSource) {
        self.source = source
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        if let reader {
            let count = try reader.read(into: buffer)
            if count == 0, isTruncated { throw source.failure("zip", "is truncated") }
            return count
        }
        isTruncated = try ZIPFormat.isTruncated(source)
        if isTruncated { return try readTruncated(into: buffer) }
        let directory = try ZIPDirectory(source)
        let reader = try ZIPFormat.open(source)
        self.reader = reader
        for position in 0... {
            guard let member = try reader.nextMember() else { break }
            guard position == directory.position else { continue }
            if member.isRegularFile, member.name == directory.archive { return try reader.read(into: buffer) }
            break
        }
        throw source.failure("zip", "changed")
    }

    /// Begins to read the first archive of a truncated file.
    private func readTruncated(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        let reader = ArchiveReader(source, format: "zip")
        try reader.open { archive_read_support_format_zip_streamable($0) == ARCHIVE_OK }
        while let member = try reader.nextMember() {
            guard member.isRegularFile, source.member.map({ $0 == member.name }) ?? ZIPDirectory.isArchive(member.name)
            else { continue }
            self.reader = reader
            return try read(into: buffer)
        }
        throw source.failure("zip", "is truncated")
    }
}

/// The body files in a zip file, decompressed to one temporary file.
///
/// The names of the members are only compared with the names in the archive, and never used as paths.
struct ZIPMembers: MemberStore {
    private let file: InputFile
    private let ranges: [String: Range<Int>]

    /// Decompresses all files except archives.
    ///
    /// - Parameters:
    ///   - source: The zip file.
    ///   - archive: The name of the archive whose body files are read.
    /// - Throws: `unreadableFile` or `limitExceeded`; `unwritableFile` if the temporary folder is full.
    init(of source: CompressedSource, archive: String) throws(HARError) {
        let archivePath = Self.normalized(archive)
        let folder = archivePath.lastIndex(of: "/").map { String(archivePath[...$0]) } ?? ""
        let copy = try Spool.file(for: source.name)
        let reader = try ZIPFormat.open(source)
        var ranges: [String: Range<Int>] = [:]
        var offset = 0
        while let member = try reader.nextMember() {
            let path = Self.normalized(member.name)
            guard member.isRegularFile, path.hasPrefix(folder), member.name != archive else { continue }
            let count = try Spool.copy(to: copy, named: source.name) { buffer throws(HARError) in
                try reader.read(into: buffer)
            }
            ranges[String(path.dropFirst(folder.count))] = offset..<offset + count
            offset += count
        }
        file = try InputFile(copy, named: source.name)
        self.ranges = ranges
    }

    func content(of member: String, sizeLimit: Int) throws(HARError) -> Data? {
        guard let range = ranges[Self.normalized(member)] else { return nil }
        guard range.count <= sizeLimit else {
            throw HARError(
                .limitExceeded,
                """
                The body file '\(member)' is \(range.count) bytes long, but the limit is \(sizeLimit). Raise the limit \
                with HAR.BodyFolder's maximumFileSize, the interceptor's reader.maximumValueSize, or har's \
                --size-limit.
                """, at: .init(file: file.name))
        }
        return Data(try file.bytes(in: range))
    }

    /// Returns a path without `.` as a component.
    ///
    /// Some programs for Windows store paths with backslashes.
    private static func normalized(_ path: String) -> String {
        path.split(whereSeparator: { $0 == "/" || $0 == "\\" }).filter { $0 != "." }.joined(separator: "/")
    }
}
