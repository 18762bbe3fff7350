import Foundation
import HTTPArchive
import Relay
import Testing

/// Tests of the fields that `har diff` ignores.
@Suite(.limited) struct DiffVolatileFieldsTests {
    /// Two archives that differ only in volatile fields.
    private static let logs: (HAR.Log, HAR.Log) = {
        func log(_ digit: Int) -> HAR.Log {
            let headers = ["Date", "ETag", "X-Request-Id", "CF-Ray", "Set-Cookie"].map {
                HAR.Header(name: $0, value: "\(digit)")
            }
            let time = "170000000000\(digit)"
            var entry = HAR.Entry.json(
                #"{"list": [{"ts": \#(time)}, {"ts": \#(time)}], "n": 1}"#,
                url: "https://a.test/?q=1&_=\(time)", headers: headers)
            entry.request.method = "POST"
            entry.request.headers = [
                HAR.Header(name: "X-My-Request-Id", value: "\(digit)"), HAR.Header(name: "Cookie", value: "a=\(digit)"),
            ]
            let nonce = "0123456789abcde\(digit)"
            entry.request.postData = HAR.PostData(
                mimeType: "application/json", text: #"{"ids": [{"nonce": "\#(nonce)"}], "a\"b": 1}"#)
            return .sample(entry, .sample("GET", "https://a.test/plain"))
        }
        return (log(1), log(2))
    }()

    @Test func `volatile fields are ignored and listed`() async throws {
        let run = try await HarRun.diff(Self.logs.0, Self.logs.1)
        #expect(run.status == 0)
        #expect(
            run.output == """
                ignored body /list/*/ts (1 pair)
                ignored header cf-ray (1 pair)
                ignored header date (1 pair)
                ignored header etag (1 pair)
                ignored header set-cookie (1 pair)
                ignored header x-request-id (1 pair)
                ignored query _ (1 pair)
                ignored request body /ids/*/nonce (1 pair)
                ignored request header cookie (1 pair)
                ignored request header x-my-request-id (1 pair)
                0 added, 0 removed, 0 changed, 2 equal

                """)
    }

    @Test func `all fields are compared on request`() async throws {
        let run = try await HarRun.diff(Self.logs.0, Self.logs.1, "--all")
        #expect(run.status == 1)
        #expect(run.output.contains("\n    query _: 1700000000001 → 1700000000002\n"))
        #expect(run.output.contains("\n    header date: 1 → 2\n"))
        #expect(run.output.contains("\n    header set-cookie: ••• (only a secret differs)\n"))
        #expect(run.output.contains("\n    body /list/1/ts: 1700000000001 → 1700000000002\n"))
        #expect(run.output.hasSuffix("0 added, 0 removed, 1 changed, 1 equal\n"))
        #expect(!run.output.contains("ignored"))
    }

