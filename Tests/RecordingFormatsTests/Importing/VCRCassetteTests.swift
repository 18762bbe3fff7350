import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import Testing

@Suite(.limited) struct VCRCassetteTests {
    @Test func `a Betamax cassette is read`() throws {
        let entry = try #require(Recordings.entries("vcr/shop.json", of: VCRCassette.self).first)
        #expect(entry.startedDateTime == "2013-09-28T01:25:38.000Z")
        #expect(entry.request.url == "http://httpbin.example.test/get")
        #expect(entry.response.bodyText == #"{"items":["Grüße"]}"#)
        #expect(entry.response.header("Content-Encoding") == "gzip")
        #expect(entry["_recorded_with"] == "betamax/0.4.0")
        // The response's URL is omitted because it equals the URL of the request.
        #expect(entry.response["_url"] == nil)
        #expect(try [entry].findings == [])
    }

    @Test func `a time that is raised to keep the order of entries is kept`() throws {
        func interaction(_ path: String, _ hour: Int) -> String {
            #"""
            {"request": {"method": "get", "uri": "http://a.test/\#(path)"}, "response": {"status": {"code": 200}},
             "recorded_at": "Tue, 01 Nov 2011 0\#(hour):00:00 GMT"}
            """#
        }
        let list = [interaction("a", 3), interaction("b", 4), interaction("a", 2)].joined(separator: ",")
        let entries = try VCRCassette.entries(of: #"{"http_interactions": [\#(list)]}"#)
        #expect(
            entries.map { String($0.startedDateTime.prefix(13)) } == [
                "2011-11-01T03", "2011-11-01T04", "2011-11-01T04",
            ])
        #expect(entries.map { $0["_originalStartedDateTime"]?.text } == [nil, nil, "2011-11-01T02:00:00.000Z"])
    }

    @Test func `other properties are kept in custom fields`() throws {
        let text = #"""
            {"http_interactions": [{"request": {"method": "get", "uri": "http://a.test/#top", "hook": 1},
              "response": {"status": {"code": 302, "message": null, "note": true}, "headers": {"Location": ["/b"]},
                           "url": "http://a.test/b", "body": {"string": "", "http_version": null}},
              "recorded_at": "Tue, 01 Nov 2011 04:58:44 GMT", "tags": []}]}
            """#
        let entry = try #require(VCRCassette.entries(of: text).first)
        #expect(entry.request.url == "http://a.test/")
        #expect(entry.request["_url"] == "http://a.test/#top")
        #expect(entry.request["_hook"] == 1)
        #expect(entry.response["_note"] == true)
        #expect(entry.response["_url"] == "http://a.test/b")
        #expect(entry.response.redirectURL == "/b")
        #expect(entry["_tags"] == [])
        #expect(try [entry].findings == [])
    }

    @Test(arguments: [
        (#"{"http_interactions": [{"request": {}}]}"#, "/http_interactions/0/response"),
        (#"{"http_interactions": [{"request": {}, "response": {}}]}"#, "/http_interactions/0/response/status"),
        (
            #"{"http_interactions": [{"request": {}, "response": {"status": {"code": 200}}}]}"#,
            "/http_interactions/0/request/uri"
        ),
        (
            #"{"http_interactions": [{"request": {"uri": "a"}, "response": {"status": {"code": 200}}, "recorded_at": "x"}]}"#,
            "/http_interactions/0/recorded_at"
        ),
        (
            #"{"http_interactions": [{"request": {"uri": "a"}, "response": {"status": {"code": 200}, "body": {"base64_string": "?"}}}]}"#,
            "/http_interactions/0/response/body/base64_string"
        ),
    ])
    func `an error has a location`(text: String, pointer: String) throws {
        let error = try #require(VCRCassette.error(of: text))
        #expect(error.code == .malformedRecording)
        #expect(error.context.pointer?.description == pointer)
    }
}
