import Foundation

extension LockedFile {
    /// Begins an archive of HAR 1.2 made by Relay where nothing is, or no more than the start of such a one.
    ///
    /// - Parameters:
    ///   - layout: How it is laid out.
    ///   - isSynchronized: Whether it has to reach the disk.
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
                synchronizeFolder()
            }
        } catch {
            try? truncate(to: 0)
            throw error
        }
    }

    /// The text of an empty archive up to its entries.
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

    /// Gives an archive without `entries` an empty array of them, in a file that takes the place of this one.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - limits: The limits of the reader.
    /// - Throws: `unwritableFile`; `unreadableFile`.
    func addEntries(to url: URL, limits: JSONScanner.Limits) throws(HARError) {
        let size = size
        guard let log = try ArchivePass(over: input, size: size, limits: limits).extent.log else { return }
        let output = try OutputFile(url: url)
        try output.copy(0..<log.end, of: input)
        try output.write(Array("\(log.isEmpty ? "" : ",")\"entries\":[]".utf8))
        try output.copy(log.end..<size, of: input)
        try output.finish()
    }
}
