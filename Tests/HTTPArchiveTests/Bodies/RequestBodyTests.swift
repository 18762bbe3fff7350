import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct RequestBodyTests {
    private func body(_ postData: JSONObject?, bodySize: Int? = nil) -> HAR.Body {
        HAR.Request(url: "http://localhost/", postData: postData.map(HAR.PostData.init(fields:)), bodySize: bodySize)
            .body
    }

    @Test func `a request without post data has an empty body, unless its body size is positive`() {
        #expect(body(nil) == .data(Data()))
        #expect(body(nil, bodySize: 0) == .data(Data()))
        #expect(body(nil, bodySize: 12) == .notCaptured)
        #expect(body(["mimeType": "text/plain"], bodySize: 12) == .notCaptured)
        #expect(body(["mimeType": "text/plain", "text": "", "params": []]) == .data(Data()))
    }

    @Test func `the text of post data is the body, regardless of the parameters`() {
        let fields: JSONObject = [
            "mimeType": "application/x-www-form-urlencoded", "text": "a=1", "params": [["name": "b", "value": "2"]],
        ]
        #expect(body(fields) == .data(Data("a=1".utf8)))
        #expect(body(["mimeType": "text/plain; charset=iso-8859-1", "text": "é"]) == .data(Data([0xE9])))
        #expect(body(["mimeType": "image/png", "text": "/w==", "encoding": "base64"]) == .data(Data([0xFF])))
    }

    @Test func `form parameters are encoded`() {
        let fields: JSONObject = [
            "mimeType": "application/x-www-form-urlencoded; charset=UTF-8",
            "params": [["name": "a b", "value": "1&2=ü*"], ["name": "a b", "value": ""], ["name": "c"]],
        ]
        #expect(body(fields) == .data(Data("a+b=1%262%3D%C3%BC*&a+b=&c".utf8)))
    }

    @Test func `a multipart form is encoded with its boundary`() {
        let fields: JSONObject = [
            "mimeType": "multipart/form-data; boundary=\"x y\"",
            "params": [
                ["name": "a\"b", "value": "1"],
                ["name": "f", "fileName": "ü.txt", "contentType": "text/plain", "value": "hi"],
            ],
        ]
        let text = """
            --x y\r
            Content-Disposition: form-data; name="a%22b"\r
            \r
            1\r
            --x y\r
            Content-Disposition: form-data; name="f"; filename="ü.txt"\r
            Content-Type: text/plain\r
            \r
            hi\r
            --x y--\r

            """
        #expect(body(fields) == .data(Data(text.utf8)))
    }

    @Test func `a body that cannot be encoded is treated as not captured`() {
        let noContent: JSONObject = [
            "mimeType": "multipart/form-data; boundary=x", "params": [["name": "f", "fileName": "a"]],
        ]
        #expect(body(noContent) == .notCaptured)
        #expect(body(["mimeType": "multipart/form-data", "params": [["name": "f", "value": "a"]]]) == .notCaptured)
        #expect(body(["mimeType": "application/json", "params": [["name": "f", "value": "a"]]]) == .notCaptured)
    }

    @Test func `a body in a separate file is represented by the file's name`() {
        #expect(body(["mimeType": "image/png", "_file": "a.png"]) == .file("a.png"))
    }
}
