import Foundation
import Testing

@testable import HTTPArchive

@Suite struct LimitTests {
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

    @Test func `the default limits are one gibibyte and 512 levels`() {
        #expect(HARReader.Configuration().maximumValueSize == 1 << 30)
        #expect(HARReader.Configuration().maximumDepth == 512)
    }

    @Test(arguments: [1, 2, 5, 100, 1 << 20])
    func `an entry at the size limit is read, and one byte more is an error`(pieceSize: Int) {
        let entry = #"{"text":"0123456789"}"#
        let document = Array(#"{"log":{"entries":[{},\#(entry),{}]}}"#.utf8)
        let pieces = Splitting.size(pieceSize, of: document).pieces
        #expect(ReadingOutcome.decoding(pieces, limits: .init(valueSize: 21)).entries.count == 3)
        let outcome = ReadingOutcome.decoding(pieces, limits: .init(valueSize: 20))
        #expect(outcome.code == .limitExceeded)
        #expect(outcome.context?.byteOffset == 22)
        #expect(outcome.entries.count == 1)
    }

    @Test func `an entry over the limit is not buffered to its end`() throws {
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
        #expect(Self.failure(#"{"log":{"comment":"012345"}}"#, limits) == nil)
        #expect(Self.failure(#"{"log":{"comment":"0123456"}}"#, limits)?.code == .limitExceeded)
        #expect(Self.failure(#"{"x":[1,2,3],"log":{}}"#, limits) == nil)
        #expect(Self.failure(#"{"x":[1,2,3,4],"log":{}}"#, limits)?.code == .limitExceeded)
        #expect(Self.failure(#"{"log":{"entries":[123456789]}}"#, limits)?.code == .limitExceeded)
    }

    @Test(arguments: [1, 10, 99, 5000])
    func `white space does not belong to a value and is not buffered`(pieceSize: Int) {
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

    @Test func `the size limit applies to parts, not to the file`() throws {
        let entries = [String](repeating: #"{"n":1}"#, count: 500).joined(separator: ", ")
        let log = try HAR.Log(
            data: Data(#"{"log":{"entries":[\#(entries)]}}"#.utf8), configuration: Self.configuration(size: 7))
        #expect(log.entries.count == 500)
    }

    @Test(arguments: [4, 10, 200, 512])
    func `nesting at the limit is read, and one level more is an error`(depth: Int) throws {
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

    @Test func `a depth limit too small for any archive is an error, not an empty log`() {
        #expect(Self.failure(#"{"log":{}}"#, Self.configuration(depth: 1))?.code == .limitExceeded)
        #expect(Self.failure(#"{"log":{}}"#, Self.configuration(depth: 0))?.code == .limitExceeded)
        #expect(Self.failure(#"{"log":{"a":1}}"#, Self.configuration(size: 0))?.code == .limitExceeded)
        #expect(Self.failure(#"{"log":{"a":1}}"#, Self.configuration(size: -1))?.code == .limitExceeded)
    }

    @Test func `a million open brackets are an error`() {
        let brackets = String(repeating: "[", count: 1_000_000)
        #expect(Self.failure(#"{"log":{"a":\#(brackets)"#, Self.configuration())?.code == .limitExceeded)
        #expect(throws: HARError.self) { _ = try JSONValue(parsing: brackets) }
    }
}
