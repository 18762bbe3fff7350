import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import Testing

@Suite(.limited) struct InnernetConsoleTests {
    @Test func `JSON Lines are read`() throws {
        let entries = try Recordings.entries("innernet-console/console.ndjson", of: InnernetConsole.self)
        #expect(entries.map(\.request.method) == ["GET", "POST", "GET"])
        #expect(entries[1].request.body == .data(Data(#"{"id":3}"#.utf8)))
        #expect(entries[2].response.body == .data(Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])))
        #expect(entries.map { $0["_wasIntercepted"] } == [true, false, false])
        #expect(try entries.findings == [])
    }

    @Test func `an array and a single object are read`() throws {
        let object =
            #"{"statusCode": 200, "method": "get", "url": "http://a.test/", "resBody": {"a": 1}, "resHeaders": {}}"#
        for text in [object, "[\(object)]"] {
            let entry = try #require(InnernetConsole.entries(of: text).first)
            #expect(entry.request.method == "GET")
            #expect(entry.response.bodyText == #"{"a":1}"#)
        }
    }

    @Test(arguments: [
        ("eyJpZCI6M30=", #"{"id":3}"#), ("accepted", "accepted"), ("12345678", "12345678"), ("[1,2]", "[1,2]"),
        ("", ""),
        ("aGVsbG8=", "hello"),
    ])
    func `bodies are decoded as Base64, or as text if they are not Base64`(recorded: String, body: String) throws {
        let text = #"{"statusCode": 200, "method": "GET", "url": "http://a.test/", "resBody": "\#(recorded)"}"#
        let entry = try #require(InnernetConsole.entries(of: text).first)
        #expect(entry.response.body == .data(Data(body.utf8)))
    }

    @Test(arguments: ["", #""statusCode": -1, "#])
    func `a request without a response becomes a failed entry`(status: String) throws {
        let entry = try #require(
            InnernetConsole.entries(of: #"{\#(status)"method": "GET", "url": "http://a.test/", "resBody": null}"#).first
        )
        #expect(entry.response.status == 0)
        #expect(entry.response["_error"] == "net::ERR_FAILED")
    }

    @Test func `the error for an invalid line has its location`() throws {
        let error = try #require(InnernetConsole.error(of: "{\"url\": \"http://a.test/\"}\n{\"url\": ?}"))
        #expect(error.code == .malformedJSON)
        #expect(error.context.line == 2)
        #expect(error.context.byteOffset == 34)
    }

    @Test func `an error has the location of the invalid object`() throws {
        let error = try #require(InnernetConsole.error(of: #"[{"url": "http://a.test/"}, {"resBody": ""}]"#))
        #expect(error.context.pointer?.description == "/1/url")
    }
}
