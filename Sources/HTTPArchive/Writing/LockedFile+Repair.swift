import Foundation

extension LockedFile {
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
}

extension LockedFile {
    /// Repairs an archive whose end is missing because a write was interrupted.
    ///
    /// - Parameter configuration: The settings of the reader.
    /// - Returns: The index of the complete archive.
    /// - Throws: `malformedJSON` if the archive has other damage; `notAnArchive`, `limitExceeded`, `unreadableFile` or
    ///   `unwritableFile`.
    /// - Complexity: O(*n*), where *n* is the size of the file.
    package func repair(_ configuration: HARReader.Configuration) throws(HARError) -> ArchiveIndex {
        let input = input
        let failure: HARError
        do {
            return try ArchiveIndex(of: input, configuration: configuration)
        } catch {
            failure = error
        }
        guard failure.code == .malformedJSON,
            let truncated = try TruncatedArchive(of: input, limits: configuration.limits)
        else { throw failure }
        // If the process is killed between two steps, the next writer that opens the file can repair it.
        switch truncated.repair {
        case .truncate(let offset, let closing):
            try truncate(to: offset)
            try write(Array(closing.utf8), at: offset)
        case .blank(let range):
            if truncated.size < size { try truncate(to: truncated.size) }
            try blank(range)
        }
        return try ArchiveIndex(of: input, configuration: configuration)
    }
}
