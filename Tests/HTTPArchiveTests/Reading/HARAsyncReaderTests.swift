import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct HARAsyncReaderTests {
    @Test(arguments: [1, 2, 3, 7, 100, 5000])
    func `chunks of every type and size produce the same result as the whole document`(size: Int) async throws {
        let document = SampleDocument.everything.bytes
        let whole = ReadingOutcome.decoding(document)
        let pieces = Splitting.size(size, of: document).pieces
        #expect(try await ReadingOutcome.readingAsynchronously(pieces) { Data($0) } == whole)
        #expect(try await ReadingOutcome.readingAsynchronously(pieces) { Array($0) } == whole)
        #expect(try await ReadingOutcome.readingAsynchronously(pieces) { $0 } == whole)
    }

    @Test func `chunks that are not contiguous in memory produce the same result as the whole document`() async throws {
        let document = SampleDocument.everything.bytes
        let pieces = Splitting.size(50, of: document).pieces
        let outcome = try await ReadingOutcome.readingAsynchronously(pieces) { Array($0.reversed()).reversed() }
        #expect(outcome == ReadingOutcome.decoding(document))
    }

    @Test(arguments: SampleDocument.small)
    func `small documents produce the same result when split at any byte`(sample: SampleDocument) async throws {
        for splitting in Splitting.everywhere(in: sample.bytes) {
            let outcome = try await ReadingOutcome.readingAsynchronously(splitting.pieces) { Array($0) }
            #expect(outcome == ReadingOutcome.decoding(sample.bytes), "\(splitting)")
        }
    }

    @Test func `entries are returned before the input ends`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let reader = HARAsyncReader(stream)
        continuation.yield(Array(#"{"log":{"entries":[{"time":1},{"ti"#.utf8))
        #expect(try await reader.next()?.time == 1)
        continuation.yield(Array(#"me":2}"#.utf8))
        #expect(try await reader.next()?.time == 2)
        continuation.yield(Array(#"],"comment":"c"}}"#.utf8))
        continuation.finish()
        #expect(try await reader.next() == nil)
        #expect(reader.log.comment == "c")
        #expect(try await reader.next() == nil)
    }

    @Test func `entries can be read with a for loop`() async throws {
        let pieces = [[UInt8]](repeating: Array("{},".utf8), count: 9)
        let reader = HARAsyncReader(
            AsyncStream { continuation in
                continuation.yield(Array(#"{"log":{"entries":["#.utf8))
                for piece in pieces { continuation.yield(piece) }
                continuation.yield(Array("{}]}}".utf8))
                continuation.finish()
            })
        var count = 0
        for try await entry in reader {
            #expect(entry.fields == [:])
            count += 1
        }
        #expect(count == 10)
    }

    @Test func `an error from the input is thrown after the entries before it`() async throws {
        struct Lost: Error {}
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
        continuation.yield(Data(#"{"log":{"entries":[{"time":1},{"#.utf8))
        continuation.finish(throwing: Lost())
        let reader = HARAsyncReader(stream)
        #expect(try await reader.next()?.time == 1)
        await #expect(throws: Lost.self) { _ = try await reader.next() }
    }

    @Test func `every later call throws the same error, with the name of the input`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data(#"{"log":{"entries":[{"time":1},oops"#.utf8))
        continuation.finish()
        let reader = HARAsyncReader(stream, name: "upload")
        #expect(try await reader.next()?.time == 1)
        for _ in 0..<3 {
            let error = await #expect(throws: HARError.self) { _ = try await reader.next() }
            #expect(error?.code == .malformedJSON)
            #expect(error?.context.file == "upload")
        }
    }

    @Test func `limits are enforced`() async throws {
        var configuration = HARReader.Configuration()
        configuration.maximumValueSize = 10
        let stream = AsyncStream { continuation in
            continuation.yield(Array(#"{"log":{"entries":[{"text":"0123456789"}]}}"#.utf8))
            continuation.finish()
        }
        let reader = HARAsyncReader(stream, configuration: configuration)
        let error = await #expect(throws: HARError.self) { _ = try await reader.next() }
        #expect(error?.code == .limitExceeded)
    }
}
