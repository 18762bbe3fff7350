import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct HeaderBlockTests {
    private func block(_ text: String) -> HeaderBlock { HeaderBlock(Array(text.utf8)) }

    @Test func `fields are read in order, with surrounding whitespace removed from values`() {
        let block = block("HTTP/1.1 404 Not  Found\r\nB:1\r\nA: \t2 \r\nB:\r\n\r\n")
        #expect(block.words == ["HTTP/1.1", "404", "Not  Found"])
        #expect(block.fields.map(\.name) == ["B", "A", "B"])
        #expect(block.fields.map(\.value) == ["1", "2", ""])
        #expect(block.size == 44)
    }

    @Test func `lines can end with only a line feed`() {
        let block = block("HTTP/1.0 200\nA: 1\n\n")
        #expect(block.words == ["HTTP/1.0", "200"])
        #expect(block.fields.map(\.value) == ["1"])
    }

    @Test func `a line that begins with whitespace continues the previous value`() {
        #expect(block("HTTP/1.1 200 OK\r\nA: 1\r\n  2\r\n\t\r\n 3\r\n\r\n").fields.map(\.value) == ["1 2 3"])
        #expect(block("HTTP/1.1 200 OK\r\n stray\r\nA:\r\n 1\r\n\r\n").fields.map(\.value) == ["1"])
    }

    @Test func `bytes that are not UTF-8 are read as ISO 8859-1`() {
        let line = Array("HTTP/1.1 200 OK\r\nA: ".utf8) + [0xC5, 0x73, 0x61] + Array("\r\n\r\n".utf8)
        #expect(HeaderBlock(line).fields.map(\.value) == ["Åsa"])
        #expect(!HeaderBlock(line).isUTF8 && block("HTTP/1.1 200 OK\r\nA: Åsa\r\n\r\n").isUTF8)
    }

    @Test(arguments: ["", "\r\n", "\n\n\n", ":", "a\r\nno colon\r\n:\r\n", " \r\n \r\n"])
    func `any input is parsed without failure`(text: String) {
        #expect(block(text).size == text.utf8.count)
    }
}
