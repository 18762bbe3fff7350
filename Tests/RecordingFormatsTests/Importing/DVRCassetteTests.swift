import Foundation
import HTTPArchive
import RecordingFormats
import Testing

@Suite(.limited) struct DVRCassetteTests {
    private static func interaction(_ path: String, _ body: String, at time: String) -> String {
        """
        {"recorded_at": \(time),
         "request": {"method": "GET", "url": "http://a.test/\(path)", "headers": {}},
         "response": {"url": "http://a.test/\(path)", "status": 200, "body": "\(body)",
                      "headers": {"Content-Type": "text/plain", "Content-Encoding": "gzip", "Content-Length": "30"}}}
        """
    }

    private static let text = """
        {"name": "shop", "interactions": [
          \(interaction("1", "old", at: "1434688721.448")), \(interaction("2", "other", at: "1434688722")),
          \(interaction("1", "new", at: "1434688723.5"))
        ]}
        """

    @Test func `entries with equal requests are reversed`() throws {
        let entries = try DVRCassette.entries(of: Self.text)
        #expect(entries.map(\.response.bodyText) == ["new", "other", "old"])
        #expect(
            entries.map(\.startedDateTime) == [
                "2015-06-19T04:38:41.448Z", "2015-06-19T04:38:42.000Z", "2015-06-19T04:38:43.500Z",
            ])
        #expect(entries.map { $0["_recorded_at"]?.double } == [1434688723.5, 1434688722, 1434688721.448])
        #expect(entries.allSatisfy { $0["_cassette"] == "shop" })
        #expect(try entries.findings == [])
    }

    @Test func `tracks keep the order of the file`() throws {
        let entries = try DVRCassette.tracks(of: RecordingFile(Self.text))
        #expect(entries.map(\.response.bodyText) == ["old", "other", "new"])
    }

    @Test func `requests with different bodies are not equal`() throws {
        let interactions = ["aQ==", "ag=="].map {
            #"{"request": {"method": "POST", "url": "http://a.test", "body": "\#($0)"}, "response": {"status": 200, "body": "\#($0)"}}"#
        }
        let text = #"{"name": "a", "interactions": [\#(interactions.joined(separator: ", "))]}"#
        let entries = try DVRCassette.entries(of: text)
        #expect(entries.map(\.response.bodyText) == ["i", "j"])
        #expect(entries.map(\.request.body) == [.data(Data("i".utf8)), .data(Data("j".utf8))])
    }

    @Test(arguments: [
        (#"{"name": "a"}"#, "/interactions"),
        (#"{"interactions": [{"recorded_at": "x", "response": {}}]}"#, "/interactions/0/recorded_at"),
        (#"{"interactions": [{"request": {"url": "http://a.test"}}]}"#, "/interactions/0/response"),
        (#"{"interactions": {}}"#, "/interactions"),
    ])
    func `an error has a location`(text: String, pointer: String) throws {
        let error = try #require(DVRCassette.error(of: text))
        #expect(error.code == .malformedRecording)
        #expect(error.context.pointer?.description == pointer)
    }
}
