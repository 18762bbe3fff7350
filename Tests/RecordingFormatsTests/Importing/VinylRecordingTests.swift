import Foundation
import HTTPArchive
import RecordingFormats
import Testing

@Suite(.limited) struct VinylRecordingTests {
    /// A vinyl with trailing commas, as in Vinyl's own fixtures.
    static let text = #"""
        [
          {
            "request": {"url": "http://api.test.com", "method": "POST",
                        "headers": {"Content-Type": "application/json"}, "body": {"a": 1}},
            "response": {"url": "http://api.test.com", "body": "hello", "status": 200,
                         "headers": {"Content-Type": "text/plain", "Date": "Wed, 21 Oct 2026 07:28:00 GMT"}},
          },
          {
            "response": {"url": "http://api.test.com/2", "body": {"user": [1, 2, ]}, "status": 201,
                         "headers": {"Content-Type": "application/json; charset=utf-8"}, "extra": true},
            "tag": "x",
          },
        ]
        """#

    @Test func `tracks become entries in order`() throws {
        let entries = try VinylRecording.entries(of: Self.text)
        #expect(entries.map(\.request.url) == ["http://api.test.com", "http://api.test.com/2"])
        #expect(entries.map(\.request.method) == ["POST", "GET"])
        #expect(entries.map(\.response.status) == [200, 201])
        #expect(entries[0].request.body == .data(Data(#"{"a":1}"#.utf8)))
        #expect(entries[0].response.bodyText == "hello")
        #expect(try entries[1].response.bodyJSON() == ["user": [1, 2]])
        #expect(try entries.findings == [])
    }

    @Test func `start times never decrease`() throws {
        let entries = try VinylRecording.entries(of: Self.text)
        #expect(entries.map(\.startedDateTime) == ["2026-10-21T07:28:00.000Z", "2026-10-21T07:28:00.000Z"])
    }

    @Test func `other properties are kept in custom fields`() throws {
        let entries = try VinylRecording.entries(of: Self.text)
        #expect(entries[1]["_tag"] == "x")
        #expect(entries[1].response["_extra"] == true)
    }

    private func body(_ body: String, headers: String) throws -> HAR.Response {
        let text = #"[{"response": {"url": "http://a.test", "status": 200, "headers": \#(headers), "body": \#(body)}}]"#
        return try #require(VinylRecording.entries(of: text).first).response
    }

    @Test func `the media type determines whether a body is text, JSON or Base64`() throws {
        let data = { (text: String) in HAR.Body.data(Data(text.utf8)) }
        #expect(try body(#""aGk=""#, headers: #"{"Content-Type": "text/html"}"#).body == data("aGk="))
        #expect(try body(#""aGk=""#, headers: #"{"Content-Type": "image/png"}"#).body == data("hi"))
        #expect(try body(#""aGk=""#, headers: #"{"Content-Type": "application/json"}"#).body == data("aGk="))
        #expect(try body("[1]", headers: #"{"Content-Type": "application/json"}"#).body == data("[1]"))
        #expect(try body(#""aGk=""#, headers: "{}").body == data("aGk="))
        #expect(try body("null", headers: "{}").body == data(""))
    }

    @Test func `Content-Type is found only with this capitalization`() throws {
        #expect(try body(#""aGk=""#, headers: #"{"content-type": "image/png"}"#).body == .data(Data("aGk=".utf8)))
    }

    @Test func `the URL of the response is kept`() throws {
        let text = #"[{"request": {"url": "http://a.test/1"}, "response": {"url": "http://a.test/2", "status": 200}}]"#
        let entry = try #require(VinylRecording.entries(of: text).first)
        #expect(entry.request.url == "http://a.test/1")
        #expect(entry.response["_url"] == "http://a.test/2")
    }

    @Test(arguments: [
        (#"[{"request": {"url": "http://a.test"}}]"#, "/0/response"),
        (#"[{"response": {"url": "http://a.test"}}]"#, "/0/response/status"),
        (#"[{"response": {"status": 200}}]"#, "/0"),
        (#"[{"response": {"url": "", "status": 200}}, 7]"#, "/1"),
        (#"{"response": {}}"#, ""),
    ])
    func `an error has a location`(text: String, pointer: String) throws {
        let error = try #require(VinylRecording.error(of: text))
        #expect(error.code == .malformedRecording)
        #expect(error.context.pointer?.description == pointer)
        #expect(error.context.file == "/recordings/a.json")
    }
}
