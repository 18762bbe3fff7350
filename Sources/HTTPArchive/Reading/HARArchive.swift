public import Foundation

/// An archive on disk whose entries are read when they are asked for.
///
/// Opening passes over the file once and keeps the place of each entry, 16 bytes; nothing else is held. The archive can
/// be used from several threads at once.
public final class HARArchive: Sendable {
    private let file: InputFile
    private let ranges: [Range<Int>]
    private let limits: JSONScanner.Limits

    /// Everything but the entries.
    public let log: HAR.Log

    /// The file.
    public let url: URL

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the reader; the default ones unless given.
    ///   - visit: Called with each entry and its index on the way, for keeping what is needed of it.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`.
    /// - Complexity: O(*n*) in the size of the file.
    public init(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration(),
        visit: (HAR.Entry, _ index: Int) -> Void = { _, _ in }
    ) throws(HARError) {
        let reader = try HARReader(contentsOf: url, configuration: configuration)
        var ranges: [Range<Int>] = []
        while let entry = try reader.nextEntry() {
            visit(entry, ranges.count)
            ranges.append(entry.fields.byteRange ?? 0..<0)
        }
        file = try InputFile(url: url)
        self.ranges = ranges
        self.url = url
        limits = configuration.limits
        log = reader.log
    }

    /// The number of entries.
    public var count: Int { ranges.count }

    /// Reads one entry.
    ///
    /// - Parameter index: The place of the entry in the file, counted from 0; it must be below ``count``.
    /// - Returns: The entry.
    /// - Throws: `unreadableFile` or `malformedJSON` when the file was changed since it was opened.
    /// - Complexity: O(*n*) in the size of the entry.
    public func entry(at index: Int) throws(HARError) -> HAR.Entry {
        let range = ranges[index]
        let scanner = JSONScanner(limits: limits)
        scanner.skip(range.lowerBound)
        var parser = JSONParser(scanner: scanner)
        do {
            try parser.feed(file.bytes(in: range))
            try parser.finish()
        } catch {
            var context = error.context
            context.file = file.name
            throw HARError(error.code, error.message, at: context, underlying: error.underlying)
        }
        guard let fields = scanner.value?.root.value.object else {
            throw HARError(
                .unreadableFile, "The file was changed since it was opened; open it again.",
                at: .init(file: file.name, byteOffset: range.lowerBound))
        }
        return HAR.Entry(fields: fields)
    }
}
