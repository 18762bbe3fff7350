import ArchiveChecking
import HTTPArchive
import Testing

@Suite(.limited) struct HARCheckerRequestTests {
    private static let url = #""http://example.org/a?b=c""#
    private static let pointer = "/log/entries/0/request"

    @Test(arguments: [
        ("/a?b=c:d", HARFinding.Rule.relativeURL, HARFinding.Severity.warning),
        ("XML", .relativeURL, .warning), ("://e/?b=c", .relativeURL, .warning),
        ("http:///a?b=c", .invalidURL, .warning), ("https:a?b=c", .invalidURL, .warning),
        ("data:text/plain,a|?b=c", .notHTTPURL, .note), ("blob:http://e/1?b=c", .notHTTPURL, .note),
        ("http://e/a|b?b=c", .invalidURLCharacter, .warning), ("http://e/é ?b=c", .invalidURLCharacter, .warning),
        ("http://e/?b=c#d", .urlFragment, .note),
    ])
    func `an invalid or unusual URL is reported`(
        url: String, rule: HARFinding.Rule, severity: HARFinding.Severity
    ) throws {
        try CheckedArchive((Self.url, "\"\(url)\""))
            .expect(rule, severity, at: Self.pointer + "/url", over: "\"\(url)\"")
    }

    @Test(arguments: ["HTTPS://user@example.org:80/%7Ea;p/[x]?b=c", "http://[::1]/?b=c"])
    func `a valid HTTP URL is not reported`(url: String) throws {
        try CheckedArchive((Self.url, "\"\(url)\"")).expectNothing()
    }

    @Test(arguments: ["http://e/?b=c&d=e", "http://e/", "http://e/?b=d", "http://e/?c=c"])
    func `a query string that differs from the URL's query is reported as a warning`(url: String) throws {
        try CheckedArchive((Self.url, "\"\(url)\""))
            .expect(.queryMismatch, .warning, at: Self.pointer + "/queryString", over: #"[{"name": "b""#)
    }

    @Test(arguments: [
        ("http://e/?x=%C3%A9+%2B&&b=c#f", #"{"name": "x", "value": "é +"}, "#),
        ("http://e/?b=c&x=%C3%A9", #"{"name": "x", "value": "%C3%A9"}, "#),
        ("http://e/?b=c&x=%25C3", #"{"name": "x", "value": "%C3"}, "#),
        ("http://e/?b=c&x=%E9", #"{"name": "x", "value": "%E9"}, "#),
        ("http://e/?flag&b=c", #"{"name": "", "value": "flag"}, "#),
        ("http://e/?flag=&b=c", #"{"name": "flag", "value": ""}, "#),
    ])
    func `common representations of a query are valid`(url: String, parameter: String) throws {
        try CheckedArchive((Self.url, "\"\(url)\""), (#""queryString": ["#, #""queryString": ["# + parameter))
            .expectNo(.queryMismatch)
    }

    @Test func `pseudo-header fields are reported as a single note`() throws {
        let headers = #"{"name": ":path", "value": "/"}, {"name": ":method", "value": "GET"}, "#
        try CheckedArchive((#""headers": ["#, #""headers": ["# + headers))
            .expect(.pseudoHeader, .note, at: Self.pointer + "/headers/0", over: headers)
    }

    @Test(arguments: [#"a=1\nb=2"#, #"a=1\r\nb=2"#])
    func `the warning for cookies joined by line breaks does not include their values`(value: String) throws {
        let archive = try CheckedArchive(
            (#"{"name": "Content-Type", "value": "text/html"}"#, #"{"name": "Set-Cookie", "value": "\#(value)"}"#))
        try archive.expect(
            .lineBreakInHeader, .warning, at: "/log/entries/0/response/headers/0/value", over: "\"\(value)\"")
        #expect(!archive.findings.description.contains("a=1"))
    }

    @Test func `post data with both parameters and text is reported`() throws {
        let params = #""params": [{"name": "asked"}]"#
        try CheckedArchive((#""text": "asked""#, #""text": "asked", \#(params)"#))
            .expect(.paramsAndText, .warning, at: Self.pointer + "/postData/params", over: #"[{"name": "asked"}"#)
        try CheckedArchive((#""text": "asked""#, params)).expectNothing()
        try CheckedArchive((#""text": "asked""#, #""text": "asked", "params": []"#)).expectNothing()
    }

    @Test func `post data with neither parameters nor text is reported`() throws {
        try CheckedArchive((#", "text": "asked""#, ""))
            .expect(.requestBodyNotCaptured, .warning, at: Self.pointer + "/postData", over: #"{"mimeType""#)
    }

    @Test func `a missing request body with a positive body size is reported as a warning`() throws {
        let postData = #""postData": {"mimeType": "text/plain", "text": "asked"}, "#
        try CheckedArchive((postData, ""))
            .expect(.requestBodyNotCaptured, .warning, at: Self.pointer + "/bodySize", over: "5}")
        try CheckedArchive((postData, ""), (#""bodySize": 5"#, #""bodySize": -1"#)).expectNothing()
    }

    @Test func `U+FFFD in the text is reported as a note`() throws {
        try CheckedArchive((#""asked""#, #""a\ufffd""#))
            .expect(.replacementCharacter, .note, at: Self.pointer + "/postData/text", over: #""a\ufffd""#)
    }
}
