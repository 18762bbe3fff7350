public import Foundation

extension HAR.Log {
    /// Reads an archive from a file into memory.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the reader; the defaults if omitted.
    /// - Throws: The errors of ``HARReader/nextEntry()``.
    /// - Complexity: O(*n*) in time and memory, where *n* is the size of the file.
    public init(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration()
    ) throws(HARError) {
        try self.init(HARReader(contentsOf: url, configuration: configuration))
    }

    /// Reads an archive from memory.
    ///
    /// - Parameters:
    ///   - data: The text of the archive.
    ///   - configuration: The settings of the reader; the defaults if omitted.
    /// - Throws: The errors of ``HARReader/nextEntry()``.
    /// - Complexity: O(*n*), where *n* is the size of the text.
    public init(
        data: Data, configuration: HARReader.Configuration = HARReader.Configuration()
    ) throws(HARError) {
        try self.init(HARReader(data: data, configuration: configuration))
    }

    /// Creates a log from the remaining entries of a reader.
    private init(_ reader: HARReader) throws(HARError) {
        var entries: [HAR.Entry] = []
        while let entry = try reader.nextEntry() { entries.append(entry) }
        self = reader.log
        self.entries = entries
    }
}
