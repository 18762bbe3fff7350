import Foundation

/// Reads an archive that arrives in chunks, entry by entry.
///
/// ```swift
/// let reader = HARAsyncReader(chunks)
/// for try await entry in reader {
///     print(entry.request.url)
/// }
/// ```
///
/// An archive in gzip format is decompressed.
///
/// Memory use depends on the largest entry and the largest chunk. A reader can be iterated over only once.
public final class HARAsyncReader<Chunks: AsyncSequence>: AsyncSequence, AsyncIteratorProtocol
where Chunks.Element: Collection<UInt8> {
    private let decoder: HARDecoder
    private let source: CompressedSource
    private var chunks: Chunks.AsyncIterator

    /// The first bytes, until they are enough to recognize gzip.
    private var start: [UInt8]? = []

    /// The decompression of an archive in gzip format, and a buffer for it.
    private var gzip: (reader: GzipReader, buffer: [UInt8])?

    /// Creates a reader for an archive that arrives in chunks of any size.
    ///
    /// - Parameters:
    ///   - chunks: The chunks of the archive's text.
    ///   - name: The name of the input in errors; nil by default.
    ///   - configuration: The settings; the defaults if omitted.
    public init(
        _ chunks: Chunks, name: String? = nil, configuration: HARReader.Configuration = HARReader.Configuration()
    ) {
        self.chunks = chunks.makeAsyncIterator()
        decoder = HARDecoder(limits: configuration.limits, file: name)
        source = CompressedSource(
            .chunks([], isComplete: false), name: name ?? "the archive",
            sizeLimit: configuration.maximumDecompressedSize)
    }

    /// Whether the text begins with a byte order mark, which JSON does not allow.
    public var hasByteOrderMark: Bool { decoder.hasByteOrderMark }

    /// The offset of the last event that ``nextEvent(isolation:)`` returned, in bytes, or nil before the first event.
    ///
    /// This is the offset of the field's value, the entry, or the bracket.
    public var eventOffset: Int? { decoder.eventOffset }

    /// All fields read so far, without the entries; complete at the end of the archive.
    public var log: HAR.Log { decoder.log }

    /// Reads the next event of the archive.
    ///
    /// - Parameter actor: The actor on which the reader is used; the caller's actor by default.
    /// - Returns: The event, or nil at the end.
    /// - Throws: The errors of ``HARReader/nextEvent()`` and of the chunk sequence.
    public func nextEvent(isolation actor: isolated (any Actor)? = #isolation) async throws -> HAREvent? {
        while true {
            if let event = try decoder.next() { return event }
            if decoder.isFinished { return nil }
            if try decompress() { continue }
            let chunk = try await chunks.next(isolation: actor)
            if gzip != nil {
                source.add(chunk)
            } else if let start {
                begin(with: start + (chunk.map { Array($0) } ?? []), isComplete: chunk == nil)
            } else if let chunk {
                let isFed: Void? = chunk.withContiguousStorageIfAvailable { decoder.feed(UnsafeRawBufferPointer($0)) }
                if isFed == nil { Array(chunk).withUnsafeBytes { decoder.feed($0) } }
            } else {
                decoder.finish()
            }
        }
    }

    /// Decides whether the archive is compressed, and uses its first bytes.
    private func begin(with bytes: [UInt8], isComplete: Bool) {
        let signature = GzipReader.signature
        if bytes.count < signature.count, !isComplete {
            start = bytes
            return
        }
        start = nil
        if bytes.starts(with: signature) {
            gzip = (GzipReader(source), [UInt8](repeating: 0, count: 1 << 18))
            source.add(bytes)
            if isComplete { source.add([UInt8]?.none) }
        } else {
            bytes.withUnsafeBytes { decoder.feed($0) }
            if isComplete { decoder.finish() }
        }
    }

    /// Decompresses the next bytes, and returns whether the next chunk is not needed yet.
    private func decompress() throws(HARError) -> Bool {
        guard let reader = gzip?.reader else { return false }
        let result = gzip?.buffer.withUnsafeMutableBytes { buffer in
            Result { () throws(HARError) in
                let count = try reader.read(into: buffer)
                decoder.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return count
            }
        }
        if try result?.get() ?? 0 > 0 { return true }
        if source.isWaiting { return false }
        decoder.finish()
        return true
    }

    /// Reads the next entry.
    ///
    /// - Parameter actor: The actor on which the reader is used.
    /// - Returns: The entry, or nil at the end of the archive, when ``log`` is complete.
    /// - Throws: The errors of ``HARReader/nextEntry()`` and of the chunk sequence.
    public func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> HAR.Entry? {
        while let event = try await nextEvent(isolation: actor) {
            if case .entry(let entry) = event { return entry }
        }
        return nil
    }

    /// Reads the next entry.
    ///
    /// - Returns: The entry, or nil at the end of the archive, when ``log`` is complete.
    /// - Throws: The errors of ``HARReader/nextEntry()`` and of the chunk sequence.
    public func next() async throws -> HAR.Entry? { try await next(isolation: nil) }

    /// Returns the reader itself, which iterates over the remaining entries.
    public func makeAsyncIterator() -> HARAsyncReader { self }
}

@available(*, unavailable)
extension HARAsyncReader: Sendable {}
