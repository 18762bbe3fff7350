import Foundation
import Testing

@testable import HTTPArchive

/// An endless text that counts the bytes read from it.
private final class EndlessText: AsyncSequence, AsyncIteratorProtocol {
    private var start: [UInt8]?
    private let rest: [UInt8]
    private(set) var byteCount = 0

    init(_ start: String, then rest: String) {
        self.start = Array(start.utf8)
        self.rest = Array(String(repeating: rest, count: 4096 / rest.utf8.count).utf8)
    }

    func next() async -> [UInt8]? {
        let piece = start ?? rest
        start = nil
        byteCount += piece.count
        // Only a reader that ignores its limits reads this much.
        return byteCount < 64 << 20 ? piece : nil
    }

    func makeAsyncIterator() -> EndlessText { self }
}

@Suite(.limited) struct EndlessInputTests {
    private static var configuration: HARReader.Configuration {
        var configuration = HARReader.Configuration()
        configuration.maximumValueSize = 1 << 20
        configuration.maximumEntryCount = 1000
        configuration.maximumFieldCount = 1000
        return configuration
    }

    @Test(
        arguments: [
            (#"{"log":{"comment":""#, "a"), (#"{"log":{"comment":""#, "\\u0061"), (#"{"log":{"comment":""#, "\\\\"),
            (#"{"log":{"entries":[{"a":""#, "é"), (#"{"log":{"entries":[{"a":["#, "{},"), (#"{"log":{""#, "a"),
            (#"{""#, "a"), (#"{"log":{"entries":[1"#, "0"), (#"{"log":{"entries":["#, "{},"),
            (#"{"log":{"entries":["#, "1,"), (#"{"log":{"a":1"#, #","a":1"#), (#"{"a":1"#, #","b":{}"#),
        ] as [(String, String)])
    func `reading endless input fails when it exceeds a limit`(start: String, rest: String) async throws {
        let text = EndlessText(start, then: rest)
        let reader = HARAsyncReader(text, configuration: Self.configuration)
        do {
            while try await reader.nextEvent() != nil {}
            Issue.record("the reader exceeded its limits")
        } catch let error as HARError {
            #expect(error.code == .limitExceeded)
            #expect(error.context.byteOffset != nil)
        }
        #expect(text.byteCount < 3 << 20)
    }

    @Test func `a file with an unterminated string is not read beyond the limit`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("endless.har", holding: #"{"log":{"a":""# + String(repeating: "a", count: 8 << 20))
        let reader = try HARReader(contentsOf: file, configuration: Self.configuration)
        let error = #expect(throws: HARError.self) { while try reader.nextEvent() != nil {} }
        #expect(error?.code == .limitExceeded)
        #expect(error?.context.byteOffset == 12)
        #expect(reader.bytesRead <= 3 << 20)
    }

    @Test func `the number of entries is limited, including invalid ones`() throws {
        #expect(HARReader.Configuration().maximumEntryCount == nil)
        var configuration = HARReader.Configuration()
        configuration.maximumEntryCount = 3
        let read = { (entries: String) in
            try HAR.Log(data: Data(#"{"log":{"entries":[\#(entries)]}}"#.utf8), configuration: configuration)
        }
        #expect(try read("{},{},{}").entries.count == 3)
        for entries in ["{},{},{},{}", "1,2,{},4"] {
            let error = #expect(throws: HARError.self) { _ = try read(entries) }
            #expect(error?.code == .limitExceeded)
            #expect(error?.context.byteOffset == 18 + entries.utf8.count - (entries.hasSuffix("}") ? 1 : 0))
            #expect(error?.message.contains("maximumEntryCount") == true)
        }
    }

    @Test func `the number and the total size of the log's fields are limited`() throws {
        #expect(HARReader.Configuration().maximumFieldCount == 100_000)
        var configuration = HARReader.Configuration()
        configuration.maximumFieldCount = 3
        configuration.maximumValueSize = 8
        let read = { (text: String) in _ = try HAR.Log(data: Data(text.utf8), configuration: configuration) }
        #expect(throws: Never.self) { try read(#"{"a":1,"log":{"b":1,"entries":[{},{}],"c":3}}"#) }
        #expect(throws: Never.self) { try read(#"{"a":1234,"log":{"b":1234,"entries":[]}}"#) }
        #expect(throws: HARError.self) { try read(#"{"a":1,"log":{"b":1,"c":3},"d":1}"#) }
        #expect(throws: HARError.self) { try read(#"{"a":1234,"log":{"b":12345}}"#) }
    }
}
