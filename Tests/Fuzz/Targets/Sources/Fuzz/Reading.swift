@testable import ArchiveChecking
import Foundation
import Synchronization

@testable import HTTPArchive

/// The result of reading a document.
struct Reading: Equatable {
    var events: [HAREvent] = []
    var offsets: [Int?] = []
    var ranges: [Range<Int>?] = []
    var log: HAR.Log?
    var code: HARError.Code?

    var entries: [HAR.Entry] { events.compactMap { if case .entry(let entry) = $0 { entry } else { nil } } }

    /// The findings in all events.
    var findings: [HARFinding] {
        var checker = HARChecker()
        return zip(events, offsets).flatMap { checker.check($0, at: $1) } + checker.finish()
    }

    mutating func take(_ event: HAREvent, at offset: Int?) {
        events.append(event)
        offsets.append(offset)
        if case .entry(let entry) = event { ranges.append(entry.fields.byteRange) }
    }

    mutating func finish(_ log: HAR.Log, _ error: HARError?) {
        self.log = log
        code = error?.code
        if let error, error.code == .malformedJSON, error.context.byteOffset == nil {
            fail("An error without a byte offset: \(error)")
        }
    }
}

extension Reading {
    /// Reads a whole document.
    init(_ document: [UInt8]) {
        self.init(HARReader(data: Data(document)))
    }

    /// Reads all events of a reader.
    init(_ reader: HARReader) {
        var failure: HARError?
        do throws(HARError) {
            while let event = try reader.nextEvent() { take(event, at: reader.eventOffset) }
        } catch {
            failure = error
        }
        finish(reader.log, failure)
    }

    /// Decodes chunks.
    init(decoding pieces: [ArraySlice<UInt8>]) {
        let decoder = HARDecoder(limits: HARReader.Configuration().limits, file: nil)
        var failure: HARError?
        do throws(HARError) {
            for piece in pieces {
                piece.withUnsafeBytes { decoder.feed($0) }
                while let event = try decoder.next() { take(event, at: decoder.eventOffset) }
            }
            decoder.finish()
            while let event = try decoder.next() { take(event, at: decoder.eventOffset) }
        } catch {
            failure = error
        }
        finish(decoder.log, failure)
    }

    /// Reads chunks asynchronously.
    init(awaiting pieces: [ArraySlice<UInt8>]) async {
        let reader = HARAsyncReader(Arriving(pieces: pieces[...]))
        var failure: HARError?
        do {
            while let event = try await reader.nextEvent() { take(event, at: reader.eventOffset) }
        } catch let error as HARError {
            failure = error
        } catch {
            fail("An error of another type: \(error)")
        }
        finish(reader.log, failure)
    }
}

/// Chunks that are available immediately.
private struct Arriving: AsyncSequence, AsyncIteratorProtocol {
    var pieces: ArraySlice<ArraySlice<UInt8>>

    mutating func next() async -> ArraySlice<UInt8>? { pieces.popFirst() }

    func makeAsyncIterator() -> Arriving { self }
}

/// Blocks until an asynchronous closure returns a value.
func wait<Value: Sendable>(for body: @escaping @Sendable () async -> Value) -> Value {
    let box = Mutex<Value?>(nil)
    let semaphore = DispatchSemaphore(value: 0)
    Task {
        let value = await body()
        box.withLock { $0 = value }
        semaphore.signal()
    }
    semaphore.wait()
    guard let value = box.withLock({ $0 }) else { fail("The task ended without a value.") }
    return value
}
