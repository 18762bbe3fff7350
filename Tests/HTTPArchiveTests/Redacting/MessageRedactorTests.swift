import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct MessageRedactorTests {
    private let redactor = MessageRedactor.standard

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
        #expect(redactor.body(Data(json.utf8), mediaType: "application/json") == Data(masked.utf8))
    }

    @Test func `compressed text in a message is searched only if it is small`() {
        // A URL with a password, and five thousand zeros.
        let small =
            "H4sIAAAAAAACA9PPS60osS9ILC4uzy9Ksa0wVCvJz07Ns020SDP2NrJMyS40CKjyyTUJLDdPVUjMS1HIL8lILVIAKS4GAERWeFY8AAAA"
        let large = "H4sIAAAAAAACA+3BMQEAAADCoPVPbQo/oAAAAACAtwGoDuXYiBMAAA=="
        #expect(redactor.text("data=\(large) end") == "data=••• end")
        #expect(redactor.url("https://a.test/?a=\(large)&b=1") == "https://a.test/?a=•••&b=1")
        let shown = redactor.text("data=\(small) end")
        #expect(shown.hasPrefix("data=H4sI") && !shown.contains(small))
    }

    @Test func `each long part of a request is searched`() {
        let long = String(repeating: "all+work+and+no+play+", count: 300)
        let body = Data("{\"a\":\"\(long)\",\"password\":\"x\"}".utf8)
        let request = redactor.request(
            (url: "https://a.test/?q=\(long)", headers: [("X-Text", long), ("X-Api-Key", "key")], body: body))
        #expect(request.url == "https://a.test/?q=\(long)")
        #expect(request.headers.map(\.value) == [long, MessageRedactor.mask])
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) }?.hasSuffix("\"password\":\"•••\"}") == true)
    }

    @Test(arguments: [
        ("user=a&password=b%26c&x", "application/x-www-form-urlencoded", "user=a&password=•••&x"),
        ("user=a&password=b", nil, "user=a&password=•••"), (" [{\"token\":1}]", nil, " [{\"token\":\"•••\"}]"),
        ("password=b", "text/plain", "password=•••"),
        (#"{"token":1}"#, "application/vnd.api+json", #"{"token":"•••"}"#),
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
        let result = redactor.body(Data(body.utf8), mediaType: type)
        #expect(String(decoding: result, as: UTF8.self) == masked)
    }

    @Test func `a form with bytes that are not text is masked, and other binary data is unchanged`() {
        let head = "--b\r\nContent-Disposition: form-data; name=\""
        let start = Data("\(head)file\"\r\n\r\n".utf8) + [0xFF, 0x00, 0x80] + Data("\r\n\(head)secret\"\r\n\r\n".utf8)
        let body = start + [0xFF] + Data("\r\n--b--".utf8)
        let masked = redactor.body(body, mediaType: "multipart/form-data; boundary=b")
        #expect(masked == start + Data("•••\r\n--b--".utf8))
        #expect(redactor.body(Data([0xFF, 0x00]), mediaType: "application/json") == Data([0xFF, 0x00]))
    }

    @Test func `a request is shown without its secrets`() {
        let request: MessageRedactor.Request = (
            url: "https://user:pw@a.test/?token=x",
            headers: [
                ("authorization", "Bearer abc def"), ("Proxy-Authorization", "abc"), ("Cookie", "a=b=c; d; e="),
                ("X-Api-Key", "abc"), ("Referer", "https://b.test/?code=x"), ("Accept", "*/*"), ("X-Token", ""),
                ("content-type", "application/json"), ("X-Custom", "Custom abc"), ("Cookie", "a=REDACTED; b=1;"),
            ], body: Data(#"{"pin":1}"#.utf8)
        )
        let shown = redactor.request(request)
        #expect(shown.url == "https://•••@a.test/?token=•••")
        #expect(
            shown.headers.map(\.value) == [
                "Bearer •••", "•••", "a=•••; •••; e=•••", "•••", "https://b.test/?code=•••", "*/*", "",
                "application/json", "Custom abc", "a=REDACTED; b=•••;",
            ])
        #expect(shown.body == Data(#"{"pin":"•••"}"#.utf8))
        let again = redactor.request(shown)
        #expect(again.url == shown.url && again.body == shown.body)
        #expect(again.headers.map(\.value) == shown.headers.map(\.value))
    }

    @Test func `a secret is masked in all parts of a request`() {
        let request: MessageRedactor.Request = (
            url: "https://a.test/u/s3cret-t0ken-12/x",
            headers: [("X-Note", "s3cret-t0ken-12"), ("Authorization", "Basic dTpzM2NyZXQtcGFzcw==")],
            body: Data(#"{"token":"s3cret-t0ken-12","note":"s3cret-pass"}"#.utf8)
        )
        let shown = redactor.request(request)
        #expect(shown.url == "https://a.test/u/REDACTED/x")
        #expect(shown.headers.map(\.value) == ["REDACTED", "Basic •••"])
        #expect(shown.body == Data(#"{"token":"•••","note":"REDACTED"}"#.utf8))
    }

    @Test(arguments: [
        (
            "https://a.test/ghp_abcdefghijklmnopqrstuvwxyz0123456789?x=4111111111111111",
            "https://a.test/REDACTED?x=REDACTED"
        ),
        (
            "https://a.test/?a=%7B%22password%22%3A%22x%22%7D",
            "https://a.test/?a=%7B%22password%22%3A%22%E2%80%A2%E2%80%A2%E2%80%A2%22%7D"
        ),
        ("https://a.test/?to=https%3A%2F%2Fu%3Ap%40b.test", "https://a.test/?to=https%3A%2F%2Fb.test"),
    ])
    func `secrets in a URL are found by their format and in nested text, as in archives`(url: String, shown: String) {
        #expect(redactor.url(url) == shown)
    }

    @Test(arguments: [
        ("GET https://u:p@a.test/?token=x failed", "GET https://a.test/?token=••• failed"),
        (#"{"password":{"a":1}}"#, #"{"password":"•••"}"#), ("plain text = 5", "plain text = 5"), ("", ""),
        ("Bearer abcdefghijklmnop1234", "Bearer REDACTED"),
    ])
    func `secrets in plain text are replaced`(text: String, shown: String) {
        #expect(redactor.text(text) == shown)
    }

    @Test func `query items are masked`() {
        #expect(redactor.items("a=1&token=x&b") == "a=1&token=•••&b")
        #expect(redactor.items("") == "")
    }

    @Test func `settings add rules for secrets and never remove the built-in ones`() throws {
        var configuration = HARRedactor.Configuration.none
        configuration.queryItems = ["tenant"]
        configuration.headers = ["X-Tenant"]
        configuration.patterns = ["emp-[0-9]+"]
        configuration.allowedNames = ["token"]
        let redactor = try MessageRedactor(configuration)
        #expect(
            redactor.url("https://a.test/emp-7?tenant=acme&token=x")
                == "https://a.test/REDACTED?tenant=REDACTED&token=•••")
        let request = redactor.request(
            (url: "a", headers: [("x-tenant", "acme"), ("cookie", "a=b")], body: nil))
        #expect(request.headers.map(\.value) == ["REDACTED", "a=•••"])
        configuration.patterns = ["["]
        #expect(throws: HARError.self) { try MessageRedactor(configuration) }
    }

    @Test(arguments: [
        ("https://a.b/c?d=e#f", "https://a.b/c?d=e#f"),
        ("https://user:pw@a.b/c", "https://a.b/c"), ("https://u:p@ss@a.b:80?x", "https://a.b:80?x"),
        ("//user@a.b/c", "//a.b/c"), ("user:pw@a.b/c", "a.b/c"), ("https://a.b/c@d?e=f@g", "https://a.b/c@d?e=f@g"),
        ("https://a.b/?token=x&y=z", "https://a.b/?token=•••&y=z"), ("?Api-Key=1", "?Api-Key=•••"),
        ("https://a.b/?y=z&pass%77ord=a=b;c?d", "https://a.b/?y=z&pass%77ord=•••"),
        ("https://a.b/?token&token=&&=", "https://a.b/?token&token=&&="),
        ("https://a.b/?a=1;sig=2&b=%zz%", "https://a.b/?a=1;sig=•••&b=%zz%"),
        ("https://a.b/#access_token=x&state=y", "https://a.b/#access_token=•••&state=y"),
        ("https://a.b/#/sign/in?code=x#y", "https://a.b/#/sign/in?code=•••"),
        ("https://a.b/?to=https://c/?token=x&d=e", "https://a.b/?to=https://c/?token=•••&d=e"),
        ("https://a.b/?d=\u{301}&\u{301}token=1&sig=\u{301}é", "https://a.b/?d=\u{301}&\u{301}token=•••&sig=•••"),
        ("", ""), ("://", "://"), ("@", ""), ("https://@", "https://"),
    ])
    func `a masked URL has no user info and no secrets, and is otherwise unchanged`(url: String, masked: String) {
        #expect(Array(redactor.url(url).utf8) == Array(masked.utf8))
    }
}
