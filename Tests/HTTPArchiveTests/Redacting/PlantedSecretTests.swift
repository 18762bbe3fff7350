import ArchiveChecking
import Foundation
import HTTPArchive
import Testing

/// Checks that redaction removes a secret from every part of an entry that can contain one.
@Suite(.limited) struct PlantedSecretTests {
    /// A secret that has no recognizable format and contains characters that are escaped in URLs and JSON.
    private static let secret = #"Zq7-pl/4nt3d+"s\crt"#

    private static func escaped(_ text: String) -> String { JSONValue.string(JSONString(text)).text(in: .compact) }

    private static var percentEncoded: String {
        secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static var json: String { #"{"user":"Ann","password":\#(escaped(secret)),"n":[1,2]}"# }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func entry(
        url: String = "https://a.test/", headers: [HAR.Header] = [], answered: [HAR.Header] = [],
        postData: HAR.PostData? = nil, content: HAR.Content = HAR.Content(size: 0, mimeType: "text/plain", text: ""),
        fields: [String: JSONValue] = [:]
    ) -> HAR.Entry {
        var request = HAR.Request(method: "POST", url: url, headers: headers, bodySize: 0)
        request.postData = postData
        var entry = HAR.Entry(
            startedDateTime: "2026-01-01T12:00:00.000Z", time: 1, request: request,
            response: HAR.Response(status: 200, statusText: "OK", headers: answered, content: content, bodySize: 0),
            timings: HAR.Timings(send: 0, wait: 1, receive: 0))
        for (name, value) in fields { entry[name] = value }
        return entry
    }

    /// Entries by the name of the part that contains the secret.
    static let places: [String: HAR.Entry] = {
        let safe = "Zq7-pl4nt3d.s3crt"
        let header = { (name: String, value: String) in entry(headers: [HAR.Header(name: name, value: value)]) }
        let answered = { (name: String, value: String) in entry(answered: [HAR.Header(name: name, value: value)]) }
        let posted = { (type: String, text: String) in entry(postData: HAR.PostData(mimeType: type, text: text)) }
        let content = { (type: String, text: String) in
            entry(content: HAR.Content(size: text.utf8.count, mimeType: type, text: text))
        }
        let jwt = "eyJhbGciOiJIUzI1NiJ9.\(base64(#"{"s":"\#(safe)"}"#)).Zq7pl4nt3ds3crt"
        var encoded = HAR.Content(size: json.utf8.count, mimeType: "application/octet-stream", text: base64(json))
        encoded.encoding = "base64"
        let bytes =
            Data([0x08, 0xFF, 0x00, 0x12])
            + Data("\0ghp_\(safe.filter(\.isLetter))Zq7pl4nt3ds3crtZq7pl4nt3ds3crt00\u{1}".utf8)
        var binary = HAR.Content(
            size: bytes.count, mimeType: "application/x-protobuf", text: bytes.base64EncodedString())
        binary.encoding = "base64"
        var params = HAR.PostData(mimeType: "application/x-www-form-urlencoded", text: "a=b&password=\(percentEncoded)")
        params.params = [HAR.Parameter(name: "a", value: "b"), HAR.Parameter(name: "password", value: secret)]
        var query = entry(url: "https://a.test/?q=1&access_token=\(percentEncoded)")
        query.request.queryString = [
            HAR.QueryParameter(name: "q", value: "1"), HAR.QueryParameter(name: "access_token", value: secret),
        ]
        var cookies = header("Cookie", "theme=dark; sid=\(safe)")
        cookies.request.cookies = [
            HAR.Cookie(name: "theme", value: "dark"), HAR.Cookie(name: "sid", value: safe),
        ]
        var redirected = answered("Location", "https://a.test/next?token=\(percentEncoded)#id_token=\(safe)")
        redirected.response.redirectURL = "https://a.test/next?token=\(percentEncoded)#id_token=\(safe)"
        let multipart = """
            --b\r\nContent-Disposition: form-data; name="password"\r\n\r\n\(secret)\r\n--b\r\n\
            Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n\(json)\r\n--b--\r\n
            """
        let mutation = #"mutation { login(name: "Ann", password: \#(escaped(secret))) { id } }"#
        let graphQL = #"{"query":\#(escaped(mutation)),"variables":{"in":{"password":\#(escaped(secret))}}}"#
        return [
            "authorization": header("Authorization", "Bearer \(safe)"),
            "basic": header("authorization", "Basic \(base64("ann:\(safe)"))"),
            "digest": header("Proxy-Authorization", "Digest username=\"ann\", response=\"\(safe)\""),
            "API key": header("X-Api-Key", safe), "cookies": cookies,
            "referer": header("Referer", "https://a.test/?token=\(percentEncoded)"),
            "path": header(":path", "/a?api_key=\(percentEncoded)"),
            "set cookie": answered("Set-Cookie", "sid=\(safe); Path=/, b=\(safe)2; HttpOnly\nc=\"\(safe)3\""),
            "redirect": redirected, "query": query,
            "user": entry(url: "https://ann:\(percentEncoded)@a.test/"),
            "user alone": entry(url: "https://\(safe)@a.test/"),
            "fragment": entry(url: "https://a.test/#/in?id_token=\(percentEncoded)"),
            "URL in URL": entry(url: "https://a.test/?to=https%3A%2F%2Fb.test%2F%3Ftoken%3D\(safe)"),
            "form": entry(postData: params), "form without type": posted("", "a=b&token=\(percentEncoded)"),
            "multipart": posted("multipart/form-data; boundary=b", multipart),
            "no boundary": posted("multipart/form-data", multipart),
            "JSON": posted("application/json", json), "JSON in text": content("text/plain", json),
            "truncated JSON": content("application/json", String(json.dropLast(12))),
            "JSON in JSON": content("application/json", #"{"a":\#(escaped(#"{"b":\#(escaped(json))}"#))}"#),
            "number": content("application/json", #"{"pin":[4711471147114711]}"#),
            "GraphQL": posted("application/json", graphQL), "GraphQL alone": posted("application/graphql", mutation),
            "base64": entry(content: encoded), "binary": entry(content: binary),
            "base64 in JSON": content("application/json", #"{"cursor":"\#(base64(json))"}"#),
            "message": entry(fields: [
                "_webSocketMessages": [["type": "send", "time": 1, "opcode": 1, "data": .string(JSONString(json))]]
            ]),
            "error": entry(fields: [
                "_error": .string(JSONString("GET https://a:\(percentEncoded)@a.test/ failed: \(jwt)"))
            ]),
            "comment": entry(fields: ["comment": .string(JSONString("with Bearer \(safe)"))]),
            "custom": entry(fields: ["_auth": ["inner": ["clientSecret": .string(JSONString(secret)), "n": 1]]]),
            "token": content("text/html", "<a title='\(jwt)'>"),
            "key": content("text/plain", "-----BEGIN RSA PRIVATE KEY-----\n\(safe)\n-----END RSA PRIVATE KEY-----\n"),
            "repetition": {
                var entry = posted("application/json", json)
                entry.response.content.text =
                    "hello \(secret), \(percentEncoded), \(escaped(secret)) and \(base64(secret + "!"))"
                return entry
            }(),
        ]
    }()

    @Test(arguments: places.keys.sorted())
    func `no part of the secret remains`(place: String) throws {
        let entry = try #require(Self.places[place])
        let redactor = try HARRedactor.test()
        let redacted = redactor.redacted(entry)
        #expect(Self.mentionsSecret(entry.text))
        #expect(!Self.mentionsSecret(redacted.text), "\(redacted.text)")
        #expect(redacted.text.contains("REDACTED-") || place.contains("base64") || place == "binary")
        #expect(redactor.redacted(redacted).text == redacted.text)
        let findings = redactor.secrets(in: entry)
        #expect(!findings.isEmpty)
        #expect(!findings.contains { Self.mentionsSecret("\($0)") })
        #expect(redactor.secrets(in: redacted) == [])
    }

    @Test(arguments: places.keys.sorted())
    func `redaction causes no additional findings`(place: String) throws {
        let entry = try #require(Self.places[place])
        let redacted = try HARRedactor.test().redacted(entry)
        var before = HARChecker()
        var after = HARChecker()
        #expect(
            after.check(.entry(redacted)).map(\.rule).count <= before.check(.entry(entry)).map(\.rule).count, "\(place)"
        )
    }

    @Test(arguments: places.keys.sorted())
    func `a redacted request without the hashes in its placeholders equals the masked request`(place: String) throws {
        let entry = try #require(Self.places[place])
        let redactor = try HARRedactor.test()
        let redacted = try #require(redactor.redacted(entry.request, inflating: 1 << 20))
        let recorded = HARRedactor.withoutKeys(redacted.entryText)
        #expect(recorded == redactor.masked.redacted(entry.request, inflating: 1 << 20)?.entryText)
        #expect(!recorded.contains("REDACTED-"))
    }

    @Test func `a page's title and custom fields are redacted`() throws {
        var page = HAR.Page(
            startedDateTime: "2026-01-01T12:00:00.000Z", id: "p", title: "https://a.test/?token=\(Self.percentEncoded)",
            pageTimings: HAR.PageTimings())
        page["_x"] = ["password": .string(JSONString(Self.secret))]
        let redacted = try HARRedactor.test().redacted(page)
        #expect(!Self.mentionsSecret(JSONValue.object(redacted.fields).text(in: .compact)))
        #expect(redacted.id == "p")
    }

    /// Returns whether a string contains a part of the secret, in any encoding.
    private static func mentionsSecret(_ text: String, depth: Int = 0) -> Bool {
        if ["pl/4nt3d", "pl4nt3d", "4nt3d", "4711471147114711"].contains(where: text.contains) { return true }
        guard depth < 4 else { return false }
        let forms = [text.removingPercentEncoding ?? "", text.replacing("\\", with: "")]
        if forms.contains(where: { $0 != text && mentionsSecret($0, depth: depth + 1) }) { return true }
        return text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0))) }.contains { run in
            let padded = run.filter { $0 != "=" }
            let data = Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
            return data.map { mentionsSecret(String(decoding: $0, as: UTF8.self), depth: depth + 1) } ?? false
        }
    }
}

extension JSONValue {
    /// Returns the text of the value in a layout.
    fileprivate func text(in layout: JSONLayout) -> String { String(decoding: data(layout: layout), as: UTF8.self) }
}

extension HAR.Request {
    /// The compact text of the request.
    fileprivate var entryText: String { JSONValue.object(fields).text(in: .compact) }
}
