import Foundation
import TestSupport
import Testing

@testable import HTTPArchive

/// Secrets in each kind of text, and similar text without secrets.
@Suite(.limited) struct SecretPlaceTests {
    private static let secret = "Zq7pl4nt3dS3cr8tVx"

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static func escaped(_ text: String) -> String {
        String(decoding: JSONValue.string(JSONString(text)).data(layout: .compact), as: UTF8.self)
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func compressed(_ text: String, _ format: Deflate.Format) -> String {
        Data(Deflate.deflated(Array(text.utf8), format) ?? []).base64EncodedString()
    }

    /// Templates for bodies with a name and a value, with their media types.
    private static let places: [(type: String, text: @Sendable (String, String) -> String)] = [
        ("text/plain", { "/next?\($0)=\($1)&x=1" }),
        ("text/plain", { "/next?to=\(encoded("/a?\($0)=\($1)&b=1"))" }),
        ("text/plain", { "/next?to=\(encoded("/a?to=\(encoded("/b?x=1&\($0)=\($1)"))"))" }),
        ("text/plain", { "0;url=/a?\($0)=\($1)" }), ("text/plain", { "</a?\($0)=\($1)>; rel=next" }),
        ("text/plain", { "/a;\($0)=\($1)/b?c=d" }), ("text/plain", { "https://a.test/a;x=1;\($0)=\($1)?c=d" }),
        ("text/plain", { "https://a.test/#/in?\($0)=\($1)" }), ("text/plain", { "/#\($0)=\($1)&state=1" }),
        ("text/plain", { "user=ann&\($0)=\($1)" }), ("", { "user=ann&\($0)=\($1)" }),
        ("text/plain", { "user=ann\r\n\($0)=\($1)\r\n" }), ("text/plain", { "login with \($0)=\($1) failed" }),
        ("text/plain", { "\($0): \($1)" }), ("text/plain", { "the \($0): '\($1)'." }),
        ("text/plain", { "curl -d '\($0)=\($1)' /a" }), ("text/plain", { "\"\($0)\" => \"\($1)\"" }),
        ("application/json", { #"{"a":1,"\#($0)":"\#($1)"}"# }),
        ("application/json", { #"[{"name":"\#($0)","value":"\#($1)"}]"# }),
        ("application/json", { #"[{"value":"\#($1)","name":"\#($0)"}]"# }),
        ("application/json", { #"{"list":[{"key":"\#($0)","value":"\#($1)"}]}"# }),
        ("application/json", { #"{"headers":[["a","b"],["\#($0)","\#($1)"]]}"# }),
        ("application/json", { #"{"s":\#(escaped(#"{"x":\#(escaped(#"{"\#($0)":"\#($1)"}"#))}"#))}"# }),
        ("application/json", { #"{"next":"/a?to=\#(encoded("/b?\($0)=\($1)"))"}"# }),
        ("application/json", { #"{"cursor":"\#(base64(#"{"\#($0)":"\#($1)"}"#))"}"# }),
        ("application/json", { #"{"blob":"\#(compressed(#"{"\#($0)":"\#($1)"}"#, .gzip))"}"# }),
        ("application/json", { #"{"blob":"\#(compressed(#"{"\#($0)":"\#($1)"}"#, .zlib))"}"# }),
        ("application/json", { #")]}',\#n{"\#($0)":"\#($1)"}"# }),
        ("application/json", { #"cb({"\#($0)":"\#($1)"})"# }),
        ("application/x-ndjson", { "{\"a\":1}\n{\"\($0)\":\"\($1)\"}\n" }),
        ("application/javascript", { #"callback({"\#($0)":"\#($1)"});"# }),
        ("application/javascript", { #"var a=JSON.parse("{\"\#($0)\":\"\#($1)\"}")"# }),
        ("application/javascript", { #"var a={b:1,'\#($0)':'\#($1)'}"# }),
        ("text/html", { #"<script>window.a = {"\#($0)":"\#($1)"};</script>"# }),
        ("text/html", { #"<div data-a="{&quot;\#($0)&quot;:&quot;\#($1)&quot;}">"# }),
        ("text/html", { #"<input type="hidden" name="\#($0)" value="\#($1)">"# }),
        ("text/html", { #"<input value='\#($1)' name='\#($0)' type=hidden />"# }),
        ("text/html", { #"<meta name="\#($0)" content="\#($1)">"# }),
        ("text/html", { #"<meta content="\#($1)" name="\#($0)">"# }),
        ("text/html", { #"<a href="/a?b=c&amp;\#($0)=\#($1)">x</a>"# }),
        ("text/html", { #"<div \#($0)="\#($1)">"# }),
        ("application/xml", { "<a><\($0)>\($1)</\($0)></a>" }),
        ("application/xml", { "<a><\($0)><![CDATA[\($1)]]></\($0)></a>" }),
        ("application/soap+xml", { "<s:Body><w:\($0) type=\"t\">\n  \($1)\n</w:\($0)></s:Body>" }),
        ("application/xml", { "<a \($0)=\"\($1)\"/>" }), ("application/xml", { "<param name=\"\($0)\">\($1)</param>" }),
        ("application/xml", { "<dict><key>\($0)</key><string>\($1)</string></dict>" }),
        ("application/xml", { "<member><name>\($0)</name><value><string>\($1)</string></value></member>" }),
        ("application/xml", { "<a>&lt;\($0)&gt;\($1)&lt;/\($0)&gt;</a>" }),
        ("text/event-stream", { "event: a\ndata: {\"\($0)\":\"\($1)\"}\n\n" }),
        ("text/plain", { #"42["login",{"\#($0)":"\#($1)"}]"# }),
        ("application/graphql", { #"mutation { login(name: "Ann", \#($0): "\#($1)") { id } }"# }),
        (
            "multipart/form-data; boundary=b",
            {
                "--b\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n--b--\r\n"
            }
        ),
        (
            "multipart/mixed; boundary=b",
            { "--b\r\nContent-Type: application/json\r\n\r\n{\"\($0)\":\"\($1)\"}\r\n--b--" }
        ),
        ("application/octet-stream", { "\u{1}\u{2}\u{0}{\"\($0)\":\"\($1)\"}\u{0}" }),
    ]

    private static let names = [
        "password", "user_pass", "passcode", "otp", "pin", "recoveryCode", "refreshToken", "X-Vault-Token",
        "client_secret",
        "csrf", "accesstoken", "APIKey", "jsessionid", "api.key", "newPassword2",
    ]

    @Test(arguments: places.indices)
    func `a secret is found under each name`(place: Int) throws {
        let (type, text) = Self.places[place]
        for name in Cases.some(5, of: Self.names) {
            let body = text(name, Self.secret)
            let masked = try HARRedactor.test().masked(body, as: type.isEmpty ? nil : type)
            #expect(!Self.isIn(masked), "\(name): \(masked)")
            #expect(try HARRedactor.test().masked(masked, as: type.isEmpty ? nil : type) == masked)
        }
    }

    /// An entry with the secret in a header field of the request.
    private static var authorizedEntry: HAR.Entry {
        var request = HAR.Request(method: "GET", url: "https://a.test/")
        request.headers = [HAR.Header(name: "Authorization", value: "Bearer \(secret)")]
        return HAR.Entry(
            startedDateTime: "2026-01-01T12:00:00.000Z", request: request,
            response: HAR.Response(status: 200, content: HAR.Content(size: 0, mimeType: "")))
    }

    @Test(arguments: places.indices)
    func `a secret of a header is found in long bodies as in short ones`(place: Int) throws {
        let (type, text) = Self.places[place]
        func redacted(_ body: String) throws -> String? {
            var entry = Self.authorizedEntry
            entry.response.content = HAR.Content(size: body.utf8.count, mimeType: type, text: body)
            return try HARRedactor.test().redacted(entry).response.content.text
        }
        let body = text("color", Self.secret)
        let short = try #require(try redacted(body))
        #expect(!Self.isIn(short), "\(short)")
        let blanks = String(repeating: " ", count: 5000)
        #expect(try redacted(blanks + body) == blanks + short)
        #expect(try redacted(blanks + text("color", "blue")) == blanks + text("color", "blue"))
    }

    @Test func `repeated members with long bodies are searched individually`() throws {
        let long = String(repeating: "all work and no play ", count: 300)
        var entry = Self.authorizedEntry
        for bodies in [
            [long + "password=\(Self.secret)x", long], [long, long + "password=\(Self.secret)x"],
            [long, long + Self.secret], ["\(Self.secret) " + long, long],
        ] {
            let members = bodies.map { JSONObject.Member(name: "text", value: .string(JSONString($0))) }
            entry.response["content"] = .object(JSONObject(members: members))
            let text = try HARRedactor.test().redacted(entry).text
            #expect(!Self.isIn(text))
        }
    }

    @Test(arguments: places.indices)
    func `harmless values are unchanged`(place: Int) throws {
        let (type, text) = Self.places[place]
        for name in Cases.some(
            4,
            of: [
                "secretary", "tokenizer", "author", "keyboard", "passenger", "pinned", "session_count", "token_type",
                "expires_in", "password_length", "passwordResetUrl", "monkey", "compass",
            ])
        {
            let body = text(name, "Zq7pl4")
            #expect(try HARRedactor.test().masked(body, as: type.isEmpty ? nil : type) == body, "\(name)")
        }
    }

    @Test(arguments: [
        ("application/javascript", #"function a(token){return fetch("/a?token="+token+"&b=1",{password:e.value})}"#),
        ("application/javascript", #"var password=document.getElementById("password").value;t.token=n.token||""#),
        ("application/javascript", #"e.exports={password:"Enter your password",pin:t,otp:null,secret:!0}"#),
        ("text/html", #"<label for="password">Password</label><input type="password" name="password" id=token>"#),
        ("text/html", #"<a name="password">Password rules</a><meta name="csrf-param" content="authenticity_token">"#),
        ("text/html", "<p>Password: required. The token: see below.</p><script>if(a<b&&token==c){d()}</script>"),
        ("text/html", #"<a href="/" accesskey="s">Save</a>"#),
        ("application/javascript", #"var names={accesskey:"accessKey",PASSWORD:"password"};a.token='token'"#),
        ("text/css", ".token:hover{--token-color:red}.password::before{content:\"a\"}"),
        ("text/plain", "The password: required. Your token is missing; pin the note."),
        ("application/json", #"{"token":null,"hasPin":true,"pin":false,"otp":"","password":"****","secret":"${a}"}"#),
        (
            "application/json",
            #"{"token":{"type":"bearer","expires_in":3600},"secret":"2026-01-01T12:00:00Z","csrf":3}"#
        ),
        ("application/json", #"{"usage":{"prompt_tokens":12,"total_tokens":4096},"fields":["password","token"]}"#),
        ("application/json", #"[{"name":"color","value":"red"},{"id":"pinned","value":"Zq7pl4nt3d"}]"#),
    ])
    func `source code, labels and placeholder values are unchanged`(type: String, text: String) throws {
        #expect(try HARRedactor.test().masked(text, as: type) == text)
    }

    @Test(arguments: [
        ("application/json5", "{token: '\(secret)', a: 1}"),
        ("application/json", "{a: 1, \"b\": {password: '\(secret)'}}"),
        ("application/json", "{'token': '\(secret)'}"),
    ])
    func `secrets are found in JSON with unquoted or single-quoted names`(type: String, text: String) throws {
        let masked = try HARRedactor.test().masked(text, as: type)
        #expect(!Self.isIn(masked), "\(masked)")
        #expect(masked.hasPrefix(String(text.prefix(8))))
    }

    @Test(arguments: ["password-reset", "reset-password", "reset_password", "magic-link", "verify-email"])
    func `a token in the path segment after a known name is redacted`(segment: String) throws {
        let url = "https://a.test/\(segment)/\(Self.secret)8f2b6c4d1e9a7f3b?lang=en"
        let redacted = try HARRedactor.test().redacted(url: url)
        #expect(
            redacted.wholeMatch(of: /https:\/\/a.test\/[a-z_-]+\/REDACTED-[0-9a-f]{16}\?lang=en/) != nil, "\(redacted)")
        let page = "https://a.test/\(segment)/how-it-works-in-detail"
        #expect(try HARRedactor.test().redacted(url: page) == page)
    }

    @Test func `compressed data that expands to a huge size is searched only up to a limit`() throws {
        let secret = [UInt8]("{\"token\":\"\(Self.secret)\"}".utf8)
        let large = try #require(Deflate.deflated(secret + [UInt8](repeating: 0x20, count: 1 << 24), .gzip))
        let text = Data(large).base64EncodedString()
        let count = Cases.count(10, orAll: 40)
        let body = Array(Array(repeating: text, count: count).joined(separator: " ").utf8)
        var pass = Redaction(RedactionRules(masking: .init()))
        let edits = body.withUnsafeBytes { pass.bodyEdits(in: $0, as: "text/plain") }
        #expect((4..<count).contains(edits.count))
        #expect(pass.inflatable <= 1 << 24)
        // Nested compressed data uses the same budget.
        let nested = try #require(Deflate.deflated(body, .gzip))
        var second = Redaction(RedactionRules(masking: .init()))
        _ = nested.withUnsafeBytes { second.bodyEdits(in: $0, as: "text/plain") }
        #expect(second.inflatable <= 1 << 24)
    }

    @Test func `the search of an entry ends when its compressed text is larger than a limit`() throws {
        let text = "{\"token\":\"\(Self.secret)\"}" + String(repeating: " ", count: 5000)
        let url = "https://a.test/?a=\(Self.encoded(Self.compressed(text, .zlib)))"
        let entry = try HAR.Entry.parsed(#"{"request":{"url":"\#(url)"}}"#)
        let redactor = try HARRedactor.test()
        var count = 0
        #expect(redactor.redacted(entry, counting: &count, inflating: 5000) == nil && count == 0)
        #expect(redactor.knowing(secretsOf: entry, inflating: 5000) == nil)
        let redacted = try #require(redactor.redacted(entry, counting: &count, inflating: 20_000))
        #expect(!Self.isIn(redacted.request.url) && count > 0)
        #expect(try #require(redactor.knowing(secretsOf: entry, inflating: 20_000)).knownCount == 1)
    }

    /// Returns whether a string contains the secret, in any encoding.
    static func isIn(_ text: String, depth: Int = 0) -> Bool {
        if text.contains(secret) { return true }
        guard depth < 4 else { return false }
        let plain = text.removingPercentEncoding ?? ""
        if plain != text, isIn(plain, depth: depth + 1) { return true }
        return text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0))) }.contains { run in
            let padded = run.filter { $0 != "=" }
            guard padded.count >= 16,
                let data = Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
            else { return false }
            let content = CompressedBytes([UInt8](data))?.content ?? [UInt8](data)
            return isIn(String(decoding: content, as: UTF8.self), depth: depth + 1)
        }
    }
}
