import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import Testing

/// Tests of formats that are variants of HAR.
@Suite(.limited) struct ArchiveFormatsTests {
    @Test func `chunks of Polly are joined`() throws {
        let entries = try Recordings.entries("polly/recording.har", of: PollyRecording.self)
        #expect(entries[0].response.bodyText == #"{"items":["Grüße"]}"#)
        #expect(entries[0].response.content.encoding == nil)
        #expect(entries[0].request.body == .data(Data("a=1&b=2".utf8)))
        #expect(entries.allSatisfy { $0["_recordingName"] == "shop/items" })
        #expect(entries[0]["_order"] == 0)
        #expect(try entries.findings == [])
    }

    @Test func `hexadecimal chunks from older versions of Polly are decoded, and other text is kept`() throws {
        let text = { (content: String) in
            #"""
            {"log": {"_recordingName": "a", "creator": {"name": "Polly.JS"}, "entries": [{
              "startedDateTime": "2020-01-01T00:00:00.000Z", "request": {"method": "GET", "url": "http://a.test/"},
              "response": {"status": 200, "headers": [], "content": {"mimeType": "image/png", "size": 3, \#(content)}}}]}}
            """#
        }
        let older = try #require(
            PollyRecording.entries(of: text(#""_isBinary": true, "text": "[\"00ff\",\"01\"]""#)).first)
        #expect(older.response.body == .data(Data([0, 0xFF, 1])))
        #expect(older.response.content["_isBinary"] == true)
        let plain = try #require(PollyRecording.entries(of: text(#""encoding": "base64", "text": "AP8B""#)).first)
        #expect(plain.response.body == .data(Data([0, 0xFF, 1])))
        let other = try #require(PollyRecording.entries(of: text(#""_isBinary": true, "text": "xyz""#)).first)
        #expect(other.response.content.text == "xyz")
    }

    @Test func `binary request bodies of Replay are recognized by their size`() throws {
        let entry = try #require(Recordings.entries("replay/fetchUser.har", of: ReplayArchive.self).first)
        #expect(entry.request.body == .data(Data([0, 0xFF, 1])))
        #expect(entry.startedDateTime == "2026-01-02T03:04:05.678Z")
        #expect(try [entry].findings == [])
    }

    @Test func `mitmproxy's native format is rejected with an explanation, and its HAR files are read`() throws {
        let file = try Recordings.file("../flows")
        #expect(MitmproxyFlows.recognizes(file))
        let error = try #require(throws: HARError.self) { try MitmproxyFlows.entries(of: file) }
        #expect(error.code == .malformedRecording)
        #expect(error.message.contains("mitmdump -nr FLOWS --set hardump=OUTPUT.har"))
        let entries = try Recordings.entries("mitmproxy/one.har", of: MitmproxyFlows.self)
        #expect(entries.count == 3)
        #expect(try entries.findings == [])
    }

    @Test func `missing required fields are added, and entries are sorted by time`() throws {
        let entry = { (time: String) in
            #"""
            {"startedDateTime": "\#(time)", "request": {"method": "GET", "url": "http://a.test/\#(time)", "httpVersion":
             "HTTP/1.1", "cookies": [], "headers": [], "queryString": [], "headersSize": -1, "bodySize": 0}, "response":
             {"status": 200, "statusText": "", "httpVersion": "", "headers": [], "redirectURL": "", "headersSize": -1,
              "bodySize": 1, "cookies": [{"name": "a", "value": "b", "sameSite": "Lax"}], "content": {"text": "x",
              "mimeType": "text/plain", "size": 1}}}
            """#
        }
        let times = ["2026-01-01T00:00:01Z", "2026-01-01T00:00:00Z"]
        let entries = try MitmproxyFlows.entries(
            of:
                #"{"log": {"creator": {"name": "mitmproxy"}, "entries": [\#(times.map(entry).joined(separator: ","))]}}"#
        )
        #expect(entries.map(\.startedDateTime) == times.reversed())
        #expect(entries[0].response.cookies.first?["_sameSite"] == "Lax")
        #expect(try entries.findings == [])
    }

    @Test(arguments: [
        (#"{"log": {}}"#, "/log/entries"), (#"{"log": {"entries": [{}]}}"#, "/log/entries/0/request"),
        (
            #"{"log": {"entries": [{"request": {"url": "a"}, "response": {"status": 200}}]}}"#,
            "/log/entries/0/startedDateTime"
        ),
        (#"{"log": {"entries": [{"request": {"url": "a"}, "response": {}}]}}"#, "/log/entries/0/response/status"),
    ])
    func `an error has a location`(text: String, pointer: String) throws {
        for error in [PollyRecording.error(of: text), ReplayArchive.error(of: text), MitmproxyFlows.error(of: text)] {
            #expect(error?.code == .malformedRecording)
            #expect(error?.context.pointer?.description == pointer)
        }
    }
}
