public import Foundation

/// Reads an archive once, from start to end, entry by entry.
///
/// Memory use depends on the largest entry, not on the size of the file. The entries of a large file are decoded on
/// several cores, slightly ahead of the reader. A stream is decoded on one core.
///
/// ```swift
/// let reader = try HARReader(contentsOf: url)
/// while let entry = try reader.nextEntry() {
///     print(entry.request.method, entry.request.url, entry.response.status)
/// }
/// print(reader.log.creator?.name ?? "unknown")
/// ```
///
/// Input in gzip format (RFC 1952, https://www.rfc-editor.org/rfc/rfc1952) is decompressed. Offsets are then offsets in
/// the decompressed text.
///
/// If the input is invalid, the reader returns the valid entries before the error, and then throws.
public final class HARReader {
    private static let chunkSize = 1 << 16

    private enum Input {
        case file(InputFile, UnsafeMutableRawBufferPointer)
        case data(Data)

        case compressed(any Decompressor)
    }

    private let decoder: HARDecoder
    private let limits: JSONScanner.Limits
    private var input: Input

    /// The settings of the read-ahead, or nil for input that is decoded sequentially.
    private let readAheadSettings: ReadAhead.Settings?
    private var readAhead: ReadAhead?
    private var hasBegun = false

    /// The error that ended reading, with line and column.
    private var failure: HARError?

    /// Whether the decoder's next event has already been returned.
    private var repeatsEvent = false

    /// The number of bytes read so far.
    public private(set) var bytesRead = 0

    /// The size of the input in bytes, or nil for a pipe.
    public let byteCount: Int?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings; the defaults if omitted.
    /// - Throws: `unreadableFile`.
    public convenience init(
        contentsOf url: URL, configuration: Configuration = Configuration()
    ) throws(HARError) {
        let file = try InputFile(url: url, decompressedSizeLimit: configuration.maximumDecompressedSize)
        self.init(file: file, configuration: configuration, readAhead: .init())
    }

    /// Creates a reader for an open file or pipe, such as standard input.
    ///
    /// - Parameters:
    ///   - handle: The file or pipe; the reader does not close it.
    ///   - name: The name of the input in errors; `standard input` by default.
    ///   - configuration: The settings; the defaults if omitted.
    public convenience init(
        handle: FileHandle, name: String = "standard input", configuration: Configuration = Configuration()
    ) {
        let limit = configuration.maximumDecompressedSize
        self.init(
            file: InputFile(handle: handle, name: name, decompressedSizeLimit: limit), configuration: configuration)
    }

    init(file: InputFile, configuration: Configuration, readAhead: ReadAhead.Settings? = nil) {
        input = .file(file, .allocate(byteCount: Self.chunkSize, alignment: 16))
        byteCount = file.isCompressed ? nil : file.size
        limits = configuration.limits
        decoder = HARDecoder(limits: limits, file: file.name, countsLines: readAhead == nil || byteCount == nil)
        readAheadSettings = readAhead
    }

    /// Creates a reader for an archive in memory.
    ///
    /// - Parameters:
    ///   - data: The text of the archive.
    ///   - name: The name of the input in errors; nil by default.
    ///   - configuration: The settings; the defaults if omitted.
    public init(data: Data, name: String? = nil, configuration: Configuration = Configuration()) {
        let format = data.prefix(CompressionFormats.signatureSize).withUnsafeBytes {
            CompressionFormats.format(of: $0, fileName: name ?? "")
        }
        if let format {
            let source = CompressedSource(
                .data(data), name: name ?? "the archive", sizeLimit: configuration.maximumDecompressedSize)
            input = .compressed(format.decompressor(of: source))
            byteCount = nil
        } else {
            input = .data(data)
            byteCount = data.count
        }
        limits = configuration.limits
        decoder = HARDecoder(limits: limits, file: name, countsLines: false)
        readAheadSettings = nil
    }

    deinit {
        readAhead?.cancel()
        if case .file(_, let buffer) = input { buffer.deallocate() }
    }

    /// Whether a log without an array of entries is an error at the end of the archive; true by default.
    package var requiresEntries: Bool {
        get { decoder.requiresEntries }
        set { decoder.requiresEntries = newValue }
    }

    /// Whether the text begins with a byte order mark, which JSON does not allow.
    public var hasByteOrderMark: Bool { decoder.hasByteOrderMark }

    /// The offset of the last event that ``nextEvent()`` returned, in bytes, or nil before the first event.
    ///
    /// This is the offset of the field's value, the entry, or the bracket.
    public private(set) var eventOffset: Int?

    /// All fields read so far, without the entries; complete at the end of the archive.
    public var log: HAR.Log { decoder.log }

    /// Reads the next event of the archive.
    ///
    /// - Returns: The event, or nil at the end.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`; later calls throw the same
    ///   error.
    public func nextEvent() throws(HARError) -> HAREvent? {
        try begin()
        while true {
            if let event = try decoded() {
                eventOffset = decoder.eventOffset
                guard repeatsEvent else { return event }
                repeatsEvent = false
            } else if let readAhead {
                if let event = next(of: readAhead) { return event }
            } else {
                if decoder.isFinished { return nil }
                try readChunk()
            }
        }
    }

    /// Reads the next entry.
    ///
    /// - Returns: The entry, or nil at the end of the archive, when ``log`` is complete.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`; later calls throw the same
    ///   error.
    public func nextEntry() throws(HARError) -> HAR.Entry? {
        while let event = try nextEvent() {
            if case .entry(let entry) = event { return entry }
        }
        return nil
    }

