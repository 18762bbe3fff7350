import Foundation

/// Reads and writes index files. A file consists of a header, segments, and a hash of both (see `Docs/IndexFormat.md`).
extension ArchiveIndex {
    /// The size of the hash at the end of the file, in bytes.
    private static let hashSize = 8

    /// Returns an upper bound for the size of an archive's index, in bytes.
    ///
    /// A stored row is at most 16 times the size of its entry. The strings add less than that.
    private static func maximumSize(ofArchive size: Int) -> Int { 1 << 16 + 64 * size }

    /// Reads the index of an archive from an index file, or returns `nil` if the file is invalid, belongs to another
    /// archive, or is writable by other users.
    ///
    /// - Parameters:
    ///   - url: The index file.
    ///   - file: The archive.
    ///   - configuration: The settings of the reader.
    init?(stored url: URL, of file: InputFile, configuration: HARReader.Configuration) {
        guard let stamp = file.stamp, let stored = try? InputFile(url: url, waitsForWriter: false),
            stored.isTrusted, let size = stored.size,
            (IndexHeader.size + Self.hashSize...Self.maximumSize(ofArchive: stamp.size)).contains(size),
            let head = try? stored.bytes(in: 0..<IndexHeader.size),
            let header = try? head.withUnsafeBytes({ try IndexHeader($0) }),
            header.stamp == stamp, configuration.limits.includes(header.neededLimits),
            configuration.limits.allows(entryCount: header.entryCount, upTo: stamp.size),
            let fingerprint = try? file.fingerprint(size: stamp.size), header.fingerprint == fingerprint,
            let table = try? Self.table(in: stored, after: head, size: size, header, configuration.limits),
            let log = try? Self.log(
                of: file, size: stamp.size, around: header.entriesRange, limits: configuration.limits)
        else { return nil }
        self.init(table: table, log: log, entriesRange: header.entriesRange, neededLimits: header.neededLimits)
    }

    /// Reads the segments that follow the header, and checks the hash.
    private static func table(
        in file: InputFile, after head: [UInt8], size: Int, _ header: IndexHeader, _ limits: JSONScanner.Limits
    ) throws(UnusableIndex) -> EntryTable {
        let end = size - hashSize
        var input = IndexInput(file, after: head, upTo: end)
        var entriesRange = header.entriesRange
        var segments: [EntrySegment] = []
        for _ in 0..<header.segmentCount {
            segments.append(try EntrySegment(stored: &input, in: &entriesRange, maximumLength: limits.valueSize))
        }
        let table = EntryTable(segments)
        guard input.isAtEnd, table.count == header.entryCount, let tail = try? file.bytes(in: end..<size),
            tail == bytes(of: input.hash)
        else { throw UnusableIndex() }
        return table
    }

    /// Encodes the hash.
    private static func bytes(of hash: ContentHash) -> [UInt8] {
        var bytes = IndexBytes()
        bytes.append(hash.value)
        return bytes.bytes
    }

    /// Writes the index to a file that only its owner can read, because the index contains URLs.
    ///
    /// - Parameters:
    ///   - url: The index file, which is written atomically.
    ///   - file: The archive.
    ///   - stamp: The stamp of the archive when the index was created.
    /// - Throws: `unwritableFile`; `unreadableFile` if the archive has changed since then.
    func write(to url: URL, of file: InputFile, stamp: ArchiveStamp) throws(HARError) {
        let fingerprint = try file.fingerprint(size: stamp.size)
        guard file.stamp == stamp else {
            throw HARError(
                .unreadableFile, "The file was changed after it was opened. Open it again.", at: .init(file: file.name))
        }
        var settings = OutputFile.Settings()
        settings.isPrivate = true
        settings.keepsPermissions = false
        let output = try OutputFile(url: url, settings: settings)
        var hash = ContentHash()
        let write = { (bytes: [UInt8]) throws(HARError) in
            let result = bytes.withUnsafeBytes { bytes in
                hash.add(bytes)
                return Result { () throws(HARError) in try output.write(bytes) }
            }
            try result.get()
        }
        try write(IndexHeader(of: self, stamp: stamp, fingerprint: fingerprint).bytes)
        for segment in table.segments {
            try segment.write { part throws(HARError) in try write(part.bytes) }
        }
        try write(Self.bytes(of: hash))
        try output.finish()
    }
}
