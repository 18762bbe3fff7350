import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import Testing

@Suite(.limited) struct WireMockMappingsTests {
    @Test func `a mapping with a body file is read`() throws {
        let entry = try #require(Recordings.entries("wiremock/mappings/items.json", of: WireMockMappings.self).first)
        #expect(entry.request.url == "http://localhost/items?page=2")
        #expect(entry.response.bodyText == "{\"items\": [1, 2]}\n")
        #expect(entry.timings.wait == 250)
        #expect(entry["_priority"] == 1)
        #expect(entry.request["_headers"] == ["Accept": ["contains": "json"]])
        #expect(entry.request["_queryParameters"] == nil)
        #expect(entry.response["_bodyFileName"] == "items.json")
    }

    @Test func `a URL within a query does not make a path an absolute URL`() throws {
        let mapping = #"{"request": {"url": "/a?to=http://b"}, "response": {}}"#
        let entry = try #require(WireMockMappings.entries(of: mapping).first)
        #expect(entry.request.url == "http://localhost/a?to=http://b")
    }

    @Test func `later mappings with equal priority come first`() throws {
        let entries = try Recordings.entries("wiremock/mappings/several.json", of: WireMockMappings.self)
        #expect(entries.compactMap(\.response.bodyText).filter { ["old", "new"].contains($0) } == ["new", "old"])
        #expect(entries.map(\.request.method) == ["GET", "GET", "POST", "GET", "GET"])
        #expect(entries[0].response.status == 0)
        #expect(entries[0].response["_fault"] == "CONNECTION_RESET_BY_PEER")
        #expect(entries[1].request["_method"] == "ANY")
        #expect(entries[1].response.body == .data(Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])))
        #expect(entries[2].request.url == "http://localhost/api/v")
        #expect(entries[2].request["_urlPattern"] == "/api/v[0-9]+/items")
        #expect(entries[2].request.body == .data(Data(#"{"id":1}"#.utf8)))
        #expect(entries[2].response["_transformers"] == ["response-template"])
    }

    @Test func `priority applies across files, and with equal priority, later files come first`() throws {
        let mapping = { (body: String, priority: Int) in
            #"{"priority": \#(priority), "request": {"url": "/"}, "response": {"body": "\#(body)"}}"#
        }
        let files = try [("a", 5), ("b", 1), ("c", 5)].map { try WireMockMappings.entries(of: mapping($0.0, $0.1)) }
        #expect(WireMockMappings.arranged(files).map(\.response.bodyText) == ["b", "c", "a"])
    }

    @Test func `scenarios and lists exported from the server keep their order`() throws {
        let mappings = { (more: String) in
            ["a", "b"].map { #"{"request": {"url": "/"}, "response": {"body": "\#($0)"}\#(more)}"# }
                .joined(separator: ",")
        }
        let scenario = try WireMockMappings.entries(of: #"{"mappings": [\#(mappings(#", "scenarioName": "s""#))]}"#)
        #expect(scenario.map(\.response.bodyText) == ["a", "b"])
        let listed = try WireMockMappings.entries(of: #"{"mappings": [\#(mappings(""))], "meta": {"total": 2}}"#)
        #expect(listed.map(\.response.bodyText) == ["a", "b"])
    }

    @Test(arguments: [
        (#"/a\\?x=1"#, "/a?x=1"), ("/a/.*", "/a/"), ("/items/[0-9]+", "/items/"), ("/a(b|c)", "/a"), ("^/a$", "/a"),
        ("/things/{id}", "/things/"), (#"/a\\d"#, "/a"), (#"/v1\\.0/b"#, "/v1.0/b"), (".*", "/"),
    ])
    func `the URL for a pattern is its literal prefix`(pattern: String, path: String) throws {
        let text = #"{"request": {"urlPattern": "\#(pattern)"}, "response": {}}"#
        let entry = try #require(WireMockMappings.entries(of: text).first)
        #expect(entry.request.url == "http://localhost" + path)
        #expect(entry.request["_urlPattern"] != nil)
    }

    @Test(arguments: ["missing.json", "../mappings/items.json", "/etc/passwd"])
    func `a mapping with a missing body file or one outside the folder is rejected`(name: String) throws {
        let text = #"{"request": {"url": "/"}, "response": {"bodyFileName": "\#(name)"}}"#
        let path = Recordings.folder.appendingPathComponent("wiremock/mappings/a.json").path
        let error = try #require(throws: HARError.self) {
            try WireMockMappings.entries(of: RecordingFile(text, at: path))
        }
        #expect([.unreadableFile, .malformedRecording].contains(error.code))
    }

    @Test(arguments: [
        (#"{"request": {}}"#, "/response"), (#"{"mappings": [{"response": {}}]}"#, "/mappings/0/request"),
        (#"{"request": {"url": 1}, "response": {}}"#, "/request/url"),
        (#"{"request": {"url": "/"}, "response": {"status": 1}}"#, "/response/status"),
        (#"{"request": {"url": "/"}, "response": {"base64Body": "?"}}"#, "/response/base64Body"),
    ])
    func `an error has a location`(text: String, pointer: String) throws {
        let error = try #require(WireMockMappings.error(of: text))
        #expect(error.code == .malformedRecording)
        #expect(error.context.pointer?.description == pointer)
    }
}
