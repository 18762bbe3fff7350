public import Foundation

/// Reads an archive once, from front to back, entry by entry.
///
/// Memory follows the largest entry, never the file. The entries of a large file are decoded on all cores, a little ahead
/// of what was asked for; a stream is decoded on one.
///
/// ```swift
/// let reader = try HARReader(contentsOf: url)
/// while let entry = try reader.nextEntry() {
///     print(entry.request.method, entry.request.url, entry.response.status)
/// }
/// print(reader.log.creator?.name ?? "unknown")
/// ```
///
/// Input that is broken gives an error after the entries before it: they stay usable.
public final class HARReader {
    private static let chunkSize = 1 << 20

    private enum Input {
        case file(InputFile, UnsafeMutableRawBufferPointer)
        case data(Data)
    }

    private let decoder: HARDecoder
    private let limits: JSONScanner.Limits
    private var input: Input

    /// How the entries of a file are decoded ahead; `nil` for what is read from front to back.
    private let readAheadSettings: ReadAhead.Settings?
    private var readAhead: ReadAhead?
    private var hasBegun = false

    /// The error that ended the reading, with line and column.
    private var failure: HARError?

    /// Whether the decoder gives an event next that was given before.
    private var repeatsEvent = false

    /// The number of bytes read so far.
    public private(set) var bytesRead = 0

    /// The size of the input in bytes; `nil` for a pipe.
    public let byteCount: Int?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings; the default ones unless given.
    /// - Throws: `unreadableFile`.
    public convenience init(
        contentsOf url: URL, configuration: Configuration = Configuration()
    ) throws(HARError) {
        try self.init(file: InputFile(url: url), configuration: configuration, readAhead: .init())
    }

    /// Reads from an open file or pipe, such as standard input.
    ///
    /// - Parameters:
    ///   - handle: The file or pipe; it stays open.
    ///   - name: What errors call it; `standard input` by default.
    ///   - configuration: The settings; the default ones unless given.
    public convenience init(
        handle: FileHandle, name: String = "standard input", configuration: Configuration = Configuration()
    ) {
        self.init(file: InputFile(handle: handle, name: name), configuration: configuration)
    }

    init(file: InputFile, configuration: Configuration, readAhead: ReadAhead.Settings? = nil) {
        input = Self.input(file)
        byteCount = file.size
        limits = configuration.limits
        decoder = HARDecoder(limits: limits, file: file.name, countsLines: readAhead == nil || byteCount == nil)
        readAheadSettings = readAhead
    }

    /// Reads an archive in memory.
    ///
    /// - Parameters:
    ///   - data: The text of the archive.
    ///   - name: What errors call it; nothing by default.
    ///   - configuration: The settings; the default ones unless given.
    public init(data: Data, name: String? = nil, configuration: Configuration = Configuration()) {
        input = .data(data)
        byteCount = data.count
        limits = configuration.limits
        decoder = HARDecoder(limits: limits, file: name, countsLines: false)
        readAheadSettings = nil
    }

    deinit {
        readAhead?.cancel()
        if case .file(_, let buffer) = input { buffer.deallocate() }
    }

    private static func input(_ file: InputFile) -> Input {
        .file(file, .allocate(byteCount: chunkSize, alignment: 16))
    }

    /// Whether the text began with a byte order mark, which JSON does not allow.
    public var hasByteOrderMark: Bool { decoder.hasByteOrderMark }

    /// The number of bytes before the part that ``nextEvent()`` gave last; `nil` before the first.
    ///
    /// It is the place of a field's value, of an entry, or of a bracket.
    public private(set) var eventOffset: Int?

    /// Everything but the entries that was read so far; complete when there is no more entry.
    public var log: HAR.Log { decoder.log }

    /// Reads the next part of the archive.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`, and again at each further call.
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
    /// - Returns: `nil` when there is no more; ``log`` is complete then.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`, and again at each further call.
    public func nextEntry() throws(HARError) -> HAR.Entry? {
        while let event = try nextEvent() {
            if case .entry(let entry) = event { return entry }
        }
        return nil
    }

    /// Returns the next event of the decoder; `nil` when it needs more bytes.
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

    /// Adds line and column to an error, from text that can be read again.
    private func located(_ error: HARError) throws(HARError) -> HARError {
        switch input {
        case .data(let data): return data.withUnsafeBytes { error.located(in: $0) }
        case .file(let file, _):
            guard isSeekable, error.code == .malformedJSON, let offset = error.context.byteOffset else { return error }
            return error.located(at: try file.position(at: offset))
        }
    }

    private func readChunk() throws(HARError) {
        switch input {
        case .file(let file, let buffer):
            let chunk = try isSeekable ? file.read(at: bytesRead, into: buffer) : file.read(into: buffer)
            bytesRead += chunk.count
            if chunk.isEmpty { decoder.finish() } else { decoder.feed(chunk) }
        case .data(let data):
            let chunk = data.dropFirst(bytesRead).prefix(Self.chunkSize)
            bytesRead += chunk.count
            if chunk.isEmpty { decoder.finish() } else { chunk.withUnsafeBytes { decoder.feed($0) } }
        }
    }

    // MARK: Looking ahead

    /// Whether the input is a file from its first byte on.
    private var isSeekable: Bool { readAheadSettings != nil && byteCount != nil }

    /// Has the entries of a large file decoded on all cores, behind what stands before them.
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

    /// The next event that was decoded ahead; `nil` where the decoder is to go on.
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
    /// Settings of a reader.
    public struct Configuration: Sendable, Hashable {
        /// The largest entry, and what the fields of the log and beside it may take together, in bytes; 1 GiB by default,
        /// and 4 GiB at most.
        ///
        /// No string is larger either. A value in hand takes its size in memory, and 12 bytes more for each of its tokens.
        public var maximumValueSize = 1 << 30

        /// The largest number of JSON containers inside each other; 512 by default.
        public var maximumDepth = 512

        /// The largest number of entries; 100 million by default.
        public var maximumEntryCount = 100_000_000

        /// The largest number of fields of the log and beside it, which are held until the end; 100,000 by default.
        public var maximumFieldCount = 100_000

        /// Creates the default settings.
        public init() {}

        var limits: JSONScanner.Limits {
            JSONScanner.Limits(
                valueSize: Swift.min(maximumValueSize, Int(UInt32.max)), depth: maximumDepth,
                entryCount: maximumEntryCount, fieldCount: maximumFieldCount)
        }
    }
}

extension HARReader: Sequence {
    /// Gives the entries that are left, each with the chance of an error; the first error is the last element.
    public struct Iterator: IteratorProtocol {
        private let reader: HARReader
        private var hasFailed = false

        init(reader: HARReader) {
            self.reader = reader
        }

        /// The next entry, or the error that ends the reading.
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

    /// Iterates over the entries that are left.
    public func makeIterator() -> Iterator { Iterator(reader: self) }
}
