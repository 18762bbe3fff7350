import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Folders with files that earlier versions of the library recorded.
@Suite(.limited) struct FormerRecordingsTests {
    private let records: Records

    init() throws { records = try Records() }

    private func begin() {
        Relay.recordAndReplay(
            recordingRootFolder: records.file, recordingFolder: "users()", urlKeywords: ["typicode.invalid"])
    }

    private func record(
        _ path: String, method: String = "GET", status: Int = 200, type: String = "application/json", data: String,
        isBase64: Bool = false
    ) -> String {
        #"""
        {
          "requestHeaders" : {"X-RelayReplay" : "true", "Content-Length" : "12"},
          "statusCode" : \#(status),
          "requestBody" : {"data" : "", "isBase64Encoded" : false},
          "requestType" : "\#(method)",
          "service" : "https:\/\/typicode.invalid\#(path)",
          "responseData" : {"data" : "\#(data)", "isBase64Encoded" : \#(isBase64)},
          "responseHeaders" : {"Content-Type" : "\#(type)", "Content-Encoding" : "br", "X-RelayReplay" : "true"}
        }
        """#
    }

    @Test func `a file matches by its content, regardless of the hash in its name`() async throws {
        let text = #"{\"id\": 1, \"name\": \"Leanne Graham\"}"#
        try records.write(record("/users/1", data: text), to: "GET-typicode.invalid-users-1_0.json", in: "users")
        let post = record("/posts", method: "POST", status: 201, data: "{}")
        try records.write(post, to: "POST-typicode.invalid-posts_1.json", in: "users")
        begin()
        let answer = try await URLSession.shared.answer(request("https://typicode.invalid/users/1"))
        #expect(answer.text == #"{"id": 1, "name": "Leanne Graham"}"#)
        #expect(answer.head.value(forHTTPHeaderField: "X-RelayReplay") == "true")
        var sending = request("https://typicode.invalid/posts", method: "POST", body: "title=x")
        sending.setValue("99", forHTTPHeaderField: "X-Other")
        #expect(try await URLSession.shared.answer(sending).head.statusCode == 201)
    }

    @Test func `binary data is returned as bytes, and text as UTF-8 regardless of the charset`() async throws {
        try records.write(
            record("/image", type: "image/png", data: "iVBORw==", isBase64: true), to: "a.json", in: "users")
        let latin = record("/text", type: "text/plain; charset=iso-8859-1", data: "é")
        try records.write(latin, to: "b.json", in: "users")
        begin()
        let (image, _) = try await URLSession.shared.data(for: request("https://typicode.invalid/image"))
        #expect(Array(image) == [0x89, 0x50, 0x4E, 0x47])
        let (text, _) = try await URLSession.shared.data(for: request("https://typicode.invalid/text"))
        #expect(Array(text) == Array("é".utf8))
    }

    @Test func `only URL, status, header fields and data are required`() async throws {
        let short =
            #"{"service": "https://typicode.invalid/a", "statusCode": 418, "responseHeaders": {}, "#
            + #""responseData": {"data": "tea", "isBase64Encoded": false}}"#
        try records.write(short, to: "a.json", in: "users")
        begin()
        let answer = try await URLSession.shared.answer(request("https://typicode.invalid/a"))
        #expect(answer.head.statusCode == 418)
        #expect(answer.text == "tea")
    }

    @Test func `an archive takes precedence over the files`() async throws {
        try records.write(record("/a", data: "old"), to: "a.json", in: "users")
        let entry =
            #"{"startedDateTime": "2020-01-01T00:00:00Z", "time": 0, "cache": {}, "timings": {}, "request": {"#
            + #""method": "GET", "url": "https://typicode.invalid/a"}, "response": {"status": 200, "content": "#
            + #"{"text": "new"}}}"#
        try records.write(#"{"log": {"entries": [\#(entry)]}}"#, to: "users.har", in: "users")
        begin()
        #expect(try await URLSession.shared.text("https://typicode.invalid/a") == "new")
    }
}
