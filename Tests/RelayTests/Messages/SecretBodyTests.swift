import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite struct SecretBodyTests {
    @Test(arguments: [
        (#"{"user":"a","password":"b\"c","n":1}"#, #"{"user":"a","password":"•••","n":1}"#),
        (#" { "token" : 12 , "x" : ["token"] }"#, #" { "token" : "•••" , "x" : ["token"] }"#),
        (#"{"session":{"a":["}"]},"b":2}"#, #"{"session":"•••","b":2}"#),
        (#"[{"a":{"api_key":[1,{"c":2}]}},3]"#, #"[{"a":{"api_key":"•••"}},3]"#),
        (#"{"token":null,"otp":"","pin":true,"pwd":-1.5e3}"#, #"{"token":null,"otp":"","pin":true,"pwd":"•••"}"#),
        (#"{"pass\u0077ord":"x"}"#, #"{"pass\u0077ord":"•••"}"#),
        (#"{"a":"token","b":"\":\"x"}"#, #"{"a":"token","b":"\":\"x"}"#),
        (#"{"token":"cut o"#, #"{"token":"•••""#), (#"{"token":["cut","#, #"{"token":"•••""#),
        (#"{"token":"#, #"{"token":"#),
        (#"{"token"#, #"{"token"#), (#"{"a\é":1,"sig":\é}"#, #"{"a\é":1,"sig":"•••"}"#),
        ("{\"d\u{301}\":\"\u{301}\",\"code\":\u{301}}", "{\"d\u{301}\":\"\u{301}\",\"code\":\"•••\"}"),
        ("", ""), ("\"", "\""), ("\\", "\\"),
    ])
    func `the values of secret members are masked, and the rest of the JSON is unchanged`(json: String, masked: String)
    {
        #expect(SecretNames.masked(body: Data(json.utf8), type: "application/json") == Data(masked.utf8))
    }

    @Test(arguments: ["{", "[", "\"", "\\", "\"token\":", "\"token\":[", "\"token\":{\"a\":", ":", "}", "\\\""])
    func `long JSON texts of any kind are masked in linear time`(piece: String) {
        let text = String(repeating: piece, count: (1 << 15) / piece.utf8.count)
        #expect(!SecretNames.masked(body: Data(text.utf8), type: "application/json").isEmpty)
    }

    @Test(arguments: [
        ("user=a&password=b%26c&x", "application/x-www-form-urlencoded", "user=a&password=•••&x"),
        ("user=a&password=b", nil, "user=a&password=•••"), (" [{\"token\":1}]", nil, " [{\"token\":\"•••\"}]"),
        ("password=b", "text/plain", "password=b"), (#"{"token":1}"#, "application/vnd.api+json", #"{"token":"•••"}"#),
        (
            "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nx\r\ny\r\n--b--",
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n•••\r\n--b--"
        ),
        (
            "--b\ncontent-disposition:form-data; name=pin; filename=\"a\"\n\nx\n--b\nX: name=\"pin\"\n\ny\n--b--",
            "multipart/form-data; boundary=\"b\"",
            "--b\ncontent-disposition:form-data; name=pin; filename=\"a\"\n\n•••\n--b\nX: name=\"pin\"\n\ny\n--b--"
        ),
        ("--b", "multipart/form-data; boundary=b", "--b"), ("", "multipart/form-data; boundary=b", ""),
    ])
    func `the values of secret form fields are masked`(body: String, type: String?, masked: String) {
        let result = SecretNames.masked(body: Data(body.utf8), type: type)
        #expect(String(decoding: result, as: UTF8.self) == masked)
    }

    @Test func `a form with bytes that are not text is masked, and other binary data is unchanged`() {
        let head = "--b\r\nContent-Disposition: form-data; name=\""
        let start = Data("\(head)file\"\r\n\r\n".utf8) + [0xFF, 0x00, 0x80] + Data("\r\n\(head)secret\"\r\n\r\n".utf8)
        let body = start + [0xFF] + Data("\r\n--b--".utf8)
        let masked = SecretNames.masked(body: body, type: "multipart/form-data; boundary=b")
        #expect(masked == start + Data("•••\r\n--b--".utf8))
        #expect(SecretNames.masked(body: Data([0xFF, 0x00]), type: "application/json") == Data([0xFF, 0x00]))
    }

    @Test func `a request is shown without its secrets`() {
        let request = InterceptedRequest(
            method: "POST", url: "https://user:pw@a.test/?token=x",
            headers: [
                HeaderField(name: "authorization", value: "Bearer abc def"),
                HeaderField(name: "Proxy-Authorization", value: "abc"),
                HeaderField(name: "Cookie", value: "a=b=c; d; e="), HeaderField(name: "X-Api-Key", value: "abc"),
                HeaderField(name: "Referer", value: "https://b.test/?code=x"),
                HeaderField(name: "Accept", value: "*/*"),
                HeaderField(name: "X-Token", value: ""), HeaderField(name: "content-type", value: "application/json"),
            ], body: Data(#"{"pin":1}"#.utf8))
        let shown = request.withoutSecrets
        #expect(shown.url == "https://•••@a.test/?token=•••")
        #expect(
            shown.headers.map(\.value) == [
                "Bearer •••", "•••", "a=•••; d; e=•••", "•••", "https://b.test/?code=•••", "*/*", "",
                "application/json",
            ])
        #expect(shown.body == Data(#"{"pin":"•••"}"#.utf8))
        #expect(InterceptedRequest(url: "a").withoutSecrets == InterceptedRequest(url: "a"))
    }
}
