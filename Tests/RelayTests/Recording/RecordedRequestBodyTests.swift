import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct RecordedRequestBodyTests {
    private func entry(_ body: Data?, type: String?) throws -> HAR.Entry {
        var exchange = CapturedExchange.exchange("POST", sent: body)
        if let type { exchange.request.headers.append(HeaderField(name: "Content-Type", value: type)) }
        return try exchange.entry()
    }

    @Test func `a request without a body is recorded without postData`() throws {
        for body in [nil, Data()] {
            let entry = try entry(body, type: nil)
            #expect(entry.request.postData == nil)
            #expect(entry.request.bodySize == 0)
            #expect(try entry.findings() == [])
        }
    }

    @Test func `a form is recorded as text and as parameters`() throws {
        let entry = try entry(Data("a=b+c&d=%C3%A9&e&a=%26".utf8), type: "application/x-www-form-urlencoded")
        let postData = try #require(entry.request.postData)
        #expect(postData.params?.map { "\($0.name)=\($0.value ?? "-")" } == ["a=b c", "d=é", "e=", "a=&"])
        #expect(postData.text == "a=b+c&d=%C3%A9&e&a=%26")
        #expect(try entry.findings() == [])
    }

    private static func parts(_ content: [UInt8]) -> Data {
        let start = """
            --x\r\nContent-Disposition: form-data; name="title"\r\n\r\nSun\r\n--x\r\nContent-Disposition: form-data; \
            name="file"; filename="sun.png"\r\nContent-Type: image/png\r\n\r\n
            """
        return Data(start.utf8) + content + Data("\r\n--x--\r\n".utf8)
    }

    @Test(arguments: [[0x41], [0x89, 0x50, 0x4E, 0x47]])
    func `a multipart form is recorded with the names, file names and types of its parts`(content: [UInt8]) throws {
        let body = Self.parts(content)
        let entry = try entry(body, type: "multipart/form-data; boundary=x")
        let postData = try #require(entry.request.postData)
        #expect(
            postData.params == [
                HAR.Parameter(name: "title", value: "Sun"),
                HAR.Parameter(name: "file", fileName: "sun.png", contentType: "image/png"),
            ])
        #expect(postData["_encoding"]?.text == (content.count == 1 ? nil : "base64"))
        #expect(entry.request.body == .data(body))
        #expect(try entry.findings() == [])
    }

    @Test(arguments: [
        ([0x00, 0x01], "application/octet-stream"), ([0xFF, 0xFE], nil), ([0xE4], "text/plain; charset=latin1"),
        ([0x1F, 0x8B], "application/json"), ([0xC3, 0x83, 0xC2, 0xA9], "text/plain"), ([0xE4], "text/plain"),
    ])
    func `arbitrary bytes survive the round trip`(bytes: [UInt8], type: String?) throws {
        let entry = try entry(Data(bytes), type: type)
        #expect(entry.request.body == .data(Data(bytes)))
        #expect(try entry.findings() == [])
    }

    @Test func `a recorded request body matches an identical body`() throws {
        let bodies = [Data([0, 1]), Data([0, 2]), Data("text".utf8)]
        let entries = try bodies.enumerated().map { number, body in
            var exchange = CapturedExchange.exchange("POST", sent: body)
            try exchange.body.append(Data("answer \(number)".utf8))
            return try exchange.entry()
        }
        let interceptor = Interceptor(entries: entries)
        for (number, body) in bodies.enumerated().reversed() {
            let request = InterceptedRequest(method: "POST", url: "http://a.example/", body: body)
            #expect(try interceptor.response(to: request).body == Data("answer \(number)".utf8))
        }
    }
}
