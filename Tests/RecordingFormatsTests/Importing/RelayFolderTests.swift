import Foundation
import HTTPArchive
import RecordingFormats
import Testing

@Suite(.limited) struct RelayFolderTests {
    static let text = #"""
        {
          "requestHeaders" : {"Accept" : "application\/json", "X-RelayReplay" : "true"},
          "requestBody" : {"data" : "", "isBase64Encoded" : false},
          "requestType" : "GET",
          "responseData" : {"data" : "{\"name\":\"Grüße\"}", "isBase64Encoded" : false},
          "responseHeaders" : {
            "Content-Type" : "application\/json; charset=iso-8859-1",
            "Date" : "Wed, 21 Oct 2026 07:28:00 GMT",
            "X-RelayReplay" : "true"
          },
          "service" : "https:\/\/example.com\/products?locale=en-US",
          "statusCode" : 200
        }
        """#

    @Test func `a file becomes an entry without the marker header of the library`() throws {
        let entry = try #require(RelayFolder.entries(of: Self.text).first)
        #expect(entry.startedDateTime == "2026-10-21T07:28:00.000Z")
        #expect(entry.request.method == "GET")
        #expect(entry.request.url == "https://example.com/products?locale=en-US")
        #expect(entry.request.headers == [HAR.Header(name: "Accept", value: "application/json")])
        #expect(entry.request.queryString == [HAR.QueryParameter(name: "locale", value: "en-US")])
        #expect(entry.request.postData == nil)
        #expect(entry.response.status == 200)
        #expect(entry.response.headers.map(\.name) == ["Content-Type", "Date"])
        #expect(try [entry].findings == [])
    }

    @Test func `text is UTF-8, regardless of the charset`() throws {
        let entry = try #require(RelayFolder.entries(of: Self.text).first)
        #expect(entry.response.body == .data(Data(#"{"name":"Grüße"}"#.utf8)))
    }

    @Test func `Base64 bodies are decoded`() throws {
        let text = #"""
            {"service": "http://a.test/", "requestType": "POST", "statusCode": 201,
             "requestBody": {"data": "AAEC", "isBase64Encoded": true}, "responseHeaders": {},
             "responseData": {"data": "/wA=", "isBase64Encoded": true}, "note": 7}
            """#
        let entry = try #require(RelayFolder.entries(of: text).first)
        #expect(entry.request.body == .data(Data([0, 1, 2])))
        #expect(entry.response.body == .data(Data([0xFF, 0])))
        #expect(entry.startedDateTime == "2026-01-02T00:00:00.000Z")
        #expect(entry["_note"] == 7)
    }

    @Test(arguments: [
        (#"{"statusCode": 200, "responseHeaders": {}, "responseData": {}}"#, "/service"),
        (#"{"service": "http://a.test/", "responseHeaders": {}, "responseData": {}}"#, "/statusCode"),
        (#"{"service": "http://a.test/", "statusCode": "x", "responseData": {}}"#, "/statusCode"),
        (#"{"service": "http://a.test/", "statusCode": 99, "responseData": {}}"#, "/statusCode"),
        (#"{"service": "http://a.test/", "statusCode": 200}"#, "/responseData"),
        (#"{"service": 1, "statusCode": 200}"#, "/service"),
        (
            #"{"service": "http://a.test/", "statusCode": 200, "responseData": {"data": "%", "isBase64Encoded": true}}"#,
            "/responseData/data"
        ),
        (
            #"{"service": "", "statusCode": 200, "responseHeaders": {"A": {}}, "responseData": {}}"#,
            "/responseHeaders/A"
        ),
        ("[]", ""),
    ])
    func `an error has a location`(text: String, pointer: String) throws {
        let error = try #require(RelayFolder.error(of: text))
        #expect(error.code == .malformedRecording)
        #expect(error.context.pointer?.description == pointer)
        #expect(error.context.file == "/recordings/a.json")
        #expect(error.context.byteOffset != nil)
    }

    @Test func `the error for invalid JSON has a line and a column`() throws {
        let error = try #require(RelayFolder.error(of: "{\n  \"service\": ?"))
        #expect(error.code == .malformedJSON)
        #expect(error.context.file == "/recordings/a.json")
        #expect(error.context.line == 2)
    }
}
