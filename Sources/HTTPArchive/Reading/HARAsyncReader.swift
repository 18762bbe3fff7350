import Foundation

/// Reads an archive that arrives in pieces, entry by entry.
///
/// ```swift
/// let reader = HARAsyncReader(chunks)
/// for try await entry in reader {
///     print(entry.request.url)
/// }
/// ```
///
/// Memory follows the largest entry and the largest piece. Like the pieces, it can be read once.
public final class HARAsyncReader<Chunks: AsyncSequence>: AsyncSequence, AsyncIteratorProtocol
where Chunks.Element: Collection<UInt8> {
    private let decoder: HARDecoder
    private var chunks: Chunks.AsyncIterator

    /// Reads from pieces of any size.
    ///
    /// - Parameters:
    ///   - chunks: The pieces of the text.
    ///   - name: What errors call the input; nothing by default.
    ///   - configuration: The settings; the default ones unless given.
    public init(
        _ chunks: Chunks, name: String? = nil, configuration: HARReader.Configuration = HARReader.Configuration()
    ) {
        self.chunks = chunks.makeAsyncIterator()
        decoder = HARDecoder(limits: configuration.limits, file: name)
    }

    /// Whether the text began with a byte order mark, which JSON does not allow.
    public var hasByteOrderMark: Bool { decoder.hasByteOrderMark }

    /// The number of bytes before the part that ``nextEvent(isolation:)`` gave last; `nil` before the first.
    ///
    /// It is the place of a field's value, of an entry, or of a bracket.
    public var eventOffset: Int? { decoder.eventOffset }

    /// Everything but the entries that was read so far; complete when there is no more entry.
    public var log: HAR.Log { decoder.log }

    /// Reads the next part of the archive.
    ///
    /// - Parameter actor: The actor that the reader is used on; the caller's by default.
    /// - Returns: `nil` at the end.
    /// - Throws: A `HARError` as ``HARReader/nextEvent()`` does, and what the pieces throw.
    public func nextEvent(isolation actor: isolated (any Actor)? = #isolation) async throws -> HAREvent? {
        while true {
            if let event = try decoder.next() { return event }
            if decoder.isFinished { return nil }
            guard let chunk = try await chunks.next(isolation: actor) else {
                decoder.finish()
                continue
            }
            let isFed: Void? = chunk.withContiguousStorageIfAvailable { decoder.feed(UnsafeRawBufferPointer($0)) }
            if isFed == nil { Array(chunk).withUnsafeBytes { decoder.feed($0) } }
        }
    }

    /// Reads the next entry.
    ///
    /// - Parameter actor: The actor that the reader is used on.
    /// - Returns: `nil` when there is no more; ``log`` is complete then.
    /// - Throws: A `HARError` as ``HARReader/nextEntry()`` does, and what the pieces throw.
    public func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> HAR.Entry? {
        while let event = try await nextEvent(isolation: actor) {
            if case .entry(let entry) = event { return entry }
        }
        return nil
    }

    /// Reads the next entry.
    ///
    /// - Returns: `nil` when there is no more; ``log`` is complete then.
    /// - Throws: A `HARError` as ``HARReader/nextEntry()`` does, and what the pieces throw.
    public func next() async throws -> HAR.Entry? { try await next(isolation: nil) }

    /// The reader itself: the entries that are left.
    public func makeAsyncIterator() -> HARAsyncReader { self }
}

@available(*, unavailable)
extension HARAsyncReader: Sendable {}
