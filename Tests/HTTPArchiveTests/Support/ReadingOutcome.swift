import Foundation

@testable import HTTPArchive

/// The result of reading an input: the events and the error.
struct ReadingOutcome: Equatable {
    var events: [HAREvent] = []
    var entryRanges: [Range<Int>?] = []
    var code: HARError.Code?
    var context: HARError.Context?
    var log: HAR.Log?

    var entries: [HAR.Entry] {
        events.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
    }

    mutating func append(_ event: HAREvent) {
        events.append(event)
        if case .entry(let entry) = event { entryRanges.append(entry.fields.byteRange) }
    }

    mutating func fail(_ error: HARError) {
        code = error.code
        context = error.context
    }
}

extension ReadingOutcome {
    /// Decodes chunks.
    static func decoding(_ pieces: [ArraySlice<UInt8>], limits: JSONScanner.Limits = .init()) -> ReadingOutcome {
        let decoder = HARDecoder(limits: limits, file: nil)
        var outcome = ReadingOutcome()
        do throws(HARError) {
            for piece in pieces {
                piece.withUnsafeBytes { decoder.feed($0) }
                while let event = try decoder.next() { outcome.append(event) }
            }
            decoder.finish()
            while let event = try decoder.next() { outcome.append(event) }
        } catch {
            outcome.fail(error)
        }
        outcome.log = decoder.log
        return outcome
    }

    /// Decodes all bytes at once.
    static func decoding(_ bytes: some Collection<UInt8>) -> ReadingOutcome { decoding([ArraySlice(bytes)]) }

    /// Reads with a ``HARReader``.
    static func reading(_ bytes: some Collection<UInt8>) -> ReadingOutcome { reading(HARReader(data: Data(bytes))) }

    /// Reads all events of a reader.
    static func reading(_ reader: HARReader) -> ReadingOutcome {
        var outcome = ReadingOutcome()
        do throws(HARError) {
            while let event = try reader.nextEvent() { outcome.append(event) }
        } catch {
            outcome.fail(error)
        }
        outcome.log = reader.log
        return outcome
    }

    /// Reads chunks with a ``HARAsyncReader`` after converting each chunk with `piece`.
    static func readingAsynchronously<Piece: Collection<UInt8> & Sendable>(
        _ pieces: [ArraySlice<UInt8>], as piece: (ArraySlice<UInt8>) -> Piece
    ) async throws -> ReadingOutcome {
        let (stream, continuation) = AsyncStream.makeStream(of: Piece.self)
        for bytes in pieces { continuation.yield(piece(bytes)) }
        continuation.finish()
        let reader = HARAsyncReader(stream)
        var outcome = ReadingOutcome()
        do {
            while let event = try await reader.nextEvent() { outcome.append(event) }
        } catch let error as HARError {
            outcome.fail(error)
        }
        outcome.log = reader.log
        return outcome
    }
}
