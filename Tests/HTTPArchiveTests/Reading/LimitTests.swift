import Foundation
import Synchronization
import Testing

@testable import HTTPArchive

@Suite(.limited) struct LimitTests {
    private static func configuration(size: Int = 1 << 30, depth: Int = 512) -> HARReader.Configuration {
        var configuration = HARReader.Configuration()
        configuration.maximumValueSize = size
        configuration.maximumDepth = depth
        return configuration
    }

    private static func failure(_ text: String, _ configuration: HARReader.Configuration) -> HARError? {
        do throws(HARError) {
            _ = try HAR.Log(data: Data(text.utf8), configuration: configuration)
            return nil
        } catch {
            return error
        }
    }

    @Test func `the default limits are 100 megabytes and 512 levels`() {
        #expect(HARReader.Configuration().maximumValueSize == 100_000_000)
        #expect(HARReader.Configuration().maximumDepth == 512)
    }

    @Test(arguments: [1, 2, 5, 100, 1 << 20])
    func `an entry at the size limit is read, and an entry with one more byte is rejected`(pieceSize: Int) {
        let entry = #"{"text":"0123456789"}"#
        let document = Array(#"{"log":{"entries":[{},\#(entry),{}]}}"#.utf8)
        let pieces = Splitting.size(pieceSize, of: document).pieces
        #expect(ReadingOutcome.decoding(pieces, limits: .init(valueSize: 21)).entries.count == 3)
        let outcome = ReadingOutcome.decoding(pieces, limits: .init(valueSize: 20))
        #expect(outcome.code == .limitExceeded)
        #expect(outcome.context?.byteOffset == 22)
        #expect(outcome.entries.count == 1)
    }

    @Test func `the rest of an entry over the limit is not buffered`() throws {
        let decoder = HARDecoder(limits: .init(valueSize: 100), file: nil)
        let start = Array(#"{"log":{"entries":[{"text":""#.utf8) + [UInt8](repeating: 0x61, count: 101)
        start.withUnsafeBytes { decoder.feed($0) }
        _ = try decoder.next()
        _ = try decoder.next()
        let error = #expect(throws: HARError.self) { _ = try decoder.next() }
        #expect(error?.code == .limitExceeded)
        #expect(error?.context.byteOffset == 19)
    }

    @Test func `the size of every part of the log is limited`() {
        let limits = Self.configuration(size: 8)
        #expect(Self.failure(#"{"log":{"comment":"012345","entries":[]}}"#, limits) == nil)
        #expect(Self.failure(#"{"log":{"comment":"0123456"}}"#, limits)?.code == .limitExceeded)
        #expect(Self.failure(#"{"x":[1,2,3],"log":{"entries":[]}}"#, limits) == nil)
        #expect(Self.failure(#"{"x":[1,2,3,4],"log":{}}"#, limits)?.code == .limitExceeded)
        #expect(Self.failure(#"{"log":{"entries":[123456789]}}"#, limits)?.code == .limitExceeded)
    }

    @Test(arguments: [1, 1000, 1 << 20])
    func `the memory for many small tokens counts toward the size limit`(pieceSize: Int) {
        let document = { (count: Int) in
            Array((#"{"log":{"entries":[{"a":["# + String(repeating: "1,", count: count) + "1]}]}}").utf8)
        }
        let outcome = { (count: Int) in
            ReadingOutcome.decoding(
                Splitting.size(pieceSize, of: document(count)).pieces, limits: .init(valueSize: 50_000))
        }
        #expect(outcome(900).code == nil)
        #expect(outcome(3200).code == .limitExceeded && outcome(3200).context?.byteOffset == 19)
        let value = String(decoding: document(3200), as: UTF8.self).utf8.count
        #expect(value < 50_000)
    }

    @Test func `by default, only the number of very small entries is limited`() {
        let outcome = { (entry: String, count: Int) in
            let text = #"{"log":{"entries":["# + Array(repeating: entry, count: count).joined(separator: ",") + "]}}"
            return ReadingOutcome.decoding([Array(text.utf8)[...]], limits: .init(smallEntryCount: 100))
        }
        #expect(outcome("{}", 100).code == nil)
        #expect(outcome("{}", 101).code == .limitExceeded)
        #expect(outcome(#"{"a":"\#(String(repeating: "x", count: 256))"}"#, 200).code == nil)
    }

    @Test func `the length of a number is limited, because the parser rescans it with each chunk`() {
        let number = String(repeating: "1", count: 1 << 21)
        let error = Self.failure(#"{"log":{"entries":[{"a":\#(number)}]}}"#, HARReader.Configuration())
        #expect(error?.code == .limitExceeded && error?.context.byteOffset == 24)
    }

    @Test(arguments: [
        #"{"log":{"entries":[{"x":""#, #"{"log":{"entries":[{""#, #"{"log":{"entries":[{"request":{"url":""#,
    ])
    func `an entry over the size limit also stops the indexing of an archive`(start: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.har", holding: start + String(repeating: "a", count: 24 << 20))
        var configuration = HARReader.Configuration()
        configuration.maximumValueSize = 1 << 20
        let read = Mutex(0)
        let error = #expect(throws: HARError.self) {
            _ = try HARArchive(contentsOf: file, configuration: configuration) { count in
                read.withLock { $0 = max($0, count) }
            }
        }
        #expect(error?.code == .limitExceeded)
        #expect(read.withLock { $0 } < 16 << 20)
    }

    @Test(arguments: [1, 10, 99, 5000])
    func `whitespace does not count toward the size of a value and is not buffered`(pieceSize: Int) {
        let space = String(repeating: " \n", count: 500)
        let tokens = [
            "{", #""log""#, ":", "{", #""a""#, ":", "1", ",", #""entries""#, ":", "[", "{}", ",", "17", "]", "}", "}",
        ]
        let document = Array((space + tokens.joined(separator: space) + space).utf8)
        let pieces = Splitting.size(pieceSize, of: document).pieces
        let outcome = ReadingOutcome.decoding(pieces, limits: .init(valueSize: 9))
        #expect(outcome.code == nil)
        #expect(outcome.events.contains(.unexpectedValue(17)))
    }

    @Test func `the size limit applies to each entry, not to the whole file`() throws {
        let entries = [String](repeating: #"{"n":1}"#, count: 500).joined(separator: ", ")
        let log = try HAR.Log(
            data: Data(#"{"log":{"entries":[\#(entries)]}}"#.utf8), configuration: Self.configuration(size: 7))
        #expect(log.entries.count == 500)
    }

    @Test(arguments: [4, 10, 200, 512])
    func `nesting at the limit is read, and one more level is rejected`(depth: Int) throws {
        let document = { (levels: Int) in
            let inner = String(repeating: "[", count: levels - 4) + String(repeating: "]", count: levels - 4)
            return #"{"log":{"entries":[{"a":\#(inner.isEmpty ? "1" : inner)}]}}"#
        }
        #expect(Self.failure(document(depth), Self.configuration(depth: depth)) == nil)
        let error = try #require(Self.failure(document(depth + 1), Self.configuration(depth: depth)))
        #expect(error.code == .limitExceeded)
        #expect(error.context.byteOffset == 24 + depth - 4)
    }

    @Test func `siblings do not increase the depth`() throws {
        let entries = [String](repeating: "{\"a\":[[]]}", count: 100).joined(separator: ",")
        #expect(Self.failure(#"{"log":{"entries":[\#(entries)]}}"#, Self.configuration(depth: 6)) == nil)
    }

    @Test func `a limit that is too small for any archive causes an error, not an empty log`() {
        #expect(Self.failure(#"{"log":{}}"#, Self.configuration(depth: 1))?.code == .limitExceeded)
        #expect(Self.failure(#"{"log":{}}"#, Self.configuration(depth: 0))?.code == .limitExceeded)
        #expect(Self.failure(#"{"log":{"a":1}}"#, Self.configuration(size: 0))?.code == .limitExceeded)
        #expect(Self.failure(#"{"log":{"a":1}}"#, Self.configuration(size: -1))?.code == .limitExceeded)
    }

    @Test func `a million open brackets are rejected`() {
        let brackets = String(repeating: "[", count: 1_000_000)
        #expect(Self.failure(#"{"log":{"a":\#(brackets)"#, Self.configuration())?.code == .limitExceeded)
        #expect(throws: HARError.self) { _ = try JSONValue(parsing: brackets) }
    }
}