    @Test func `a typical name is volatile only if its values are`() async throws {
        let run = try await HarRun.diff(.sample(.json(#"{"state": "open"}"#)), .sample(.json(#"{"state": "sold"}"#)))
        #expect(run.output.contains("\n    body /state: \"open\" → \"sold\"\n"))
    }

    @Test func `pairs URLs that differ only in volatile values`() async throws {
        let time = "17000000000"
        let run = try await HarRun.diff(
            .sample(
                .sample("GET", "https://a.test/app.js?\(time)01"), .sample("GET", "https://a.test/?v=\(time)01&id=1"),
                .sample("GET", "https://a.test/?v=\(time)02&id=2")),
            .sample(
                .sample("GET", "https://a.test/app.js?\(time)91"), .sample("GET", "https://a.test/?v=\(time)92&id=2"),
                .sample("GET", "https://a.test/?v=\(time)91&id=1")))
        #expect(
            run.output == """
                ~ 2 → 1 GET https://a.test/?v=1700000000092&id=2
                    query v: 1700000000002 → 1700000000092
                ~ 1 → 2 GET https://a.test/?v=1700000000091&id=1
                    query v: 1700000000001 → 1700000000091
                ignored query * (1 pair)
                0 added, 0 removed, 2 changed, 1 equal

                """)
    }

    @Test func `names the volatile fields that the matching does not ignore`() async throws {
        func log(_ digit: Int) -> HAR.Log { .sample(.sample("GET", "https://a.test/app.js?170000000000\(digit)")) }
        let run = try await HarRun.diff(log(1), log(2), "--matching")
        #expect(run.status == 0)
        #expect(run.output == "RequestMatching.standard\n")
        #expect(run.errors.contains("the matching does not ignore query items without a name; write"))
    }

    /// A form with a volatile field, which has another value for each digit, a field `b`, and the field `c`.
    private static func form(isMultipart: Bool, _ digit: Int, b: String = "1", c: String? = "3") -> HAR.Entry {
        let fields = [("csrf_token", "0123456789abcde\(digit)"), ("b", b)] + (c.map { [("c", $0)] } ?? [])
        guard isMultipart else {
            let text = fields.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
            return .post(text, type: "application/x-www-form-urlencoded")
        }
        let parts = fields.map { MultipartBody.Part(name: $0.0, fileName: nil, type: nil, content: Data($0.1.utf8)) }
        let text = String(decoding: MultipartBody.body(parts, boundary: "x\(digit)"), as: UTF8.self)
        return .post(text, type: "multipart/form-data; boundary=x\(digit)")
    }

    @Test(arguments: [false, true])
    func `forms are compared by field, and the matching ignores their volatile fields`(isMultipart: Bool) async throws {
        let entries = [1, 2].map { Self.form(isMultipart: isMultipart, $0) }
        let run = try await HarRun.diff(.sample(entries[0]), .sample(entries[1]), "--matching")
        #expect(run.output == #"RequestMatching.standard.ignoring(formFields: ["csrf_token"])"# + "\n")
        #expect((run.status, run.errors) == (0, ""))
        let matching = RequestMatching.standard.ignoring(formFields: ["csrf_token"])
        let requests = (entries + [Self.form(isMultipart: isMultipart, 1, b: "2")]).map { entry in
            InterceptedRequest(
                method: "POST", url: entry.request.url,
                headers: [HeaderField(name: "Content-Type", value: entry.request.postData?.mimeType ?? "")],
                body: Data((entry.request.postData?.text ?? "").utf8))
        }
        let matcher = RequestMatcher.all(of: matching.required + matching.preferred)
        #expect(matcher.verdict(requested: requests[1], recorded: requests[0]).isMatch)
        #expect(!matcher.verdict(requested: requests[2], recorded: requests[0]).isMatch)
    }

    @Test(arguments: [false, true])
    func `other fields of forms are compared unless an option names them`(isMultipart: Bool) async throws {
        let first = HAR.Log.sample(Self.form(isMultipart: isMultipart, 1))
        let second = HAR.Log.sample(Self.form(isMultipart: isMultipart, 1, b: "2", c: nil))
        #expect(try await HarRun.diff(first, second).output.contains("\n    request body b: "))
        #expect(try await HarRun.diff(first, second, "--ignore", "form:b").output.contains("\n    - request body c: "))
        let run = try await HarRun.diff(first, second, "--ignore", "form:b", "--ignore", "form:c", "--matching")
        #expect(run.output == #"RequestMatching.standard.ignoring(formFields: ["b", "c"])"# + "\n")
        #expect(run.status == 0)
        // Query items have their own option.
        #expect(try await HarRun.diff(first, second, "--ignore", "query:b", "--ignore", "query:c").status == 1)
    }

    @Test func `the lengths of bodies that were not captured are compared`() async throws {
        func log(_ length: String, _ body: String?) -> HAR.Log {
            let headers = [HAR.Header(name: "Content-Length", value: length)]
            return .sample(.sample("GET", "https://a.test/", headers: headers, body: body))
        }
        #expect(
            try await HarRun.diff(log("5", nil), log("6", nil)).output.contains("    header content-length: 5 → 6\n"))
        #expect(try await HarRun.diff(log("5", "a"), log("6", "a")).status == 0)
    }

    @Test func `ignores the fields that options name`() async throws {
        let first = HAR.Entry.json(
            #"{"items": [{"id": 1, "n": {"a": 1}}]}"#, url: "https://a.test/?v=1",
            headers: [HAR.Header(name: "X-Build", value: "1")])
        let second = HAR.Entry.json(
            #"{"items": [{"id": 2, "n": {"a": 2}}]}"#, url: "https://a.test/",
            headers: [HAR.Header(name: "x-build", value: "2")])
        let fields = ["header:X-BUILD", "query:v", "json:/items/*/id", "json:/items/0/n"]
        let run = try await HarRun.diff(
            .sample(first), .sample(second), "--ignore", fields[0], "--ignore", fields[1], "--ignore", fields[2],
            "--ignore", fields[3])
        #expect(run.status == 0)
        #expect(
            run.output == """
                ignored body /items/*/id (1 pair)
                ignored body /items/*/n/a (1 pair)
                ignored header x-build (1 pair)
                ignored query v (1 pair)
                0 added, 0 removed, 0 changed, 1 equal

                """)
    }

    @Test func `prints the matching that ignores the volatile fields of requests`() async throws {
        let run = try await HarRun.diff(Self.logs.0, Self.logs.1, "--matching")
        #expect(run.status == 0)
        let code =
            #"RequestMatching.standard.ignoring(queryItems: ["_"], headers: ["x-my-request-id"], json: ["/ids/*/nonce"])"#
        #expect(run.output == code + "\n")
        // The same text compiles, and its matching accepts the other request.
        let matching =
            RequestMatching.standard.ignoring(queryItems: ["_"], headers: ["x-my-request-id"], json: ["/ids/*/nonce"])
        let requests = [Self.logs.0, Self.logs.1].map { log in
            InterceptedRequest(
                method: "POST", url: log.entries[0].request.url,
                headers: [HeaderField(name: "Content-Type", value: "application/json")],
                body: Data((log.entries[0].request.postData?.text ?? "").utf8))
        }
        let matcher = RequestMatcher.all(of: matching.required + matching.preferred)
        #expect(matcher.verdict(requested: requests[1], recorded: requests[0]).isMatch)
        #expect(try await HarRun.diff(.shop, .shop, "--matching").output == "RequestMatching.standard\n")
        let special = try await HarRun.diff(
            .sample(.post(#"{"a\"b": 1}"#)), .sample(.post(#"{"a\"b": 2}"#)), "--matching", "--ignore", #"json:/a"b"#)
        #expect(special.output == #"RequestMatching.standard.ignoring(json: ["/a\"b"])"# + "\n")
    }
}
