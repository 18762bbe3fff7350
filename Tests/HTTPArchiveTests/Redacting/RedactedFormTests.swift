import Foundation
import HTTPArchive
import Testing

/// Values with secrets, and their redacted forms.
@Suite(.limited) struct RedactedFormTests {
    @Test(arguments: [
        ("https://a.test/?q=1&api_key=abc&x=2#f", "https://a.test/?q=1&api_key=REDACTED&x=2#f"),
        ("https://ann:pw@a.test/", "https://ann:REDACTED@a.test/"), ("https://ann@a.test/", "https://ann@a.test/"),
        ("https://a.test/?code=EUR&key=name", "https://a.test/?code=EUR&key=name"),
        ("https://a.test/?code=4f0AbX9dQw83&key=", "https://a.test/?code=REDACTED&key="),
        ("https://a.test/?token", "https://a.test/?token"), ("/next?token=a%20b", "/next?token=REDACTED"),
        ("", ""), ("data:text/plain,a", "data:text/plain,a"),
    ])
    func `redacting a URL changes only its secrets`(url: String, redacted: String) throws {
        #expect(try HARRedactor.test().masked.redacted(url: url) == redacted)
    }

    @Test(arguments: [
        ("Authorization", "Bearer abc", "Bearer REDACTED"), ("authorization", "abc", "REDACTED"),
        ("Proxy-Authorization", "Basic YTpi", "Basic REDACTED"), ("Authorization", "", ""),
        ("Cookie", "a=b=c; d; e=", "a=REDACTED; REDACTED; e="), ("Cookie", #"a="b""#, #"a="REDACTED""#),
        (
            "Set-Cookie", "a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/",
            "a=REDACTED; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/"
        ),
        ("Set-Cookie", "a=b; Path=/, c=d; Secure\ne=f", "a=REDACTED; Path=/, c=REDACTED; Secure\ne=REDACTED"),
        ("X-Api-Key", "abc", "REDACTED"), ("X-CSRF-Token", "abc", "REDACTED"), ("ETag", "\"abc\"", "\"abc\""),
        ("Location", "/a?token=b", "/a?token=REDACTED"),
        ("Link", "<https://a/?token=b>; rel=x", "<https://a/?token=REDACTED>; rel=x"),
        ("Date", "Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 21 Oct 2026 07:28:00 GMT"), ("Accept", "*/*", "*/*"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", "dGhlIHNhbXBsZSBub25jZQ=="),
    ])
    func `redacting a header field changes only its secrets`(name: String, value: String, redacted: String) throws {
        #expect(try HARRedactor.test().masked.redacted(header: value, named: name) == redacted)
    }

    @Test(arguments: [
        (
            "--b\nContent-Disposition: form-data; name=\"password\"\n\nx\r\n\r\ny\n--b--",
            "--b\nContent-Disposition: form-data; name=\"password\"\n\nREDACTED\n--b--"
        ),
        (
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nx",
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nREDACTED"
        ),
        (
            "--b\r\n\r\nx--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ny\r\n--b--",
            "--b\r\n\r\nx--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nREDACTED\r\n--b--"
        ),
    ])
    func `malformed multipart bodies are redacted`(body: String, redacted: String) throws {
        #expect(try HARRedactor.test().masked(body, as: "multipart/form-data; boundary=b") == redacted)
        #expect(try HARRedactor.test().masked(body, as: "multipart/form-data") == redacted)
    }

    @Test(arguments: [
        (#"{"a":1.50,  "password":"x", "b":[true,null]}"#, #"{"a":1.50,  "password":"REDACTED", "b":[true,null]}"#),
        (
            #"{"pin":12,"token":null,"otp":"","secret":false}"#,
            #"{"pin":"REDACTED","token":null,"otp":"","secret":false}"#
        ),
        (
            #"{"passwords":["a",{"b":"c"}],"secret":["a",12]}"#,
            #"{"passwords":["REDACTED",{"b":"REDACTED"}],"secret":["REDACTED","REDACTED"]}"#
        ),
        (
            #"{"code":200,"key":"name","session":{"id":7},"auth":"yes"}"#,
            #"{"code":200,"key":"name","session":{"id":7},"auth":"yes"}"#
        ),
        (#"{"s":"{\"token\":\"a\\\"b\",\"n\":1}"}"#, #"{"s":"{\"token\":\"REDACTED\",\"n\":1}"}"#),
        (#"{"s":"{\"pin\":12}","u":"caf\u00e9"}"#, #"{"s":"{\"pin\":\"REDACTED\"}","u":"caf\u00e9"}"#),
        (#"{"token":"cut o"#, #"{"token":"REDACTED""#), (#"{"tok\u0065n":"a"}"#, #"{"tok\u0065n":"REDACTED"}"#),
        (#"{"max_tokens":4096,"author":"Ann"}"#, #"{"max_tokens":4096,"author":"Ann"}"#),
    ])
    func `JSON is redacted in place`(json: String, redacted: String) throws {
        #expect(try HARRedactor.test().masked(json, as: "application/json") == redacted)
        #expect(try HARRedactor.test().masked(json) == redacted)
    }

    @Test func `an entry without secrets keeps its original text`() throws {
        let text = #"{ "request" : {"url":"https:\/\/a.test\/", "n":1.50 }, "x":[ ] }"#
        let entry = try HAR.Entry.parsed(text)
        let redacted = try HARRedactor.test().redacted(entry)
        #expect(redacted == entry)
        // Only an unchanged object has a byte range.
        #expect(redacted.fields.byteRange == 0..<text.utf8.count)
    }

    @Test func `a secret always has the same placeholder, and a different one with another key`() throws {
        let redactor = try HARRedactor.test()
        let other = try HARRedactor.test { $0.key = .init(phrase: "another key of tests") }
        let value = redactor.redacted(header: "Bearer a b+c", named: "Authorization").dropFirst("Bearer ".count)
        #expect(value.contains(/^REDACTED-[0-9a-f]{16}$/))
        #expect(redactor.redacted(url: "/?token=a+b%2Bc") == "/?token=\(value)")
        #expect(redactor.redacted(url: "/?token=a%20b%2bc") == "/?token=\(value)")
        let body = redactor.redacted(body: Data(#"{"token":"a\u0020b+c"}"#.utf8), mediaType: "application/json")
        #expect(String(decoding: body, as: UTF8.self) == #"{"token":"\#(value)"}"#)
        #expect(other.redacted(url: "/?token=a+b%2Bc") != "/?token=\(value)")
    }

    @Test func `a redacted body is also available in chunks`() throws {
        let redactor = try HARRedactor.test()
        let body = Data((#"{"a":"b","token":"Zq7pl4nt3d","c":"# + "\"Zq7pl4nt3d\"}").utf8)
        var pieces: [Data] = []
        try redactor.redact(body: body, mediaType: "application/json") { pieces.append($0) }
        #expect(pieces.count == 5)
        #expect(Data(pieces.joined()) == redactor.redacted(body: body, mediaType: "application/json"))
        #expect(!String(decoding: pieces.joined(), as: UTF8.self).contains("Zq7"))
    }
}
