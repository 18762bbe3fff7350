import Foundation
import Testing

@testable import HTTPArchive

/// The lengths in an entry after its body is redacted.
@Suite(.limited) struct RedactedLengthTests {
    private static let json = #"{"token":"hunter2hunter2","name":"é"}"#

    /// Returns a response with a secret in its JSON body and with the given lengths.
    private func response(
        text: String = json, encoding: String? = nil, size: Int, headers: [(String, String)],
        type: String = "application/json", bodySize: Int, more: JSONObject = [:]
    ) -> HAR.Response {
        var content = HAR.Content(size: size, mimeType: type)
        content.text = text
        content.encoding = encoding
        var response = HAR.Response(
            status: 200, headers: headers.map { HAR.Header(name: $0, value: $1) }, content: content, bodySize: bodySize)
        for member in more.members { response[member.name.text] = member.value }
        return response
    }

    private func redacted(_ response: HAR.Response, _ request: HAR.Request? = nil) throws -> HAR.Entry {
        let entry = HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z", time: 0,
            request: request ?? HAR.Request(method: "GET", url: "http://a.test/"), response: response,
            timings: HAR.Timings(send: 0, wait: 0, receive: 0))
        let redacted = try HARRedactor.test().redacted(entry)
        #expect(!redacted.text.contains("hunter2"))
        return redacted
    }

    @Test(arguments: ["Content-Length", "content-length", "CONTENT-LENGTH"])
    func `every length of a body is updated`(name: String) throws {
        let count = Self.json.utf8.count
        let response = try redacted(
            response(
                size: count, headers: [("X-A", "b"), (name, "\(count)"), ("X-C", "\(count)")], bodySize: count,
                more: ["headersSize": 100, "_transferSize": .number(JSONNumber(count + 100))])
        ).response
        let new = try #require(response.body.data?.count)
        #expect(new != count && new == response.content.text?.utf8.count)
        #expect(response.content.size == new)
        #expect(response.bodySize == new)
        #expect(response["_transferSize"]?.number?.int == new + 100)
        #expect(response.headers.map(\.value) == ["b", "\(new)", "\(count)"])
        #expect(response.headers.map(\.name) == ["X-A", name, "X-C"])
    }

    @Test(arguments: [["37", "37"], ["37, 37"], ["37\n37"]])
    func `repeated Content-Length values are updated`(values: [String]) throws {
        #expect(Self.json.utf8.count == 38)
        let text = #"{"token":"hunter2hunter2","name":"e"}"#
        let response = try redacted(
            response(text: text, size: 37, headers: values.map { ("Content-Length", $0) }, bodySize: 37)
        ).response
        let new = try #require(response.body.data?.count)
        #expect(response.headers.map(\.value) == values.map { _ in "\(new)" })
    }

    @Test func `the length of a compressed body is kept, and the compression field is updated`() throws {
        let count = Self.json.utf8.count
        let fields = [("Content-Encoding", "gzip"), ("Content-Length", "30")]
        var old = response(size: count, headers: fields, bodySize: 30, more: ["_transferSize": 130])
        old.content.compression = count - 30
        let response = try redacted(old).response
        let new = try #require(response.body.data?.count)
        #expect(response.content.size == new)
        #expect(response.content.compression == new - 30)
        #expect(response.bodySize == 30)
        #expect(response["_transferSize"] == 130)
        #expect(response.header("content-length") == "30")
    }

    @Test func `a Content-Length that a proxy has set to the length of the decoded body is updated`() throws {
        let count = Self.json.utf8.count
        let fields = [("Content-Encoding", "br"), ("Content-Length", "\(count)")]
        let response = try redacted(response(size: count, headers: fields, bodySize: 30)).response
        #expect(response.header("content-length") == response.content.size.map(String.init))
        #expect(response.bodySize == 30)
    }

    @Test(arguments: ["iso-8859-1", "utf-16le", "utf-8"])
    func `the length is the number of bytes on the wire`(charset: String) throws {
        let type = "text/plain; charset=\(charset)"
        let bytes = try #require(Charset(label: charset)?.encodeExactly(Self.json))
        let response = try redacted(
            response(
                size: bytes.count, headers: [("Content-Type", type), ("Content-Length", "\(bytes.count)")], type: type,
                bodySize: bytes.count)
        ).response
        let text = try #require(response.content.text)
        let new = try #require(Charset(label: charset)?.encodeExactly(text))
        #expect(response.body == .data(new))
        #expect(response.header("content-length") == "\(new.count)")
        #expect(response.content.size == new.count)
    }

    @Test func `a size that counts the text's UTF-8 bytes still counts them after redaction`() throws {
        let type = "text/plain; charset=iso-8859-1"
        let response = try redacted(
            response(
                size: 38, headers: [("Content-Type", type), ("Content-Length", "37")], type: type, bodySize: 37)
        ).response
        let text = try #require(response.content.text)
        #expect(response.content.size == text.utf8.count)
        #expect(response.header("content-length") == "\(text.utf8.count - 1)")
    }

    @Test func `a size that counts the text's UTF-16 code units still counts them after redaction`() throws {
        let text = #"{"token":"Zq7pl4nt3d","name":"Äpfel 😀"}"#
        var response = HAR.Response(
            status: 200, content: HAR.Content(size: text.utf16.count, mimeType: "application/json", text: text))
        response.bodySize = text.utf8.count
        let entry = HAR.Entry(
            startedDateTime: "2026-01-01T12:00:00.000Z", request: HAR.Request(method: "GET", url: "https://a.test/"),
            response: response)
        let redacted = try HARRedactor.test().redacted(entry).response
        #expect(redacted.content.size == redacted.content.text?.utf16.count)
        #expect(redacted.bodySize == redacted.content.text?.utf8.count)
    }

    @Test func `the size of a Base64 body is the number of decoded bytes`() throws {
        let count = Self.json.utf8.count
        let response = try redacted(
            response(
                text: Data(Self.json.utf8).base64EncodedString(), encoding: "base64", size: count,
                headers: [("Content-Length", "\(count)")], bodySize: count)
        ).response
        let new = try #require(response.body.data?.count)
        #expect(new != count)
        #expect(response.content.size == new)
        #expect(response.header("content-length") == "\(new)")
    }

    @Test(arguments: ["1000", "0", "", "x", "38, 9"])
    func `an unrelated length is kept`(value: String) throws {
        let response = try redacted(
            response(size: 7, headers: [("Content-Length", value)], bodySize: 9, more: ["_transferSize": 0])
        ).response
        #expect(response.header("content-length") == value)
        #expect(response.content.size == 7)
        #expect(response.bodySize == 9)
        #expect(response["_transferSize"] == 0)
    }

    @Test(arguments: ["_error", "_failureText"])
    func `the Content-Length of a partial body changes by the same amount as the received part`(field: String) throws {
        let count = Self.json.utf8.count
        let error: JSONObject = [field: "net::ERR_CONNECTION_RESET"]
        let response = try redacted(
            response(size: count, headers: [("Content-Length", "1000")], bodySize: count, more: error)
        ).response
        let new = try #require(response.body.data?.count)
        #expect(response.header("content-length") == "\(1000 + new - count)")
        #expect(response.bodySize == new)
    }

    @Test func `lengths are kept if the body has no secrets`() throws {
        var head = HAR.Response(
            status: 304,
            headers: [
                HAR.Header(name: "Content-Length", value: "900"), HAR.Header(name: "Set-Cookie", value: "a=hunter2"),
            ],
            content: HAR.Content(size: 0, mimeType: ""), bodySize: 0)
        head.content.text = ""
        let response = try redacted(head).response
        #expect(response.header("content-length") == "900")
        #expect(response.content.size == 0 && response.bodySize == 0)
    }

    @Test func `the lengths of a request body are updated`() throws {
        let count = Self.json.utf8.count
        var request = HAR.Request(
            method: "POST", url: "http://a.test/", headers: [HAR.Header(name: "content-length", value: "\(count)")],
            bodySize: count)
        request.postData = HAR.PostData(mimeType: "application/json", text: Self.json)
        let new = try redacted(response(text: "{}", size: 2, headers: [], bodySize: 2), request).request
        let length = try #require(new.body.data?.count)
        #expect(length != count)
        #expect(new.header("content-length") == "\(length)")
        #expect(new.bodySize == length)
    }

    @Test func `the lengths of a form with only parameters are updated`() throws {
        let form = "name=a&password=hunter2"
        var request = HAR.Request(
            method: "POST", url: "http://a.test/",
            headers: [HAR.Header(name: "Content-Length", value: "\(form.count)")],
            bodySize: form.count)
        let fields = form.split(separator: "&").map { $0.split(separator: "=") }
        request.postData = HAR.PostData(
            mimeType: "application/x-www-form-urlencoded",
            params: fields.map { HAR.Parameter(name: String($0[0]), value: String($0[1])) })
        #expect(request.body.data?.count == form.count)
        let new = try redacted(response(text: "{}", size: 2, headers: [], bodySize: 2), request).request
        let length = try #require(new.body.data?.count)
        #expect(length != form.count)
        #expect(new.header("content-length") == "\(length)")
        #expect(new.bodySize == length)
    }

    @Test func `the lengths of a body in a file are updated`() throws {
        var old = response(size: 40, headers: [("Content-Length", "40")], bodySize: 40)
        old.content.text = nil
        old.content["_file"] = "body.json"
        let entry = HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z", time: 0,
            request: HAR.Request(method: "GET", url: "http://a.test/"), response: old,
            timings: HAR.Timings(send: 0, wait: 0, receive: 0))
        let reference = try #require(BodyReference.references(of: entry).first)
        let new = entry.updatingLengths(of: reference, by: BodyLengthChange(from: 40, to: 55)).response
        #expect(new.content.size == 55 && new.bodySize == 55)
        #expect(new.header("content-length") == "55")
        #expect(entry.updatingLengths(of: reference, by: BodyLengthChange(from: 41, to: 55)) == entry)
    }

    @Test func `redacting twice has no further effect`() throws {
        let count = Self.json.utf8.count
        let once = try redacted(response(size: count, headers: [("Content-Length", "\(count)")], bodySize: count))
        #expect(try HARRedactor.test().redacted(once) == once)
    }
}