    /// Returns the next event of the decoder, or nil if it needs more bytes.
    private func decoded() throws(HARError) -> HAREvent? {
        if let failure { throw failure }
        do throws(HARError) {
            return try decoder.next()
        } catch {
            let located = try located(error)
            failure = located
            throw located
        }
    }

    /// Adds the line and column to an error if the text can be read again.
    private func located(_ error: HARError) throws(HARError) -> HARError {
        switch input {
        case .data(let data): return data.withUnsafeBytes { error.located(in: $0) }
        case .compressed: return error
        case .file(let file, _):
            guard isSeekable, error.code == .malformedJSON, let offset = error.context.byteOffset else { return error }
            return error.located(at: try file.position(at: offset))
        }
    }

    private func readChunk() throws(HARError) {
        switch input {
        case .file(let file, let buffer):
            decode(try isSeekable ? file.read(at: bytesRead, into: buffer) : file.read(into: buffer))
        case .data(let data):
            data.dropFirst(bytesRead).prefix(Self.chunkSize).withUnsafeBytes { decode($0) }
        case .compressed(let decompressor):
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 16)
            defer { buffer.deallocate() }
            let count = try decompressor.read(into: buffer)
            decode(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Decodes the next chunk, which is empty at the end of the input.
    private func decode(_ chunk: UnsafeRawBufferPointer) {
        bytesRead += chunk.count
        if chunk.isEmpty { decoder.finish() } else { decoder.feed(chunk) }
    }

    // MARK: Read-ahead

    /// Whether the input is a regular file that is read from its start.
    private var isSeekable: Bool { readAheadSettings != nil && byteCount != nil }

    /// Decodes the text before the entries of a large file, and starts the read-ahead.
    private func begin() throws(HARError) {
        guard !hasBegun else { return }
        hasBegun = true
        guard isSeekable, let readAheadSettings, let byteCount, byteCount >= readAheadSettings.minimumFileSize,
            readAheadSettings.threadCount > 1, case .file(let file, _) = input,
            let head = try ArchiveHead(of: file, size: byteCount, limits: limits)
        else { return }
        head.bytes.withUnsafeBytes { decoder.feed($0) }
        bytesRead = head.bytes.count
        readAhead = try ReadAhead(
            into: file, at: bytesRead..<byteCount, limits: limits, settings: readAheadSettings)
    }

    /// Returns the next event of the read-ahead, or nil if the sequential decoder must continue.
    private func next(of readAhead: ReadAhead) -> HAREvent? {
        let end: Int
        switch readAhead.next() {
        case .event(let (event, offset)):
            eventOffset = offset
            bytesRead = offset
            return event
        case .end(let bracket):
            end = bracket
        case .undecided:
            end = readAhead.last?.offset ?? readAhead.start
            repeatsEvent = readAhead.last != nil
        }
        readAhead.cancel()
        self.readAhead = nil
        decoder.skip(end - readAhead.start, entries: readAhead.last?.count ?? 0)
        bytesRead = end
        return nil
    }
}

@available(*, unavailable)
extension HARReader: Sendable {}

extension HARReader {
    /// The settings of a reader.
    public struct Configuration: Sendable, Hashable {
        /// The maximum size of an entry, and of all fields outside `entries` together, in bytes; 100 MB by default, and
        /// at most 4 GiB.
        ///
        /// The limit bounds the memory for a single value. Each token after the first 1,000 tokens of a value therefore
        /// counts as 24 bytes. The limit also applies to the archive's body files.
        public var maximumValueSize = 100_000_000

        /// The maximum depth of nested JSON containers; 512 by default, and at most 4096.
        public var maximumDepth = 512

        /// The greatest depth that ``maximumDepth`` can allow.
        package static let greatestDepth = JSONScanner.Limits.greatestDepth

        /// The maximum number of entries; `nil` by default.
        ///
        /// The value `nil` allows up to one million entries, or any number of entries if their average size is at least
        /// 256 bytes. The limit bounds the memory for entry summaries, which could otherwise exceed the archive's size.
        public var maximumEntryCount: Int?

        /// The maximum number of fields outside `entries`, which are kept in memory; 100,000 by default.
        public var maximumFieldCount = 100_000

        /// The maximum size of a compressed archive after decompression, in bytes; 10 GB by default.
        ///
        /// The limit prevents small files from filling the disk. It applies to each archive.
        public var maximumDecompressedSize = CompressionFormats.defaultSizeLimit

        /// Creates the default settings.
        public init() {}

        package var limits: JSONScanner.Limits {
            JSONScanner.Limits(
                valueSize: Swift.min(maximumValueSize, Int(UInt32.max)),
                depth: Swift.min(maximumDepth, Self.greatestDepth),
                entryCount: maximumEntryCount, fieldCount: maximumFieldCount)
        }
    }
}

extension HAR.BodyFolder {
    /// Returns this folder with the limits of a reader.
    package func limited(by configuration: HARReader.Configuration) -> Self {
        var folder = self
        folder.maximumFileSize = configuration.maximumValueSize
        folder.maximumDecompressedSize = configuration.maximumDecompressedSize
        return folder
    }
}

extension HARReader: Sequence {
    /// An iterator that returns the remaining entries as results.
    ///
    /// If reading fails, the last result is the error.
    public struct Iterator: IteratorProtocol {
        fileprivate let reader: HARReader
        fileprivate var hasFailed = false

        /// Returns the next entry, or the error that ended reading.
        public mutating func next() -> Result<HAR.Entry, HARError>? {
            guard !hasFailed else { return nil }
            do throws(HARError) {
                return try reader.nextEntry().map { .success($0) }
            } catch {
                hasFailed = true
                return .failure(error)
            }
        }
    }

    /// Returns an iterator over the remaining entries.
    public func makeIterator() -> Iterator { Iterator(reader: self) }
}

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
