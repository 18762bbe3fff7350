import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import Testing

@Suite(.limited) struct VCRPyCassetteTests {
    @Test func `a JSON cassette is read`() throws {
        let entries = try Recordings.entries("vcrpy/shop.json", of: VCRPyCassette.self)
        #expect(entries.map(\.response.status) == [200, 201, 201, 200, 302, 200])
        #expect(entries[0].startedDateTime == "2026-10-21T07:28:00.000Z")
        #expect(entries[0].response.cookies.map(\.name) == ["a", "b"])
        #expect(entries[1].request.postData?.params?.map(\.value) == ["1 2", "ü"])
        #expect(entries[4].response.redirectURL == "/text")
        #expect(try entries.findings == [])
    }

    @Test func `a list in the format before version 1 is read`() throws {
        let text = #"""
            [{"request": {"body": null, "headers": {"accept": "*/*"}, "host": "a.test", "method": "GET", "path": "/b",
                          "port": 443, "protocol": "https"},
              "response": {"body": {"string": "hi"}, "headers": ["Content-Type: text/plain\r\n", "X-A: b: c\r\n"],
                           "status": {"code": 200, "message": "OK"}}}]
            """#
        let entry = try #require(VCRPyCassette.entries(of: text).first)
        #expect(entry.request.url == "https://a.test/b")
        #expect(entry.response.headers.map(\.value) == ["text/plain", "b: c"])
        #expect(entry.response.bodyText == "hi")
        #expect(VCRPyCassette.recognizes(RecordingFile(text)))
    }

    @Test(arguments: [
        (
            #"{"interactions": [{"request": {"uri": "a"}, "response": {}}], "version": 1}"#,
            "/interactions/0/response/status"
        ),
        (#"{"interactions": [{"request": {}, "response": {"status_code": 200}}]}"#, "/interactions/0/request"),
        (
            #"{"interactions": [{"request": {"uri": "a"}, "response": {"status_code": 1}}]}"#,
            "/interactions/0/response/status_code"
        ),
        (
            #"{"interactions": [{"request": {"uri": "a"}, "response": {"status_code": 200, "headers": ["x"]}}]}"#,
            "/interactions/0/response/headers/0"
        ),
        (#"{"version": 1}"#, "/interactions"),
    ])
    func `an error has a location`(text: String, pointer: String) throws {
        let error = try #require(VCRPyCassette.error(of: text))
        #expect(error.code == .malformedRecording)
        #expect(error.context.pointer?.description == pointer)
    }
}
